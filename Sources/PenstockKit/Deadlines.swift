// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

/// The deadlines of one subscription's stage, as a publisher of those that have come.
///
/// Its one subscriber is the signals' side of the operator, which cancels it when the stream is over: the alarm ends then, and
/// the subscriber is released.
@usableFromInline
internal final class Deadlines<Context: Scheduler>: Publisher, SubscriptionSource {
  @usableFromInline internal typealias Output = Context.SchedulerTimeType
  @usableFromInline internal typealias Failure = Never

  /// A deadline, and what to do when it has come.
  @usableFromInline internal let timer: RestartableTimer<Output, Context>
  @usableFromInline internal let downstream = Guarded<ErasedSubscriber?>(nil)
  @usableFromInline internal let first: Output?

  /// - Parameter first: The deadline with which the stream begins.
  @inlinable
  internal init(_ scheduler: Context, first: Output?) {
    self.first = first
    timer = RestartableTimer(scheduler, options: nil)
  }

  @_alwaysEmitIntoClient
  internal func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Never {
    introduce(subscriber.erased(), name: "Deadlines")
    // Afterwards, since a scheduler may run an action at once.
    if let first { set(first) }
  }

  @usableFromInline
  internal func keep(_ downstream: ErasedSubscriber, of subscription: SourceSubscription) {
    self.downstream.withLock { $0 = downstream }
  }

  /// The signals' side asks for everything at once.
  @inlinable
  internal func request(_ demand: Subscribers.Demand) {}

  @usableFromInline
  internal func show(in link: inout LinkState) {
    link.downstream = downstream.withLock { $0 }
    link.demand = .unlimited
  }

  /// Sets the deadline, which replaces the previous one; `nil` ends that one.
  @inlinable
  internal func set(_ deadline: Output?) {
    guard let deadline else { return withExtendedLifetime(timer.stop()) {} }
    timer.set(deadline, at: deadline) { number in { self.fire(number) } }
  }

  @inlinable
  internal func fire(_ number: UInt) {
    var due: Output?
    let hasFired = timer.fire(number, block: { number in { self.fire(number) } }) {
      due = $0
      return true
    }
    if hasFired, let due, let downstream = downstream.withLock({ $0 }) { _ = downstream.receive(due) }
  }

  @inlinable
  internal func cancel(_ subscription: SourceSubscription) {
    timer.cancel()
    // Released outside the lock.
    let last = downstream.withLock { $0.take() }
    withExtendedLifetime(last) {}
  }
}
