// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The subscription of a source that emits in a loop, for as long as there is demand.
///
/// A request that finds the ledger empty runs the loop, on the caller's thread. Requests from inside the loop, or from
/// another thread, only add to the ledger: the loop picks them up, so that it never nests and nothing overlaps.
///
/// The loop itself is behind a closure made where the types are known; see ``CoreSubscription``.
@usableFromInline
package class LoopSubscription: CoreSubscription {
  /// What the closure is told to do.
  @usableFromInline
  package enum Order: Sendable {
    /// Emit until demand or values run out.
    ///
    /// One call at a time.
    case run
    /// Free everything.
    ///
    /// Called once, when no loop is running and none will.
    case discard
  }

  @usableFromInline internal let ledger = DemandLedger()
  @usableFromInline internal let introduction = IntroductionHold()
  /// What other threads have asked for during the introduction.
  @usableFromInline internal let held = DemandLedger()
  @usableFromInline internal let work: (LoopSubscription, Order) -> Void
  /// Whether a delivery has ended when the subscriber below has returned.
  @usableFromInline internal let endsWithReturn: Bool

  /// What any thread may ask for.
  @usableFromInline
  internal struct Shared {
    /// What the texts are about, until the end.
    @usableFromInline internal var shown: Any?
    @usableFromInline internal var observer: (any IdleObserver)?

    @inlinable
    internal init(_ shown: Any?) { self.shown = shown }
  }

  @usableFromInline internal let shared: Guarded<Shared>
  @usableFromInline internal let nameAfterEnd: String
  @usableFromInline internal let mirrored: (_ shown: Any?) -> [(label: String?, value: Any)]

  /// - Parameters:
  ///   - shown: What `description` is taken from, if it describes itself.
  ///   - nameAfterEnd: The description otherwise, and once the stream has ended.
  ///   - mirrored: Makes the children of the mirror from what is shown, or from `nil` after the end.
  ///   - endsWithReturn: Whether a delivery has ended when the subscriber below has returned.
  ///   - work: The loop.
  @inlinable
  package init(
    shown: Any, nameAfterEnd: String, mirrored: @escaping (Any?) -> [(label: String?, value: Any)],
    endsWithReturn: Bool, work: @escaping (LoopSubscription, Order) -> Void
  ) {
    shared = Guarded(Shared(shown))
    self.nameAfterEnd = nameAfterEnd
    self.mirrored = mirrored
    self.endsWithReturn = endsWithReturn
    self.work = work
  }

  @usableFromInline
  package final override func request(_ demand: Subscribers.Demand) {
    guard demand != .none else { return }
    if introduction.isOpen {
      answer(demand)
    } else {
      held.add(demand)
      if !introduction.holdBack() { answer(held.withdrawAll()) }
    }
  }

  private func answer(_ demand: Subscribers.Demand) {
    // Somebody else may have taken what was held back.
    if demand != .none, ledger.add(demand) == .some(.none) { work(self, .run) }
  }

  /// Called when `receive(subscription:)` has returned: what other threads have asked for meanwhile is answered.
  @inlinable
  internal final func endIntroduction() {
    if !ledger.isClosed, introduction.end() { answerHeld() }
  }

  @usableFromInline
  internal final func answerHeld() { answer(held.withdrawAll()) }

  @usableFromInline
  package final override func cancel() {
    if case .idle = ledger.close() { end() }
  }

  @usableFromInline
  package final override func observeIdle(_ observer: any IdleObserver) -> Bool {
    endsWithReturn && shared.withLock { $0.observer.accept(observer, unless: ledger.isClosed) }
  }

  @usableFromInline
  package final override var deliversWhereAsked: Bool { true }

  /// Closes the stream and then delivers its completion, unless a cancel came first.
  ///
  /// Called instead of ``end()``, when the loop has no state left.
  @inlinable
  internal final func complete(_ deliver: () -> Void) {
    if case .already = ledger.close() { return end() }
    let observer = takeShared()
    deliver()
    observer?.deliveriesEnded()
  }

  /// Called when the loop has stopped for good: its state is freed, and whoever waits for that is told.
  @usableFromInline
  internal final func end() {
    let observer = takeShared()
    work(self, .discard)
    observer?.deliveriesEnded()
  }

  /// Frees what the texts are about.
  ///
  /// - Returns: Whom to tell that the loop has stopped for good.
  @usableFromInline
  internal final func takeShared() -> (any IdleObserver)? {
    var last = Shared(nil)
    shared.withLock { swap(&$0, &last) }
    return last.observer
  }

  private var shown: Any? { shared.withLock { $0.shown } }

  @usableFromInline
  package final override var description: String {
    (shown as? any CustomStringConvertible)?.description ?? nameAfterEnd
  }

  @usableFromInline
  package final override var mirrorChildren: [(label: String?, value: Any)] {
    mirrored(shown)
  }
}
