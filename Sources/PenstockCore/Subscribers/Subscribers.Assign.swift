// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher where Failure == Never {
  /// Assigns each value to a property of an object.
  ///
  /// ```swift
  /// final class Gauge {
  ///   var level = 0
  /// }
  /// let gauge = Gauge()
  /// let cancellable = [1, 2].publisher.assign(to: \.level, on: gauge)
  /// print(gauge.level)
  /// // Prints "2"
  /// ```
  ///
  /// The object is kept alive until the stream ends or is cancelled; downstream of a publisher of your own, until that
  /// drops its subscriber. An object that stores the cancellable of an assignment to itself is therefore a reference
  /// cycle.
  ///
  /// **Demand:** unlimited.
  ///
  /// **Completion:** releases the object.
  ///
  /// **Failure:** none; only a publisher that cannot fail can be assigned.
  ///
  /// **Concurrency:** the property is set on the thread that delivers the value, one value at a time.
  ///
  /// Use ``assign(to:)`` for a published property: it needs no cancellable, and does not keep the object alive.
  /// ``sink(receiveValue:)`` with a weak reference does not keep it alive, either.
  ///
  /// - Parameters:
  ///   - keyPath: The key path of the property to set.
  ///   - object: The object that has the property.
  /// - Returns: A cancellable; the subscription ends when it is cancelled or deallocated.
  @inlinable @inline(__always)
  public func assign<Root>(
    to keyPath: consuming ReferenceWritableKeyPath<Root, Output>, on object: Root
  ) -> AnyCancellable {
    let assign = Subscribers.Assign(object: object, write: KeyPathWriter(keyPath), belongsToChain: true)
    subscribe(assign)
    return assign.makeCancellable()
  }
}

extension Subscribers {
  /// A subscriber that assigns each value to a property of an object.
  ///
  /// **Demand:** `.unlimited`, when the subscription arrives. A value before that is ignored.
  ///
  /// **Completion:** releases the object. Later events are ignored.
  ///
  /// **Concurrency:** ``cancel()`` may be called on any thread. A cancel before the subscription is remembered, and the
  /// subscription is cancelled when it arrives; Combine forgets it, and so loses the cancel of a `subscribe(on:)`.
  public final class Assign<Root, Input>: _CancellableObject, Subscriber {
    public typealias Failure = Never

    @usableFromInline internal let storage: SinkStorage<Root>
    /// The object, if only the chain refers to the subscriber.
    ///
    /// A variable only because it needs an address.
    @exclusivity(unchecked) @usableFromInline internal var kept: Root?

    @usableFromInline internal let write: KeyPathWriter<Root, Input>
    @exclusivity(unchecked) @usableFromInline internal var enrolment = Enrolment()

    /// The key path of the property to set.
    public var keyPath: ReferenceWritableKeyPath<Root, Input> { write.keyPath }

    /// Creates a subscriber that assigns each value to a property of an object.
    ///
    /// - Parameters:
    ///   - object: The object that has the property.
    ///   - keyPath: The key path of the property to set.
    @inlinable @inline(__always)
    public convenience init(object: Root, keyPath: ReferenceWritableKeyPath<Root, Input>) {
      self.init(object: object, write: KeyPathWriter(keyPath), belongsToChain: false)
    }

    @_alwaysEmitIntoClient
    internal init(object: Root, write: KeyPathWriter<Root, Input>, belongsToChain: Bool) {
      self.write = write
      storage = SinkStorage(belongsToChain ? nil : LentTarget(object))
      kept = belongsToChain ? object : nil
      super.init()
      enrolment.begin(self)
    }

    deinit { enrolment.end() }

    /// The object that has the property; `nil` after the end of the stream.
    public var object: Root? {
      storage.copy(or: kept)
    }

    @_alwaysEmitIntoClient @inline(never)
    public func receive(subscription: any Subscription) {
      if storage.handle.slot.attach(subscription) { subscription.request(.unlimited) }
    }

    @_alwaysEmitIntoClient
    public func receive(_ input: Input) -> Subscribers.Demand {
      if storage.phase == .active { storage.call(&kept) { write($0, input) } }
      return .none
    }

    @_alwaysEmitIntoClient @inline(never)
    public func receive(completion: Subscribers.Completion<Never>) {
      if storage.phase == .active { _ = storage.finish(kept) }
    }

    /// Cancels the subscription and releases the object: no delivery starts afterwards.
    public override func cancel() {
      storage.cancel()
    }

    /// A cancellable for this subscriber, unless the stream has ended already.
    @inlinable @inline(never)
    internal func makeCancellable() -> AnyCancellable {
      storage.makeCancellable(of: self)
    }
  }
}

extension Subscribers.Assign: EndSubscriber {}

extension Subscribers.Assign: InspectableEnd {
  package var linkNumber: UInt64 { enrolment.number }

  package func show(in link: inout LinkState) { link.take(end: "Assign", storage.handle.slot) }
}

extension Subscribers.Assign: CustomStringConvertible, CustomReflectable, CustomPlaygroundDisplayConvertible {
  /// `Assign`, the type of the object, and a period.
  public var description: String { "Assign \(Root.self)." }

  /// A mirror of the object, the key path and the state of the subscription.
  public var customMirror: Mirror {
    Mirror(
      self, children: ["object": object as Any, "keyPath": keyPath, "status": storage.phase],
      ancestorRepresentation: .suppressed)
  }

  /// The same as ``description``.
  public var playgroundDescription: Any { description }
}
