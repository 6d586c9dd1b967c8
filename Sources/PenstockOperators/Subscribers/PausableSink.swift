// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension Publisher {
  /// Attaches a subscriber that requests one value at a time, and pauses when a closure returns `false`.
  ///
  /// ![One value at a time is requested, and none while the sink is paused. What was requested before still
  /// comes.](pausable-sink)
  ///
  /// ```swift
  /// let sink = [1, 2, 3].publisher.pausableSink(
  ///   receiveCompletion: { print($0) },
  ///   receiveValue: { value in
  ///     print(value)
  ///     return value % 2 == 0
  ///   })
  /// print("paused:", sink.paused)
  /// sink.resume()
  /// // Prints "1", "paused: true", "2", "3", "finished" on five lines.
  /// ```
  ///
  /// As with every subscriber of your own, deallocating the result does not cancel the subscription. Store it with
  /// `store(in:)` to cancel it when the store is deallocated.
  ///
  /// **Demand:** one value at a time, and none while it is paused.
  ///
  /// **Completion:** releases the closures and calls the one for the completion, whether it is paused or not.
  ///
  /// **Failure:** as for a completion.
  ///
  /// **Concurrency:** the closures run on the thread that delivers, one at a time; if upstream delivers during the
  /// request, that is the thread that resumes. Any thread may pause, resume and cancel. A pause or resume during
  /// `receiveValue`, on any thread, takes effect when the closure has returned, and before its result.
  ///
  /// Use `sink(receiveCompletion:receiveValue:)` to receive values without a pause, and
  /// `buffer(size:prefetch:whenFull:)` before this operator for a source that does not wait for demand.
  ///
  /// - Parameters:
  ///   - receiveCompletion: Called with the completion.
  ///   - receiveValue: Called with each value. `false` pauses.
  /// - Returns: A subscriber to pause, resume and cancel.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public func pausableSink(
    receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
    receiveValue: @escaping (Output) -> Bool
  ) -> any Pausable & Cancellable {
    let sink = Subscribers.PausableSink(receiveCompletion: receiveCompletion, receiveValue: receiveValue)
    subscribe(sink)
    return sink
  }
}

extension Subscribers {
  /// A subscriber that requests one value at a time, and can be paused; see
  /// `pausableSink(receiveCompletion:receiveValue:)`.
  ///
  /// **Demand:** `.max(1)` when the subscription arrives, and after each value.
  ///
  /// **Concurrency:** any thread may pause, resume and cancel. Values that were not requested are ignored. A value that
  /// was requested before ``pause()`` is still delivered when it arrives.
  public final class PausableSink<Input, Failure: Error>: Subscriber, Pausable, Cancellable {
    @usableFromInline internal let slot = SubscriptionSlot()
    @usableFromInline internal let pauses = PauseSwitch()
    @exclusivity(unchecked) @usableFromInline internal var enrolment = Enrolment()
    /// Released at the end, when no value is being processed; read only while a value is being processed, or before the
    /// end.
    @exclusivity(unchecked) @usableFromInline internal var closures: PausableSinkClosures<Input, Failure>?

    /// Creates a subscriber from two closures.
    ///
    /// - Parameters:
    ///   - receiveCompletion: Called with the completion.
    ///   - receiveValue: Called with each value. `false` pauses.
    @_alwaysEmitIntoClient
    public init(
      receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
      receiveValue: @escaping (Input) -> Bool
    ) {
      closures = PausableSinkClosures(receiveCompletion: receiveCompletion, receiveValue: receiveValue)
      enrolment.begin(self)
    }

    deinit { enrolment.end() }

    /// Whether the subscriber requests no value until ``resume()``.
    ///
    /// After the end it is `false`.
    @_alwaysEmitIntoClient
    public var paused: Bool { pauses.isPaused }

    /// Requests one more value, if it is paused.
    ///
    /// After the end it has no effect. During `receiveValue` it takes effect when the closure has returned.
    @_alwaysEmitIntoClient
    public func resume() {
      if pauses.resume() { slot.request(.max(1)) }
    }

    /// Stops requesting values.
    ///
    /// A value that has been requested before is still delivered.
    @_alwaysEmitIntoClient
    public func pause() {
      pauses.pause()
    }

    @inlinable
    public func receive(subscription: any Subscription) {
      guard slot.attach(subscription) else { return }
      if pauses.subscribe() { subscription.request(.max(1)) }
    }

    @inlinable
    public func receive(_ input: Input) -> Subscribers.Demand {
      guard pauses.begin() else { return .none }
      let closures = _withUnprotectedUnsafeMutablePointer(to: &closures) {
        // The first bytes of an optional that is not `nil` are the value.
        alias(PausableSinkClosures<Input, Failure>.self, at: $0)
      }
      let (requests, hasEnded) = pauses.end(goesOn: closures.receive(input))
      forget(closures)
      if hasEnded { self.closures = nil }
      return requests ? .max(1) : .none
    }

    @inlinable
    public func receive(completion: Subscribers.Completion<Failure>) {
      let (ended, subscription) = slot.end(early: true)
      withExtendedLifetime(subscription) {}
      guard ended else { return }
      let receiveCompletion = closures?.receiveCompletion
      // Both closures are released before the completion's runs, unless a value is being processed.
      if pauses.close() { closures = nil }
      receiveCompletion?(completion)
    }

    /// Cancels the subscription: no delivery starts afterwards.
    @_alwaysEmitIntoClient
    public func cancel() {
      let (ended, subscription) = slot.end(early: true)
      if ended, pauses.close() { closures = nil }
      subscription?.cancel()
    }
  }
}

/// The two closures of a sink that can be paused.
@usableFromInline
internal struct PausableSinkClosures<Input, Failure: Error> {
  @usableFromInline internal let receiveCompletion: (Subscribers.Completion<Failure>) -> Void
  @usableFromInline internal let receiveValue: (Input) -> Bool

  @inlinable
  internal init(
    receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
    receiveValue: @escaping (Input) -> Bool
  ) {
    self.receiveCompletion = receiveCompletion
    self.receiveValue = receiveValue
  }

  /// Calls the closure for values: through a function, since a closure that is read from a copy would be retained.
  @inlinable @inline(__always)
  internal func receive(_ input: Input) -> Bool { receiveValue(input) }
}

extension Subscribers.PausableSink: EndSubscriber {}

extension Subscribers.PausableSink: InspectableEnd {
  package var linkNumber: UInt64 { enrolment.number }

  package func show(in link: inout LinkState) {
    link.take(end: "PausableSink", slot)
    link.isAsking = !paused
  }
}

extension Subscribers.PausableSink: CustomStringConvertible, CustomReflectable, CustomPlaygroundDisplayConvertible {
  /// `PausableSink`.
  public var description: String { "PausableSink" }

  /// A mirror with one child: whether it is paused.
  public var customMirror: Mirror { Mirror(self, children: ["paused": paused]) }

  /// `PausableSink`.
  public var playgroundDescription: Any { description }
}
