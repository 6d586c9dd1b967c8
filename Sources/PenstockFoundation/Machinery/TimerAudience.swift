// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import Foundation
internal import PenstockCore

/// The subscribers of a `Timer.TimerPublisher`.
internal final class TimerAudience {
  /// Those who listen, in the order they came, with gaps where some have left.
  ///
  /// Each knows its place, so that leaving costs the same whatever their number.
  private struct State {
    var members: [TimerSubscription?] = []
    var gaps = 0

    mutating func add(_ subscription: TimerSubscription) {
      subscription.place = members.count
      members.append(subscription)
    }

    /// Takes out a subscription, which is to be freed with the lock released.
    mutating func remove(_ subscription: TimerSubscription) -> TimerSubscription? {
      guard let place = subscription.place else { return nil }
      subscription.place = nil
      let removed = members[place].take()
      gaps += 1
      if gaps > members.count / 2 { closeGaps() }
      return removed
    }

    private mutating func closeGaps() {
      members = members.filter { $0 != nil }
      for (place, member) in members.enumerated() { member?.place = place }
      gaps = 0
    }

    mutating func removeAll() -> [TimerSubscription] {
      let all = members.compactMap(\.self)
      for member in all { member.place = nil }
      self = State()
      return all
    }
  }

  private let state = Guarded(State())

  /// How many places there are for subscribers.
  internal var places: Int { state.withLock { $0.members.count } }

  deinit {
    // Nothing can come any more: the subscribers are let go, which their own subscriptions would keep.
    for subscription in takeAll() { subscription.end() }
  }

  internal func attach(_ downstream: ErasedSubscriber) {
    let subscription = TimerSubscription(downstream, audience: self)
    state.withLock { $0.add(subscription) }
    subscription.introduce()
  }

  fileprivate func remove(_ subscription: TimerSubscription) {
    // Taken out rather than dropped, so that it is freed with the lock released.
    let removed = state.withLock { $0.remove(subscription) }
    withExtendedLifetime(removed) {}
  }

  /// Delivers a date to everybody who has asked for one.
  ///
  /// Only on the run loop's thread, so no two deliveries overlap.
  internal func tick(_ date: Date) {
    for subscription in state.withLock({ $0.members }) { subscription?.offer(date) }
  }

  /// Empties the list, for whoever lets them go.
  fileprivate func takeAll() -> [TimerSubscription] {
    state.withLock { $0.removeAll() }
  }
}

/// A running timer of a `Timer.TimerPublisher`.
internal final class TimerConnection: ForewarnedCancellable {
  private let timer: LoopTimer
  private let audience: TimerAudience
  /// Who is to be let go, if that has been decided.
  private let leaving = Guarded<[TimerSubscription]?>(nil)

  internal init(timer: LoopTimer, audience: TimerAudience) {
    self.timer = timer
    self.audience = audience
  }

  internal func forewarn() {
    let all = audience.takeAll()
    leaving.withLock { $0 = all }
  }

  internal func cancel() {
    guard timer.stop() else { return }
    for subscription in leaving.withLock({ $0.take() }) ?? audience.takeAll() { subscription.end() }
  }
}

/// One subscriber, and its subscription, which has no texts of its own in Combine.
internal final class TimerSubscription: Subscription {
  private struct State {
    var downstream: ErasedSubscriber?
    /// Whether `receive(subscription:)` has returned.
    ///
    /// A tick that comes earlier is dropped: it would overlap with that call.
    var isIntroduced = false
  }

  /// Where the audience keeps this subscription; guarded by its lock.
  fileprivate var place: Int?

  private let ledger = DemandLedger()
  private let state: Guarded<State>
  private weak let audience: TimerAudience?

  fileprivate init(_ downstream: ErasedSubscriber, audience: TimerAudience) {
    state = Guarded(State(downstream: downstream))
    self.audience = audience
  }

  fileprivate func introduce() {
    state.withLock { $0.downstream }?.receive(subscription: self)
    state.withLock { $0.isIntroduced = true }
  }

  fileprivate func offer(_ date: Date) {
    guard let downstream = state.withLock({ $0.isIntroduced ? $0.downstream : nil }), ledger.takeOne() else { return }
    let more = downstream.receive(date)
    if more != .none { ledger.add(more) }
  }

  internal func request(_ demand: Subscribers.Demand) {
    ledger.add(demand)
  }

  internal func cancel() {
    if end() { audience?.remove(self) }
  }

  /// Lets the subscriber go.
  ///
  /// - Returns: Whether it was there until now.
  @discardableResult
  fileprivate func end() -> Bool {
    if case .already = ledger.close() { return false }
    _ = state.withLock { $0.downstream.take() }
    return true
  }
}
