// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore
internal import Synchronization

/// The time for which something shared is kept without subscribers.
///
/// Each period has a number, which the owner raises when a subscriber arrives: so a timer that goes off although it has
/// been stopped does nothing. The number is also checked when a timer goes off: two threads may start their periods in
/// the wrong order, and then the timer is started again for the later one.
@usableFromInline
internal final class GracePeriod {
  /// Ends a period, and returns the number of the present period if it is a different one.
  @usableFromInline internal typealias Expire = (_ number: UInt) -> UInt?

  // Made where the scheduler's type is concrete.

  private let set: (UInt) -> Void
  private let unset: () -> Void
  private let setExpiry: (@escaping Expire) -> Void

  /// - Parameters:
  ///   - duration: The time for which something is kept; a negative one traps.
  ///   - scheduler: The scheduler that waits.
  ///   - name: The operator's name.
  @usableFromInline
  internal init<Context: Scheduler>(
    _ duration: Context.SchedulerTimeType.Stride, _ scheduler: Context, of name: String
  ) {
    require(duration >= .zero, of: name, rule: "a duration of zero or more", given: duration)
    let timer = GraceTimer(duration, scheduler)
    set = { timer.set($0) }
    unset = { timer.stop() }
    setExpiry = { timer.expire = $0 }
  }

  /// Sets what happens at the end of a period; called once, before the first.
  @usableFromInline
  internal func onExpiry(_ expire: @escaping Expire) { setExpiry(expire) }

  /// Begins a period.
  @usableFromInline
  internal func start(_ number: UInt) { set(number) }

  /// Stops the timer, so that the shared thing is kept.
  @usableFromInline
  internal func stop() { unset() }
}

// `@unchecked`: the timer has a lock, and the closure is set before another thread knows the object.
private final class GraceTimer<Context: Scheduler>: @unchecked Sendable {
  private let timer: RestartableTimer<UInt, Context>
  var expire: GracePeriod.Expire?

  init(_ duration: Context.SchedulerTimeType.Stride, _ scheduler: Context) {
    timer = RestartableTimer(duration, scheduler, options: nil)
  }

  func set(_ number: UInt) { timer.set(number) { alarm in { self.fire(alarm) } } }

  func stop() { timer.stop() }

  private func fire(_ alarm: UInt) {
    var number: UInt = 0
    let isDue = timer.fire(alarm, block: { alarm in { self.fire(alarm) } }) {
      number = $0
      return true
    }
    if isDue, let other = expire?(number) { set(other) }
  }
}
