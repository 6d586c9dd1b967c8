// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

/// A subscriber that publishes the values that it receives into a stream, no faster than the stream confirms them.
///
/// A ``DeliveryQueue`` and the connections of the adapters to brokers make it, by `streamSubscriber`; an adapter for
/// another service can make its own.
///
/// ```swift
/// let queue = DeliveryQueue<String>(capacity: 10)
/// let writer = queue.streamSubscriber(failure: Never.self) { (number: Int) in StreamMessage("order \(number)") }
/// (1...3).publisher.subscribe(writer)
/// print(try await writer.finished(), writer.counts.confirmed)
/// // Prints "finished 3"
/// ```
///
/// **Demand:** `maxInFlight` at first, and then as many as have been confirmed, whenever that is a quarter of
/// `maxInFlight`.
///
/// **Completion:** ``finished()`` returns upstream's completion when everything is confirmed.
///
/// **Failure:** the first value that is not confirmed cancels upstream, and ``finished()`` throws its error when no
/// value is on its way any more. Values that were on their way together with that one may have been kept.
///
/// **Concurrency:** the first values are requested where the publisher subscribes, and later ones in a task of the
/// subscriber: if slow code makes the values, let it run elsewhere, with `subscribe(on:)` and `receive(on:)`.
public final class StreamSubscriber<Input, Failure: Error, WriteError: Error>: Subscriber, Cancellable, Sendable {
  private struct State {
    var upstream: (any Subscription)?
    var hasUpstream = false
    var counts = StreamCounts()
    /// The number of values that may be requested and have not been.
    var room: Int
    var isRequesting = false
    var completion: Subscribers.Completion<Failure>?
    var error: WriteError?
    var waiters: [UnsafeContinuation<Void, Never>] = []

    var isOver: Bool { completion != nil || error != nil }

    /// Takes the callers that wait for the end, if this is it.
    mutating func takeWaiters() -> [UnsafeContinuation<Void, Never>] {
      isOver && counts.inFlight == 0 ? exchange(&waiters, with: []) : []
    }

    /// Whether there is enough room to request more, and no thread does so already.
    mutating func beginRequesting(_ refill: Int) -> Bool {
      if isRequesting || isOver || room < refill { return false }
      isRequesting = true
      return true
    }
  }

  private let write: @Sendable (Input, @escaping @Sendable (Result<Bool, WriteError>) -> Void) -> Void
  private let cancellation: WriteError
  /// The room that is needed before more is requested: a call for each confirmation would cost more than the message.
  private let refill: Int
  private let state: Guarded<State>

  /// Creates a subscriber, for one publisher.
  ///
  /// **Traps:** less than one value on its way.
  ///
  /// - Parameters:
  ///   - maxInFlight: The greatest number of values that are on their way at a time.
  ///   - cancellation: The error of ``finished()`` after a cancel.
  ///   - write: A closure that begins to publish a value, and calls the other closure once, on any thread: with whether
  ///     the stream had the value before, by its id, or with the reason why it is not kept.
  public init(
    maxInFlight: Int = 256, cancellation: WriteError,
    write:
      @escaping @Sendable (
        _ value: Input, _ confirm: @escaping @Sendable (Result<Bool, WriteError>) -> Void
      ) -> Void
  ) {
    require(
      maxInFlight >= 1, of: "streamSubscriber(maxInFlight:)", rule: "one value on its way or more", given: maxInFlight)
    self.write = write
    self.cancellation = cancellation
    refill = max(1, maxInFlight / 4)
    state = Guarded(State(room: maxInFlight))
  }

  /// The counts of the values so far.
  public var counts: StreamCounts { state.withLock { $0.counts } }

  public func receive(subscription: any Subscription) {
    let isFirst = state.withLock { state in
      if state.hasUpstream || state.isOver { return false }
      state.hasUpstream = true
      state.upstream = subscription
      return true
    }
    if !isFirst { return subscription.cancel() }
    if state.withLock({ $0.beginRequesting(refill) }) { request() }
  }

  public func receive(_ input: Input) -> Subscribers.Demand {
    let isWanted = state.withLock { state in
      if state.isOver { return false }
      state.counts.received += 1
      state.counts.inFlight += 1
      return true
    }
    if isWanted { write(input) { self.settle($0) } }
    return .none
  }

  public func receive(completion: Subscribers.Completion<Failure>) {
    finish { if $0.completion == nil { $0.completion = completion } }
  }

  /// Cancels upstream; values that are on their way may still be kept.
  public func cancel() { fail(cancellation) { _ in } }

  /// Waits until upstream has ended and everything is confirmed.
  ///
  /// A cancel of the task cancels the subscriber.
  ///
  /// - Returns: The completion of upstream.
  /// - Throws: The error of the first value that was not confirmed, or that of a cancel.
  @discardableResult
  public func finished() async throws(WriteError) -> Subscribers.Completion<Failure> {
    await withTaskCancellationHandler {
      await state.suspend { state, waiter in
        if state.isOver, state.counts.inFlight == 0 { return () }
        state.waiters.append(waiter)
        return nil
      }
    } onCancel: {
      cancel()
    }
    let (completion, error) = state.withLock { ($0.completion, $0.error) }
    if let error { throw error }
    return completion ?? .finished
  }

  private func settle(_ result: Result<Bool, WriteError>) {
    switch result {
    case .success(let isDuplicate):
      let (waiters, starts) = state.withLock { state in
        state.counts.inFlight -= 1
        state.counts.confirmed += 1
        if isDuplicate { state.counts.duplicates += 1 }
        state.room += 1
        return (state.takeWaiters(), state.beginRequesting(refill))
      }
      for waiter in waiters { waiter.resume() }
      // The work that upstream then does must not keep the thread on which confirmations come.
      if starts { Task.detached { self.request() } }
    case .failure(let error):
      fail(error) { counts in
        counts.inFlight -= 1
        counts.failed += 1
      }
    }
  }

  private func fail(_ error: WriteError, _ count: (inout StreamCounts) -> Void) {
    let upstream = finish { state in
      // The end comes first: a waiting caller must not find the count at zero and no error.
      count(&state.counts)
      // A cancel after everything is confirmed changes nothing.
      let isOpen = state.completion == nil || state.counts.inFlight + state.counts.failed > 0
      if state.error == nil, isOpen { state.error = error }
    }
    upstream?.cancel()
  }

  @discardableResult
  private func finish(_ body: (inout State) -> Void) -> (any Subscription)? {
    let (upstream, waiters) = state.withLock { state in
      body(&state)
      return (state.upstream.take(), state.takeWaiters())
    }
    for waiter in waiters { waiter.resume() }
    return upstream
  }

  /// Requests as many values as have been confirmed meanwhile, as long as there are enough.
  private func request() {
    while true {
      let (upstream, room) = state.withLock { state -> ((any Subscription)?, Int) in
        let room = state.room < refill ? 0 : exchange(&state.room, with: 0)
        if room == 0 || state.isOver { state.isRequesting = false }
        return (state.isOver ? nil : state.upstream, room)
      }
      guard let upstream, room > 0 else { return }
      upstream.request(.max(room))
    }
  }
}
