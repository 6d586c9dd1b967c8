// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

/// The subscriber that sets a property of an object which it does not keep alive.
///
/// A type of its own, and no sink, so that the inspector can tell that the object has been freed.
@usableFromInline
internal final class WeakAssignment<Root: AnyObject, Input>: Subscriber, Cancellable {
  @usableFromInline internal typealias Failure = Never

  @usableFromInline internal weak var object: Root?
  @usableFromInline internal let write: KeyPathWriter<Root, Input>
  @usableFromInline internal let slot = SubscriptionSlot()
  @exclusivity(unchecked) @usableFromInline internal var enrolment = Enrolment()

  @inlinable
  internal init(_ write: consuming KeyPathWriter<Root, Input>, on object: Root) {
    (self.write, self.object) = (write, object)
    enrolment.begin(self)
  }

  deinit { enrolment.end() }

  @usableFromInline
  internal func receive(subscription: any Subscription) {
    if slot.attach(subscription) { subscription.request(.unlimited) }
  }

  @inlinable
  internal func receive(_ input: Input) -> Subscribers.Demand {
    if slot.phase == .active, let object { write(object, input) }
    return .none
  }

  @usableFromInline
  internal func receive(completion: Subscribers.Completion<Never>) { _ = slot.finish() }

  @usableFromInline
  internal func cancel() { slot.cancel(early: true) }
}

extension WeakAssignment: EndSubscriber {}

extension WeakAssignment: InspectableEnd {
  internal var linkNumber: UInt64 { enrolment.number }

  internal func show(in link: inout LinkState) {
    link.take(end: "Assign", slot)
    link.hasLostObject = object == nil
  }
}
