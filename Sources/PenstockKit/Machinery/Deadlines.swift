// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

/// The deadlines of one subscription's stage, as a publisher of those that have come.
///
/// Its one subscriber is the signals' side of the operator, which cancels it when the stream is over: the alarm ends then, and
/// the subscriber is released.
@usableFromInline
internal final class Deadlines<Context: Scheduler>: Publisher {
  @usableFromInline internal typealias Output = Context.SchedulerTimeType
  @usableFromInline internal typealias Failure = Never

  /// A deadline, and what to do when it has come.
  @usableFromInline internal let timer: RestartableTimer<Output, Context>
  @usableFromInline internal let downstream = Guarded<((Output) -> Void)?>(nil)
  @usableFromInline internal let first: Output?

  /// - Parameter first: The deadline with which the stream begins.
  @inlinable
  internal init(_ scheduler: Context, first: Output?) {
    self.first = first
    // The interval counts only for alarms that repeat, and one that has gone off is cancelled.
    timer = RestartableTimer(.seconds(1), scheduler, options: nil)
  }

  @_alwaysEmitIntoClient
  internal func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Never {
    downstream.withLock { $0 = { _ = subscriber.receive($0) } }
    subscriber.receive(subscription: DeadlineSubscription { self.cancel() })
    // Afterwards, since a scheduler may run an action at once.
    if let first { set(first) }
  }

  /// Sets the deadline, in place of the one before; `nil` ends that.
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
    if hasFired, let due { downstream.withLock { $0 }?(due) }
  }

  @inlinable
  internal func cancel() {
    timer.cancel()
    // Released outside the lock.
    let last = downstream.withLock { $0.take() }
    withExtendedLifetime(last) {}
  }
}

/// The subscription of the signals' side, which asks for everything at once.
@usableFromInline
internal final class DeadlineSubscription: Subscription {
  private let end: () -> Void

  @usableFromInline
  internal init(_ end: @escaping () -> Void) { self.end = end }

  @usableFromInline
  internal func request(_ demand: Subscribers.Demand) {}

  @usableFromInline
  internal func cancel() { end() }
}

extension DeadlineSubscription: CustomStringConvertible {
  @usableFromInline
  internal var description: String { "Deadlines" }
}
