// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import Synchronization

/// The untyped half of a ``ScheduledSubscriber``.
///
/// Requests do not enter the loop, since they only count demand or are forwarded upstream.
@usableFromInline
package class ScheduledSubscription: SerialSubscription {
  @usableFromInline package final let inlet = Inlet()
  /// Downstream's demand, for operators that count it.
  @usableFromInline package final let demand = DemandLedger()
  @usableFromInline internal final let remembersEarlyCancel: Bool

  /// The introduction's state: twice the number of turns that were missed during it, plus one as soon as it is over.
  ///
  /// While `receive(subscription:)` runs, blocks on other threads cannot deliver, and the introducing thread must not
  /// deliver in their place, because it is not one of the scheduler's. So missed turns are scheduled again.
  @usableFromInline internal final let introduction = AtomicCell<UInt>(0)

  /// Whether downstream's `receive(subscription:)` has been called, so that other deliveries may follow.
  ///
  /// Accessed only by the owner of the loop.
  @exclusivity(unchecked) @usableFromInline internal final var isIntroduced = false

  /// - Parameters:
  ///   - name: The text that `print()` prints.
  ///   - remembersEarlyCancel: Whether a cancel before the subscription is remembered.
  ///   - work: The work that depends on types; its `add` is called on the requesting thread.
  @_alwaysEmitIntoClient
  package init(
    name: String, remembersEarlyCancel: Bool = false, work: TypedWork, downstream: __owned SubscriberCalls
  ) {
    self.remembersEarlyCancel = remembersEarlyCancel
    super.init(name: name, acceptsZeroDemand: true, work: work, downstream: downstream)
  }

  @usableFromInline
  package final override func request(_ demand: Subscribers.Demand) {
    if inlet.slot.phase != .awaiting, !isClosed { work.perform(self, .add(demand)) }
  }

  @usableFromInline
  package final override func cancel() {
    if remembersEarlyCancel || inlet.slot.phase != .awaiting { super.cancel() }
  }

  package override func show(in link: inout LinkState) {
    super.show(in: &link)
    if isClosed { return }
    if inlet.slot.phase == .awaiting { link.phase = .awaiting }
    link.add(inlet.slot.base)
  }

  @usableFromInline
  package final override var exceedsDemand: Bool { inlet.slot.exceedsDemand }

  /// Records turns that cannot be taken now.
  ///
  /// - Returns: Whether they will be scheduled again; if not, the introduction is over.
  @usableFromInline
  internal final func miss(_ count: Int) -> Bool {
    guard introduction.load(ordering: .relaxed) & 1 == 0 else { return false }
    return introduction.wrappingAdd(2 * UInt(count), ordering: .relaxed).oldValue & 1 == 0
  }

  /// Postpones turns until the introduction is over, if others have been missed already.
  ///
  /// Their block would run in vain, as those did, and would wake a thread of the scheduler's.
  @_alwaysEmitIntoClient
  internal final func postpones(turns count: Int) -> Bool {
    introduction.load(ordering: .relaxed) > 1 && miss(count)
  }

  /// Called when the introduction is over and the loop has been left.
  ///
  /// - Returns: The number of missed turns.
  @usableFromInline
  internal final func endIntroduction() -> Int {
    Int(introduction.bitwiseOr(1, ordering: .relaxed).oldValue >> 1)
  }
}
