// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  internal import CNATS
  internal import PenstockConcurrency
  internal import PenstockCore

  /// A subscription of the C client, and the closures that it calls.
  ///
  /// The client holds a reference from `open` until it says that the last callback has returned. Each subscription is
  /// opened and closed on the writer's queue.
  internal final class ClientSubscription: @unchecked Sendable {
    // `@unchecked`: the handle is written once, by the writer's queue, and read there and at the end; spent messages
    // belong to the client's thread, and at the end to the last owner of the subscription.

    internal let subject: String
    private let queue: String?
    private let tally: Tally?
    private let onMessage: @Sendable (_ message: OpaquePointer) -> Void
    private let onEnd: @Sendable () -> Void
    private var handle: OpaquePointer?
    private var spent = SpentMessages()

    /// Creates a subscription, which `open` opens.
    ///
    /// - Parameters:
    ///   - subject: The subject, which has been checked.
    ///   - queue: The queue group, which has been checked.
    ///   - tally: The counter that counts the subscription while it is open.
    ///   - onMessage: Called on the client's thread with each message, which it need not destroy.
    ///   - onEnd: Called on the client's thread after the last message.
    internal init(
      _ subject: String, queue: String? = nil, tally: Tally? = nil,
      onMessage: @escaping @Sendable (_ message: OpaquePointer) -> Void,
      onEnd: @escaping @Sendable () -> Void = {}
    ) {
      self.subject = subject
      self.queue = queue
      self.tally = tally
      self.onMessage = onMessage
      self.onEnd = onEnd
    }

    deinit {
      spent.giveBack()
      if let handle { natsSubscription_Destroy(handle) }
    }

    /// Opens the subscription, after what the writer does before.
    ///
    /// - Parameter onFailure: Called if it can't be opened, with the error.
    internal func open(by writer: Writer, onFailure: @escaping @Sendable (NATSError) -> Void) {
      writer.call { connection in
        let status = self.open(connection)
        if status != NATS_OK { onFailure(NATSError(status, "Can't subscribe to \(self.subject)")) }
      }
    }

    private func open(_ connection: OpaquePointer) -> natsStatus {
      let context = Unmanaged.passRetained(self)
      let receive: natsMsgHandler = { @Sendable _, _, message, context in
        guard let message, let context else { return }
        let subscription = Unmanaged<ClientSubscription>.fromOpaque(context).takeUnretainedValue()
        subscription.onMessage(message)
        subscription.spent.add(message)
      }
      let opened: natsStatus
      if let queue {
        opened = natsConnection_QueueSubscribe(&handle, connection, subject, queue, receive, context.toOpaque())
      } else {
        opened = natsConnection_Subscribe(&handle, connection, subject, receive, context.toOpaque())
      }
      guard opened == NATS_OK, let handle else {
        context.release()
        return opened
      }
      NATSContexts.add(1)
      tally?.add(1)
      // This module bounds the messages that wait, by documented policies: the callback never waits for a subscriber.
      var status = natsSubscription_SetPendingLimits(handle, -1, -1)
      let completion: natsOnCompleteCB = { @Sendable context in
        guard let context else { return }
        NATSContexts.add(-1)
        let subscription = Unmanaged<ClientSubscription>.fromOpaque(context).takeRetainedValue()
        subscription.onEnd()
        subscription.tally?.add(-1)
      }
      if status == NATS_OK { status = natsSubscription_SetOnCompleteCB(handle, completion, context.toOpaque()) }
      // This is refused if the connection has been closed meanwhile: then nothing reports when the thread is done, and
      // the object is left to the thread. Nobody has to wait for it.
      if status != NATS_OK { tally?.add(-1) }
      return status
    }

    /// Ends the subscription, after what the writer does before.
    ///
    /// - Parameter drains: Whether messages that the server has sent until then are received.
    internal func close(by writer: Writer, drains: Bool) {
      writer.call { _ in
        guard let handle = self.handle else { return }
        // With a limit, for a server that can't be asked what is on its way.
        if drains, natsSubscription_DrainTimeout(handle, 5_000) == NATS_OK { return }
        // If that is refused, the subscription has ended with its connection, or will.
        natsSubscription_Unsubscribe(handle)
      }
    }
  }

  /// Messages of a subscription of the C client that nobody needs any more, which are given back a few at a time.
  ///
  /// The client frees them on a thread of its own, which it wakes whenever that thread has nothing to do. Giving back
  /// each message separately would wake it for every message, which costs more than the message.
  internal struct SpentMessages: ~Copyable {
    private static let mostMessages = 64
    private static let mostBytes = 64 << 10

    private var messages: [OpaquePointer] = []
    private var bytes = 0

    internal mutating func add(_ message: OpaquePointer) {
      messages.append(message)
      bytes += Int(natsMsg_GetDataLength(message))
      if messages.count == Self.mostMessages || bytes > Self.mostBytes { giveBack() }
    }

    /// Gives back the messages that are left; also called by the owner, at its end.
    internal mutating func giveBack() {
      for message in messages { natsMsg_Destroy(message) }
      messages.removeAll(keepingCapacity: true)
      bytes = 0
    }
  }

  /// The objects to which the C client refers, for tests that nothing leaks.
  package enum NATSContexts {
    private static let count = Guarded(0)

    /// The number of these objects.
    package static var live: Int { count.withLock { $0 } }

    internal static func add(_ difference: Int) { count.withLock { $0 += difference } }
  }
#endif
