// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import Foundation
internal import PenstockCore

/// The subscribers of a `Timer.TimerPublisher`.
internal final class TimerAudience {
  /// The subscriptions in their order, with gaps where some have been removed.
  ///
  /// Each one knows its index, so that removing one has constant cost.
  private struct State {
    var members: [TimerSubscription?] = []
    var gaps = 0

    mutating func add(_ subscription: TimerSubscription) {
      subscription.place = members.count
      members.append(subscription)
    }

    /// Removes a subscription and returns it, for the caller to release outside the lock.
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

  /// The number of elements in the list, gaps included.
  internal var places: Int { state.withLock { $0.members.count } }

  deinit {
    // No tick can come any more: this releases the subscribers, which their own subscriptions would keep alive.
    for subscription in takeAll() { subscription.end() }
  }

  internal func attach(_ downstream: ErasedSubscriber) {
    let subscription = TimerSubscription(downstream, audience: self)
    state.withLock { $0.add(subscription) }
    subscription.introduce()
  }

  fileprivate func remove(_ subscription: TimerSubscription) {
    // Returned rather than released under the lock.
    let removed = state.withLock { $0.remove(subscription) }
    withExtendedLifetime(removed) {}
  }

  /// Delivers a date to every subscriber with demand.
  ///
  /// Called only on the run loop's thread, so no two deliveries overlap.
  internal func tick(_ date: Date) {
    for subscription in state.withLock({ $0.members }) { subscription?.offer(date) }
  }

  /// Empties the list, and returns its subscriptions for the caller to end.
  fileprivate func takeAll() -> [TimerSubscription] {
    state.withLock { $0.removeAll() }
  }
}

/// A running timer of a `Timer.TimerPublisher`.
internal final class TimerConnection: ForewarnedCancellable {
  private let timer: LoopTimer
  private let audience: TimerAudience
  /// The subscriptions to end, as determined by ``forewarn()``.
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

/// The subscription of one subscriber; as in Combine, it has no description of its own.
internal final class TimerSubscription: Subscription {
  /// The index in the audience's list; guarded by the audience's lock.
  fileprivate var place: Int?

  private let ledger = DemandLedger()
  /// A tick that comes earlier is dropped: it would overlap with `receive(subscription:)`.
  private let introduction = IntroductionHold()
  private let downstream: Guarded<ErasedSubscriber?>
  private let audience: WeakReference<TimerAudience>

  fileprivate init(_ downstream: ErasedSubscriber, audience: TimerAudience) {
    self.downstream = Guarded(downstream)
    self.audience = WeakReference(audience)
  }

  fileprivate func introduce() {
    downstream.withLock { $0 }?.receive(subscription: self)
    _ = introduction.end()
  }

  fileprivate func offer(_ date: Date) {
    guard introduction.isOver, let downstream = downstream.withLock({ $0 }), ledger.takeOne() else { return }
    let more = downstream.receive(date)
    if more != .none { ledger.add(more) }
  }

  internal func request(_ demand: Subscribers.Demand) {
    ledger.add(demand)
  }

  internal func cancel() {
    if end() { audience.object?.remove(self) }
  }

  /// Ends the subscription, and releases the subscriber.
  ///
  /// - Returns: Whether it was active until now.
  @discardableResult
  fileprivate func end() -> Bool {
    if case .already = ledger.close() { return false }
    downstream.release { $0.take() }
    return true
  }
}
