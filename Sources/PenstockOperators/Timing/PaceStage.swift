// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

/// The stage of `pace` in which each value costs one token: upstream is asked for as many values as there are tokens.
///
/// A value takes its token when it arrives, and not when it is requested: so a bucket that is full while upstream is
/// silent does not fill again on top of the outstanding requests. There are never more outstanding values than tokens.
@usableFromInline
internal final class PaceStage<Context: Scheduler>: RationingStage {
  @usableFromInline internal typealias Time = Context.SchedulerTimeType

  @usableFromInline
  internal struct State {
    @usableFromInline internal var bucket: TokenBucket<Time>
    /// How many values have taken their tokens.
    @usableFromInline internal var seen: UInt = 0
    /// The date of the timer, if it is set.
    @usableFromInline internal var alarm: Time?
    /// Whether the timer has gone off, and the bucket has not been checked since.
    @usableFromInline internal var isDue = false
    /// Whether a thread is setting the timer, and will check afterwards whether it has fired.
    @usableFromInline internal var isSetting = false
    @usableFromInline internal var hasFired = false

    @inlinable
    internal init(_ bucket: TokenBucket<Time>) { self.bucket = bucket }
  }

  @usableFromInline internal let timer: RestartableTimer<Void, Context>
  @usableFromInline internal let state: Guarded<State>

  @inlinable
  internal init(_ bucket: TokenBucket<Time>, timer: consuming RestartableTimer<Void, Context>) {
    self.timer = timer
    state = Guarded(State(bucket))
  }

  @inlinable
  internal static var name: String { "Pace" }

  @inlinable
  internal func end() { timer.cancel() }

  @inlinable @inline(never)
  internal func ration(at link: RationedSubscription) -> Subscribers.Demand {
    ration(at: link, knowing: nil)
  }

  /// Takes the tokens of the values that have arrived, grants as many values as there are tokens, and sets the timer to
  /// the next token.
  ///
  /// In a loop, since a scheduler may fire while the timer is being set.
  @inlinable
  internal func ration(at link: RationedSubscription, knowing fired: Time?) -> Subscribers.Demand {
    var fired = fired
    var granted = Subscribers.Demand.none
    while true {
      let clock = timer.scheduler.now
      let (count, alarm) = state.withLock { decide(&$0, at: link, clock, knowing: fired) }
      if count > 0 { granted += .max(count) }
      guard let alarm else { return granted }
      timer.set((), at: alarm) { number in { self.fire(number, at: link) } }
      let hasFired = state.withLock { state in
        state.isSetting = false
        return exchange(&state.hasFired, with: false)
      }
      if !hasFired { return granted }
      fired = alarm
    }
  }

  /// Called under the lock.
  ///
  /// - Returns: How many values are granted, and the date to which the timer has to be set.
  @inlinable
  internal func decide(
    _ state: inout State, at link: RationedSubscription, _ clock: Time, knowing fired: Time?
  ) -> (Int, Time?) {
    // Tokens that have flowed are added first: the bucket was not full until now if its tokens are only taken late.
    let isAwaited = exchange(&state.isDue, with: false) || state.alarm != nil
    state.bucket.refill(at: clock, knowing: fired, isAwaited: isAwaited)
    let arrivals = link.arrivals
    let outstanding = link.countOutstanding(at: arrivals)
    state.bucket.take(Int(bitPattern: arrivals &- state.seen))
    state.seen = arrivals
    let spare = state.bucket.tokens - outstanding
    let count = spare > 0 ? link.grant(upTo: spare) : 0
    var alarm: Time?
    // The number granted is never more than the bucket holds, which may be any number.
    let granted = outstanding + count
    if state.alarm == nil, !state.bucket.isFull, granted < state.bucket.ceiling, link.wanted.balance != .none {
      alarm = state.bucket.date(of: granted + 1)
      state.alarm = alarm
      state.isSetting = true
    }
    // The clock is not read while the timer is set, since the timer goes off when the next token has flowed. Without a
    // timer the next value has to start the clock.
    if state.alarm == nil { link.markNextValue() } else { link.markValues(leaving: 0) }
    return (count, alarm)
  }

  /// Called by the timer.
  @inlinable
  internal func fire(_ number: UInt, at link: RationedSubscription) {
    guard timer.fire(number, block: { number in { self.fire(number, at: link) } }, { true }) else { return }
    let date = state.withLock { state -> Time? in
      let date = exchange(&state.alarm, with: nil)
      state.isDue = true
      if state.isSetting { state.hasFired = true }
      return state.isSetting ? nil : date
    }
    guard let date else { return }
    link.ask(for: ration(at: link, knowing: date))
  }
}
