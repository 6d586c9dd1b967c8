// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher where Failure == Never {
  /// Assigns each value to a published property, as long as the property lives.
  ///
  /// ```swift
  /// final class Gauge {
  ///   @Published var level = 0
  /// }
  /// let gauge = Gauge()
  /// [1, 2].publisher.assign(to: &gauge.$level)
  /// print(gauge.level)
  /// // Prints "2"
  /// ```
  ///
  /// There is no cancellable to keep: the subscription belongs to the property, is cancelled when the property is
  /// deallocated, and does not keep it alive. Several publishers may be assigned to one property; all of them set it.
  ///
  /// **Demand:** unlimited.
  ///
  /// **Completion:** ignored; the property keeps its value.
  ///
  /// **Failure:** none; only a publisher that cannot fail can be assigned.
  ///
  /// **Concurrency:** the property is set on the thread that delivers the value.
  ///
  /// Use ``assign(to:on:)`` for a property that is not published, and ``sink(receiveValue:)`` to run a closure.
  ///
  /// - Parameter published: The property to set, as in `&$property`.
  @inlinable
  public func assign(to published: inout Published<Output>.Publisher) {
    subscribe(PublishedSubscriber(published.storage))
  }
}

/// The subscriber that sets a published property; it does not keep the property alive.
@usableFromInline
internal final class PublishedSubscriber<Value>: Subscriber, Subscription {
  @usableFromInline internal let target: WeakReference<PublishedStorage<Value>>
  @usableFromInline internal let slot = SubscriptionSlot()
  @exclusivity(unchecked) @usableFromInline internal var enrolment = Enrolment()

  @_alwaysEmitIntoClient
  internal init(_ target: PublishedStorage<Value>) {
    self.target = WeakReference(target)
    enrolment.begin(self)
  }

  deinit { enrolment.end() }

  @usableFromInline
  internal func receive(subscription: any Subscription) {
    guard slot.attach(subscription) else { return }
    // The property has been freed, so no other code would cancel the subscription.
    guard let target = target.object else { return cancel() }
    target.add(member: self)
    // The subscription may have ended while it was being added.
    if slot.phase == .terminal { target.remove(member: self) }
  }

  @_alwaysEmitIntoClient
  internal func receive(_ input: Value) -> Subscribers.Demand {
    if slot.phase == .active { target.object?.set(input) }
    return .none
  }

  @usableFromInline
  internal func receive(completion: Subscribers.Completion<Never>) {
    if slot.finish() { target.object?.remove(member: self) }
  }

  @usableFromInline
  internal func request(_ demand: Subscribers.Demand) {
    slot.request(demand)
  }

  @usableFromInline
  internal func cancel() {
    if slot.cancel(early: true) { target.object?.remove(member: self) }
  }
}

extension PublishedSubscriber: InspectableEnd {
  internal var linkNumber: UInt64 { enrolment.number }

  internal func show(in link: inout LinkState) { link.take(end: "Published", slot) }
}
