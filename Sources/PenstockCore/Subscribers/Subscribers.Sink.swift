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
    guard isUnobserved else { return subscribeShown(receiveCompletion, receiveValue) }
    let target = SinkTarget<Output, Failure>(receiveCompletion: receiveCompletion, receiveValue: receiveValue)
    return Self._handsOver ? _fuse(into: target) : target._subscribe(to: self)
  }

  /// The same in the view of introspections.
  ///
  /// It is neither inlinable nor specialised, since it is rarely used.
  @usableFromInline
  internal func subscribeShown(
    _ receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
    _ receiveValue: @escaping (Output) -> Void
  ) -> AnyCancellable {
    let sink = Subscribers.Sink(receiveCompletion: receiveCompletion, receiveValue: receiveValue)
    subscribe(sink)
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

    /// Creates a subscriber from two closures.
    ///
    /// - Parameters:
    ///   - receiveCompletion: Called with the completion.
    ///   - receiveValue: Called with each value.
    @inlinable
    public init(
      receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
      receiveValue: @escaping (Input) -> Void
    ) {
      storage = SinkStorage(SinkClosures(receiveCompletion: receiveCompletion, receiveValue: receiveValue))
    }

    /// The closure for values; after the end of the stream, one that does nothing.
    public var receiveValue: (Input) -> Void {
      storage.target?.receiveValue ?? { _ in }
    }

    /// The closure for the completion; after the end of the stream, one that does nothing.
    public var receiveCompletion: (Subscribers.Completion<Failure>) -> Void {
      storage.target?.receiveCompletion ?? { _ in }
    }

    @inlinable @inline(never)
    public func receive(subscription: any Subscription) {
      storage.untyped.receive(subscription, for: self)
    }

    @inlinable
    public func receive(_ input: Input) -> Subscribers.Demand {
      storage.deliver { $0.receiveValue(input) }
      return .none
    }

    @inlinable @inline(never)
    public func receive(completion: Subscribers.Completion<Failure>) {
      // The closure for values is released before the one for the completion runs, unless a value is being delivered.
      let receiveCompletion = storage.close()?.receiveCompletion
      receiveCompletion?(completion)
    }

    /// Cancels the subscription: no delivery starts afterwards.
    public override func cancel() {
      storage.untyped.cancel()
    }

    /// A cancellable for this subscriber, unless the stream has ended already.
    ///
    /// A function of its own, which depends on the type of the values alone.
    @inlinable @inline(never)
    internal func makeCancellable() -> AnyCancellable {
      AnyCancellable(target: storage.untyped.access == .closed ? nil : self)
    }
  }
}

/// The two closures of a sink, in an object of their own, so that a delivery can use them while the sink releases them.
@usableFromInline
internal final class SinkClosures<Input, Failure: Error> {
  @usableFromInline internal let receiveCompletion: (Subscribers.Completion<Failure>) -> Void
  @usableFromInline internal let receiveValue: (Input) -> Void

  @inlinable
  internal init(
    receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
    receiveValue: @escaping (Input) -> Void
  ) {
    self.receiveCompletion = receiveCompletion
    self.receiveValue = receiveValue
  }
}

extension Subscribers.Sink: SynchronousSink {
  @usableFromInline
  package func deliveriesEnded() {
    storage.untyped.deliveriesEnded()
  }
}

extension Subscribers.Sink: CustomStringConvertible, CustomReflectable, CustomPlaygroundDisplayConvertible {
  /// `Sink`.
  public var description: String { "Sink" }

  /// A mirror without children.
  public var customMirror: Mirror { Mirror(self, children: [:], ancestorRepresentation: .suppressed) }

  /// `Sink`.
  public var playgroundDescription: Any { description }
}
