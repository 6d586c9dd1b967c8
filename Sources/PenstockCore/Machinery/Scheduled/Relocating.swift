// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// How an operator of the relocating shape schedules its blocks.
@usableFromInline
package protocol RelocatingRoute {
  /// The text that `print()` prints for the operator.
  static var name: String { get }

  /// Whether a delivery may be scheduled later than its event arrives, because its date does not matter.
  static var mayPutOff: Bool { get }

  /// Schedules the delivery of an event that has just arrived.
  func schedule(_ block: @escaping () -> Void)

  /// Schedules a delivery that is due already.
  func scheduleDue(_ block: @escaping () -> Void)
}

/// The shape of operators that deliver every event on a scheduler, in one block each.
@usableFromInline
package final class Relocating<Route: RelocatingRoute, Downstream: Subscriber>: ScheduledSubscription, Subscriber,
  TimedOperator
{
  @usableFromInline package typealias Input = Downstream.Input
  @usableFromInline package typealias Failure = Downstream.Failure

  @usableFromInline internal let route: Route
  @usableFromInline internal let downstream: Downstream
  @usableFromInline package let line = EventQueue<Downstream.Input, Downstream.Failure>()

  @inlinable
  package init(_ route: Route, to downstream: Downstream) {
    self.route = route
    self.downstream = downstream
    super.init(
      name: Route.name, downstreamIsSynchronous: downstream.isSynchronous,
      work: TypedWork(
        request: { unsafeDowncast($0, to: Relocating.self).inlet.slot.request($1) },
        cancel: { unsafeDowncast($0, to: Relocating.self).inlet.slot.cancel() },
        discard: { unsafeDowncast($0, to: Relocating.self).line.removeAll() }))
  }

  @inlinable
  package func receive(subscription: any Subscription) {
    if inlet.slot.attach(subscription) { introduce(to: downstream) }
  }

  @inlinable
  package func receive(_ input: Downstream.Input) -> Subscribers.Demand {
    if inlet.slot.phase == .active, append(input) { scheduleNext() }
    return .none
  }

  @inlinable
  package func receive(completion: Subscribers.Completion<Downstream.Failure>) {
    if inlet.slot.finish(), append(completion) { scheduleNext() }
  }

  @inlinable
  internal func scheduleNext() {
    if Route.mayPutOff, putsOff() { return }
    route.schedule { self.takeTurn() }
  }

  @inlinable
  package func deliver(_ element: Downstream.Input) -> Subscribers.Demand {
    downstream.receive(element)
  }

  @inlinable
  package func finish(_ completion: Subscribers.Completion<Downstream.Failure>) {
    downstream.receive(completion: completion)
  }

  @inlinable
  package func schedule(_ block: @escaping () -> Void) {
    route.scheduleDue(block)
  }
}

extension Relocating: SynchronousOperator {}
