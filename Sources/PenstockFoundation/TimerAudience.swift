// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import Foundation
internal import PenstockCore

/// The subscribers of a `Timer.TimerPublisher`.
internal final class TimerAudience {
  /// The members in their order, with gaps where some have been removed.
  ///
  /// Each one knows its index, so that removing one has constant cost.
  private struct State {
    var members: [TimerMember?] = []
    var gaps = 0

    mutating func add(_ member: TimerMember) {
      member.place = members.count
      members.append(member)
    }

    /// Removes a member and returns it, for the caller to release outside the lock.
    mutating func remove(_ member: TimerMember) -> TimerMember? {
      guard let place = member.place else { return nil }
      member.place = nil
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

    mutating func removeAll() -> [TimerMember] {
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
    // No further tick can come: this releases the subscribers, which their own subscriptions would otherwise keep
    // alive.
    for member in takeAll() { member.end() }
  }

  internal func attach(_ downstream: ErasedSubscriber) {
    let member = TimerMember(of: self)
    state.withLock { $0.add(member) }
    member.start(downstream)
  }

  fileprivate func remove(_ member: TimerMember) {
    // Returned, and not released under the lock.
    let removed = state.withLock { $0.remove(member) }
    withExtendedLifetime(removed) {}
  }

  /// Delivers a date to every subscriber with demand.
  ///
  /// Called only on the run loop's thread, so no two deliveries overlap.
  internal func tick(_ date: Date) {
    for member in state.withLock({ $0.members }) { member?.offer(date) }
  }

  /// Empties the list, and returns its members for the caller to end.
  fileprivate func takeAll() -> [TimerMember] {
    state.withLock { $0.removeAll() }
  }
}

/// A running timer of a `Timer.TimerPublisher`.
internal final class TimerConnection: ForewarnedCancellable {
  private let timer: LoopTimer
  private let audience: TimerAudience
  /// The members to end, as determined by ``forewarn()``.
  private let leaving = Guarded<[TimerMember]?>(nil)

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
    for member in leaving.withLock({ $0.take() }) ?? audience.takeAll() { member.end() }
  }
}

/// The timer's delivery to one subscriber.
internal final class TimerMember: SubscriptionSource {
  /// The index in the audience's list; guarded by the audience's lock.
  fileprivate var place: Int?

  private let ledger = DemandLedger()
  /// A tick that comes earlier is dropped: it would overlap with `receive(subscription:)`.
  private let introduction = IntroductionHold()
  /// `nil` before the subscription, and after the end.
  private let downstream = Guarded<ErasedSubscriber?>(nil)
  private let audience: WeakReference<TimerAudience>

  fileprivate init(of audience: TimerAudience) { self.audience = WeakReference(audience) }

  /// Delivers a subscription.
  fileprivate func start(_ downstream: ErasedSubscriber) {
    introduce(downstream, name: "Timer", acceptsNone: true)
    _ = introduction.end()
  }

  internal func keep(_ downstream: ErasedSubscriber, of subscription: SourceSubscription) {
    self.downstream.withLock { $0 = downstream }
  }

  internal func request(_ demand: Subscribers.Demand) { ledger.add(demand) }

  internal func cancel(_ subscription: SourceSubscription) {
    if end() { audience.object?.remove(self) }
  }

  internal func show(in link: inout LinkState) {
    link.downstream = downstream.withLock { $0 }
    link.take(ledger)
  }

  fileprivate func offer(_ date: Date) {
    guard introduction.isOver, let downstream = downstream.withLock({ $0 }), ledger.takeOne() else { return }
    let more = downstream.receive(date)
    if more != .none { ledger.add(more) }
  }

  /// Ends the stream, and releases the subscriber.
  ///
  /// - Returns: Whether it was active until now.
  @discardableResult
  fileprivate func end() -> Bool {
    if case .already = ledger.close() { return false }
    downstream.release { $0.take() }
    return true
  }
}
