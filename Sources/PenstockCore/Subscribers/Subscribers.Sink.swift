// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Attaches a subscriber with closures for the values and the completion.
  ///
  /// ```swift
  /// let cancellable = [1, 2].publisher.sink(
  ///   receiveCompletion: { print($0) },
  ///   receiveValue: { print($0) })
  /// // Prints "1", "2", "finished" on three lines.
  /// ```
  ///
  /// **Demand:** unlimited.
  ///
  /// **Completion:** passed to `receiveCompletion`. The closures are released.
  ///
  /// **Failure:** as for a completion.
  ///
  /// **Concurrency:** the closures run on the thread that delivers, one at a time.
  ///
  /// Use ``assign(to:on:)`` to set a property, and ``values-3airr`` to receive the values in a task.
  ///
  /// - Parameters:
  ///   - receiveCompletion: Called with the completion.
  ///   - receiveValue: Called with each value.
  /// - Returns: A cancellable; the subscription ends when it is cancelled or deallocated.
  @inlinable
  public func sink(
    receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
    receiveValue: @escaping (Output) -> Void
  ) -> AnyCancellable {
    guard isUnobserved else { return Tapped.sink(receiveCompletion, receiveValue, to: self) }
    let target = SinkTarget<Output, Failure>(receiveCompletion: receiveCompletion, receiveValue: receiveValue)
    return Self._offer == .nothing ? target._subscribe(to: self) : _fuse(into: target)
  }
}

extension Tapped {
  /// A `sink` that is shown to introspections.
  @usableFromInline @inline(never)
  internal static func sink(
    _ receiveCompletion: @escaping (Subscribers.Completion<Upstream.Failure>) -> Void,
    _ receiveValue: @escaping (Upstream.Output) -> Void,
    to upstream: Upstream
  ) -> AnyCancellable {
    let sink = Subscribers.Sink(SinkClosures(receiveCompletion, receiveValue), belongsToChain: true)
    upstream.subscribe(sink)
    return sink.makeCancellable()
  }
}

extension Publisher where Failure == Never {
  /// Attaches a subscriber with a closure for the values of a publisher that cannot fail.
  ///
  /// **Demand:** unlimited.
  ///
  /// **Completion:** releases the closure.
  ///
  /// **Failure:** none; the publisher cannot fail.
  ///
  /// **Concurrency:** the closure runs on the thread that delivers, one value at a time.
  ///
  /// Use ``sink(receiveCompletion:receiveValue:)`` for a publisher that can fail, ``assign(to:on:)`` to set a property,
  /// and ``values-1tsg8`` to receive the values in a task.
  ///
  /// - Parameter receiveValue: Called with each value.
  /// - Returns: A cancellable; the subscription ends when it is cancelled or deallocated.
  @inlinable
  public func sink(receiveValue: @escaping (Output) -> Void) -> AnyCancellable {
    sink(receiveCompletion: { _ in }, receiveValue: receiveValue)
  }
}

extension Subscribers {
  /// A subscriber that calls closures and requests unlimited values.
  ///
  /// **Demand:** `.unlimited`, when the subscription arrives.
  ///
  /// **Completion:** releases the closures and calls the one for the completion. Later events are ignored.
  ///
  /// **Concurrency:** ``cancel()`` may be called on any thread. A cancel before the subscription is remembered, and the
  /// subscription is cancelled when it arrives; Combine forgets it, and so loses the cancel of a `subscribe(on:)`.
  public final class Sink<Input, Failure: Error>: _CancellableObject, Subscriber {
    @usableFromInline internal let storage: SinkStorage<SinkClosures<Input, Failure>>
    /// The closures, if only the chain refers to the sink.
    ///
    /// A variable only because it needs an address.
    @exclusivity(unchecked) @usableFromInline internal var kept: SinkClosures<Input, Failure>?
    @exclusivity(unchecked) @usableFromInline internal var enrolment = Enrolment()

    /// Creates a subscriber from two closures.
    ///
    /// - Parameters:
    ///   - receiveCompletion: Called with the completion.
    ///   - receiveValue: Called with each value.
    @inlinable
    public convenience init(
      receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
      receiveValue: @escaping (Input) -> Void
    ) {
      self.init(SinkClosures(receiveCompletion, receiveValue), belongsToChain: false)
    }

    @_alwaysEmitIntoClient
    internal init(_ closures: SinkClosures<Input, Failure>, belongsToChain: Bool) {
      storage = SinkStorage(belongsToChain ? nil : LentTarget(closures))
      kept = belongsToChain ? closures : nil
      super.init()
      enrolment.begin(self)
    }

    deinit { enrolment.end() }

    /// The closure for values; after the end of the stream, a closure that does nothing.
    public var receiveValue: (Input) -> Void {
      storage.copy(or: kept)?.receiveValue ?? { _ in }
    }

    /// The closure for the completion; after the end of the stream, a closure that does nothing.
    public var receiveCompletion: (Subscribers.Completion<Failure>) -> Void {
      storage.copy(or: kept)?.receiveCompletion ?? { _ in }
    }

    @_alwaysEmitIntoClient @inline(never)
    public func receive(subscription: any Subscription) {
      if storage.handle.slot.attach(subscription) { subscription.request(.unlimited) }
    }

    @_alwaysEmitIntoClient
    public func receive(_ input: Input) -> Subscribers.Demand {
      if storage.phase != .terminal { storage.call(&kept) { $0.receive(input) } }
      return .none
    }

    @_alwaysEmitIntoClient @inline(never)
    public func receive(completion: Subscribers.Completion<Failure>) {
      // Released before it runs, unless the chain keeps them.
      let receiveCompletion = storage.finish(kept)?.receiveCompletion
      receiveCompletion?(completion)
    }

    /// Cancels the subscription: no delivery starts afterwards.
    public override func cancel() {
      storage.cancel()
    }

    /// A cancellable for this subscriber, unless the stream has ended already.
    ///
    /// A function of its own, which depends on the type of the values alone.
    @inlinable @inline(never)
    internal func makeCancellable() -> AnyCancellable {
      storage.makeCancellable(of: self)
    }
  }
}

/// The two closures of a sink.
@usableFromInline
internal struct SinkClosures<Input, Failure: Error> {
  @usableFromInline internal let receiveCompletion: (Subscribers.Completion<Failure>) -> Void
  @usableFromInline internal let receiveValue: (Input) -> Void

  @_alwaysEmitIntoClient
  internal init(
    _ receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
    _ receiveValue: @escaping (Input) -> Void
  ) {
    self.receiveCompletion = receiveCompletion
    self.receiveValue = receiveValue
  }

  /// Calls the closure for values: through a function, since a closure that is read from a copy would be counted.
  @_alwaysEmitIntoClient @inline(__always)
  internal func receive(_ input: Input) { receiveValue(input) }
}

extension Subscribers.Sink: EndSubscriber {}

extension Subscribers.Sink: InspectableEnd {
  package var linkNumber: UInt64 { enrolment.number }

  package func show(in link: inout LinkState) { link.take(end: "Sink", storage.handle.slot) }
}

extension Subscribers.Sink: CustomStringConvertible, CustomReflectable, CustomPlaygroundDisplayConvertible {
  /// `Sink`.
  public var description: String { "Sink" }

  /// A mirror without children.
  public var customMirror: Mirror { Mirror(self, children: [:], ancestorRepresentation: .suppressed) }

  /// `Sink`.
  public var playgroundDescription: Any { description }
}
