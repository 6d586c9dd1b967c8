// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  internal import CNATS
  internal import PenstockConcurrency
  internal import PenstockCore

  /// The requests of a connection that wait for an answer: all answers come to one subscription.
  internal final class Replies: AlarmOwner {
    internal typealias Done = @Sendable (Result<Answer, NATSError>) -> Void

    /// A message of the C client, which is valid during the call that gets it: most messages are read and not copied.
    internal struct Answer {
      fileprivate let message: OpaquePointer

      internal var payload: UnsafeRawBufferPointer { NATSMessage.payload(of: message) }

      internal func copy() -> NATSMessage { NATSMessage(copying: message) }
    }

    private struct Pending {
      let subject: String
      let deadline: Duration
      let done: Done
    }

    private struct State {
      var pending: [UInt64: Pending] = [:]
      var number: UInt64 = 0
      var subscription: ClientSubscription?
      var isClosed = false
    }

    private let writer: Writer
    private let prefix = Replies.makeInbox() + "."
    private let state = Guarded(State())
    private let time: QueueTime
    /// Rings when requests may be overdue.
    private let alarm: Alarm
    private let ids = Guarded(UInt64(0))

    internal init(_ writer: Writer) {
      self.writer = writer
      time = QueueTime(ContinuousClock())
      alarm = Alarm(time)
    }

    deinit {
      let subscription = state.withLock { $0.subscription }
      subscription?.close(by: writer, drains: false)
    }

    /// Returns a subject that nobody else uses.
    internal static func makeInbox() -> String {
      let digits = Array("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
      return "_INBOX." + String((0..<22).map { _ in digits.randomElement()! })
    }

    /// Returns an id for a message that nobody else uses: the system is asked for random numbers once per connection.
    internal func makeID() -> String {
      let number = ids.withLock { number in
        number += 1
        return number
      }
      return "\(prefix.dropFirst(7))\(number)"
    }

    internal var waiting: Int { state.withLock { $0.pending.count } }

    // MARK: Requests

    /// Sends a request.
    ///
    /// - Parameters:
    ///   - message: What to send; its reply is set here.
    ///   - timeout: How long the answer may take.
    ///   - cancellation: What gives the request up.
    ///   - done: Called once, on any thread but the caller's unless it cancels, with the answer.
    internal func send(
      _ message: Outgoing, _ timeout: Duration, _ cancellation: Cancellation? = nil, _ done: @escaping Done
    ) {
      let deadline = time.now() + timeout
      let (number, newSubscription) = state.withLock { state -> (UInt64?, ClientSubscription?) in
        if state.isClosed { return (nil, nil) }
        state.number += 1
        state.pending[state.number] = Pending(subject: message.subject, deadline: deadline, done: done)
        if state.subscription != nil { return (state.number, nil) }
        let subscription = ClientSubscription(prefix + "*", onMessage: { [weak self] in self?.receive($0) })
        state.subscription = subscription
        return (state.number, subscription)
      }
      guard let number else {
        return writer.call { _ in done(.failure(NATSClient.closed)) }
      }
      newSubscription?.open(by: writer) { [weak self] error in self?.failToListen(error) }
      var request = message
      request.reply = prefix + String(number)
      writer.publish(request) { [weak self] status in
        self?.fail(number, NATSError(status, "Can't publish to \(message.subject)"))
      }
      alarm.set(deadline, for: self)
      cancellation?.onCancel { [weak self] in
        self?.fail(number, NATSError(.cancelled, "The task has been cancelled before the answer came."))
      }
    }

    /// Sends a request, and waits for its answer, even if the task is cancelled.
    internal func answer(_ message: Outgoing, _ timeout: Duration) async throws(NATSError) -> NATSMessage {
      try await result { done in send(message, timeout) { done($0.map { $0.copy() }) } }.get()
    }

    /// Sends a request, and waits for its answer, or until the task is cancelled.
    internal func request(_ message: Outgoing, _ timeout: Duration) async throws(NATSError) -> NATSMessage {
      try await result { cancellation, done in
        send(message, timeout, cancellation) { done($0.map { $0.copy() }) }
      }.get()
    }

    /// Fails the requests that wait for answers, if the subscription for them can't be made; the next request tries
    /// again.
    private func failToListen(_ error: NATSError) {
      let subscription = state.withLock { $0.subscription.take() }
      withExtendedLifetime(subscription) {}
      failAll { _ in error }
    }

    /// Fails the requests that wait for answers, or some of them.
    private func failAll(where matches: (Pending) -> Bool = { _ in true }, with error: (Pending) -> NATSError) {
      let failed = state.withLock { state in
        let numbers = state.pending.filter { matches($0.value) }.keys
        return numbers.compactMap { state.pending.removeValue(forKey: $0) }
      }
      for pending in failed { pending.done(.failure(error(pending))) }
    }

    private func fail(_ number: UInt64, _ error: NATSError) {
      state.withLock { $0.pending.removeValue(forKey: number) }?.done(.failure(error))
    }

    private func receive(_ message: OpaquePointer) {
      // Answers have the subject of the request's inbox.
      guard let subject = natsMsg_GetSubject(message), let number = number(in: subject) else { return }
      guard let pending = state.withLock({ $0.pending.removeValue(forKey: number) }) else { return }
      if natsMsg_IsNoResponders(message) {
        let text =
          "Nobody listens to \(pending.subject): see that who answers is there, and that its subject is the same."
        pending.done(.failure(NATSError(.noResponders, text, code: 503)))
      } else {
        pending.done(.success(Answer(message: message)))
      }
    }

    /// The number after the prefix that all subjects of the subscription have.
    private func number(in subject: UnsafePointer<CChar>) -> UInt64? {
      var digit = subject + prefix.utf8.count
      var number: UInt64 = 0
      while digit.pointee != 0 {
        let value = digit.pointee &- 0x30
        guard (0...9).contains(value), number < 1 << 60 else { return nil }
        number = number * 10 + UInt64(value)
        digit += 1
      }
      return number
    }

    /// Fails the overdue requests.
    internal func ring() {
      let now = time.now()
      failAll {
        $0.deadline <= now
      } with: { pending in
        let text = "No answer to a request to \(pending.subject) came in time. It may have been received; try again."
        return NATSError(.noResponse, text)
      }
      // Looking through all of them is expensive, so it is done at most a hundred times a second.
      let next = state.withLock { $0.pending.values.map(\.deadline).min() }
      if let next { alarm.set(max(next, now + .milliseconds(10)), for: self) }
    }

    // MARK: The connection

    internal func clientChanged(_ change: ClientChange) {
      switch change {
      case .closed:
        let subscription = state.withLock { state in
          state.isClosed = true
          return state.subscription.take()
        }
        withExtendedLifetime(subscription) {}
        failAll { _ in NATSClient.closed }
      case .denied(let text):
        failAll {
          text.contains("\"\($0.subject)\"")
        } with: { _ in
          NATSError(.permissions, "The server does not permit it: \(text). See the user's permissions.")
        }
      case .disconnected, .connected, .draining: break
      }
    }
  }
#endif
