// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  internal import CNATS

  /// A subscription of the C client, and what it calls.
  ///
  /// The client holds a reference from `open` until it says that the last callback has returned. Each inlet is opened
  /// and closed on the writer's queue.
  internal final class Inlet: @unchecked Sendable {
    // `@unchecked`: the handle is written once, by the writer's queue, and read there, and at the end; what is spent belongs
    // to the client's thread, and to who is the last to know of the inlet.

    internal let subject: String
    private let queue: String?
    private let tally: Tally?
    private let onMessage: @Sendable (_ message: OpaquePointer) -> Void
    private let onEnd: @Sendable () -> Void
    private var handle: OpaquePointer?
    private var spent = SpentMessages()

    /// Makes what `open` opens.
    ///
    /// - Parameters:
    ///   - subject: The subject, which has been checked.
    ///   - queue: The queue group, which has been checked.
    ///   - tally: Counts it while it is open.
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

    internal func open(_ connection: OpaquePointer) -> natsStatus {
      let context = Unmanaged.passRetained(self)
      let receive: natsMsgHandler = { @Sendable _, _, message, context in
        guard let message, let context else { return }
        let inlet = Unmanaged<Inlet>.fromOpaque(context).takeUnretainedValue()
        inlet.onMessage(message)
        inlet.spent.add(message)
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
      // What waits is bounded here, by policies that are stated: the callback never waits for a subscriber.
      var status = natsSubscription_SetPendingLimits(handle, -1, -1)
      let completion: natsOnCompleteCB = { @Sendable context in
        guard let context else { return }
        NATSContexts.add(-1)
        let inlet = Unmanaged<Inlet>.fromOpaque(context).takeRetainedValue()
        inlet.onEnd()
        inlet.tally?.add(-1)
      }
      if status == NATS_OK { status = natsSubscription_SetOnCompleteCB(handle, completion, context.toOpaque()) }
      // It is refused if the connection has been closed since: then nobody says when the thread is done, and the object
      // is left to it. Nobody has to wait for it.
      if status != NATS_OK { tally?.add(-1) }
      return status
    }

    /// Ends the subscription.
    ///
    /// - Parameter drains: Whether what the server has sent until then is received.
    internal func close(drains: Bool) {
      guard let handle else { return }
      if drains {
        // Where the server can't be asked what is on its way.
        if natsSubscription_DrainTimeout(handle, 5_000) == NATS_OK { return }
      }
      // Where that is refused, the subscription has ended with its connection, or will.
      natsSubscription_Unsubscribe(handle)
    }
  }
#endif
