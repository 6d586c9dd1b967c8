// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The subscription of a source that emits in a loop while there is demand.
///
/// A request that finds no outstanding demand runs the loop, on the requesting thread. Other requests, from the loop
/// itself or from another thread, only add demand, and the running loop serves it. So the loop never nests, and
/// deliveries never overlap.
///
/// The loop itself is a closure that is made where the types are concrete; see ``BaseSubscription``.
@usableFromInline
package final class LoopSubscription: BaseSubscription {
  /// The argument of the closure: the work to do.
  @usableFromInline
  package enum Order {
    /// Emit until demand or values run out.
    ///
    /// At most one such call runs at a time.
    case run
    /// Free the loop's state.
    ///
    /// Called once, when no loop is running and none will start.
    case discard
    /// Describe the links that the type of the loop's subscriber names; on any thread, and so without reading the loop.
    case tell(UnsafeMutablePointer<PassedLinks>)
  }

  /// The ``SourceLoop`` while it is not running.
  ///
  /// The ledger gives one thread access at a time, which the compiler cannot see.
  @exclusivity(unchecked) @usableFromInline internal var waiting = EmbeddedValue()
  @usableFromInline internal let ledger = DemandLedger()
  @usableFromInline internal let introduction = DemandHold()
  @usableFromInline internal let work: (LoopSubscription, Order) -> Void

  /// The value that description and mirror show, on any thread, until the end.
  internal let shown: Guarded<Any?>
  internal let nameAfterEnd: String
  internal let mirrored: (_ shown: Any?) -> [(label: String?, value: Any)]

  /// - Parameters:
  ///   - shown: A value whose description is the subscription's, if it is `CustomStringConvertible`.
  ///   - nameAfterEnd: The description otherwise, and after the end.
  ///   - mirrored: Makes the children of the mirror from the shown value, or from `nil` after the end.
  ///   - work: The loop.
  @usableFromInline
  package init(
    shown: consuming Any?, nameAfterEnd: String, mirrored: @escaping (Any?) -> [(label: String?, value: Any)],
    work: @escaping (LoopSubscription, Order) -> Void
  ) {
    self.shown = Guarded(shown)
    self.nameAfterEnd = nameAfterEnd
    self.mirrored = mirrored
    self.work = work
  }

  // Full only if the subscription has never been used.
  deinit { if waiting.isFull { work(self, .discard) } }

  @usableFromInline
  package override func request(_ demand: Subscribers.Demand) {
    if demand != .none { answer(introduction.admit(demand)) }
  }

  private func answer(_ demand: Subscribers.Demand?) {
    if let demand, ledger.add(demand) == .some(.none) { work(self, .run) }
  }

  /// Called when `receive(subscription:)` has returned: serves the demand that other threads have requested meanwhile.
  @_alwaysEmitIntoClient
  internal func endIntroduction() {
    if !ledger.isClosed { answerHeld() }
  }

  @usableFromInline
  internal func answerHeld() { answer(introduction.end()) }

  @usableFromInline
  package override func cancel() {
    if case .idle = ledger.close() { end() }
  }

  @usableFromInline
  package override var deliversWhereAsked: Bool { true }

  /// Closes the stream and delivers its completion, unless a cancel came first.
  ///
  /// Called instead of ``end()`` when the loop has no state left.
  @_alwaysEmitIntoClient
  internal func complete(_ deliver: () -> Void) {
    if case .already = ledger.close() { return end() }
    hide()
    deliver()
  }

  /// Called when the loop has ended for good: frees its state.
  @usableFromInline
  internal func end() {
    hide()
    work(self, .discard)
  }

  /// Frees the shown value.
  @usableFromInline
  internal func hide() {
    var last: Any?
    shown.withLock { swap(&$0, &last) }
  }

  /// Only the name: the description of the shown value may be code of the user's.
  package override func show(in link: inout LinkState) {
    link.name = nameAfterEnd
    link.phase = LinkState.Phase(isClosed: ledger.isClosed)
    link.take(ledger)
    link.hasValuesAtHand = true
    _withUnprotectedUnsafeMutablePointer(to: &link.passed) { work(self, .tell($0)) }
  }

  @usableFromInline
  package override var description: String {
    (shown.withLock { $0 } as? any CustomStringConvertible)?.description ?? nameAfterEnd
  }

  @usableFromInline
  package override var mirrorChildren: [(label: String?, value: Any)] {
    mirrored(shown.withLock { $0 })
  }
}
