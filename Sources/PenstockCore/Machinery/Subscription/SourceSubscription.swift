// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import Synchronization

/// The subscription of a source of any module, which keeps the subscriber itself.
///
/// Tools see it under the name of the source, with what the source tells. Final, and not generic, since overrides in a
/// generic class run unspecialised.
@usableFromInline
package final class SourceSubscription: BaseSubscription, @unchecked Sendable {
  // `@unchecked`: constants, and a closure that may be called on any thread, as a subscription may.

  /// What the source is asked for.
  @usableFromInline
  package enum Call {
    /// For `.none` only if the subscription accepts that, and does not trap.
    case request(Subscribers.Demand)
    case cancel
    /// For tools, on any thread.
    case describe(UnsafeMutablePointer<SourceState>)
  }

  @usableFromInline internal let name: String
  @usableFromInline internal let acceptsNone: Bool
  /// Made where the types are concrete.
  @usableFromInline internal let perform: (SourceSubscription, Call) -> Void

  /// - Parameters:
  ///   - name: The text that `print()` prints.
  ///   - acceptsNone: Whether `request(.none)` has no effect, as with Combine's timers and notifications; otherwise it traps.
  ///   - perform: What the source does.
  @inlinable
  package init(
    _ name: String, acceptsNone: Bool = false, _ perform: @escaping (SourceSubscription, Call) -> Void
  ) {
    self.name = name
    self.acceptsNone = acceptsNone
    self.perform = perform
    super.init()
  }

  /// The subscriber in the form in which the source keeps it: counting what it gets, if links count.
  @usableFromInline
  package func counting(_ downstream: ErasedSubscriber) -> ErasedSubscriber {
    if linkCounting.value == .off { return downstream }
    let record = LinkRecord.make()
    record.begin(for: self)
    return record.counting(downstream)
  }

  @usableFromInline
  package override func request(_ demand: Subscribers.Demand) {
    if demand == .none, !acceptsNone { trap(.requestedNothing) }
    perform(self, .request(demand))
  }

  @usableFromInline
  package override func cancel() {
    noteCancel()
    perform(self, .cancel)
  }

  private var state: SourceState {
    var state = SourceState()
    withUnsafeMutablePointer(to: &state) { perform(self, .describe($0)) }
    return state
  }

  package override func show(in link: inout LinkState) {
    super.show(in: &link)
    let state = state
    link.phase = LinkState.Phase(isClosed: state.downstream == nil)
    link.demand = state.demand
    link.moves = state.moves
    link.waiting = state.waiting
    link.capacity = state.capacity
    link.wait = state.wait
    if let downstream = state.downstream { link.passed = downstream.passed }
    link.add(state.upstream)
  }

  @usableFromInline
  package override var description: String { name }

  @usableFromInline
  package override var mirrorChildren: [(label: String?, value: Any)] {
    let state = state
    if let children = state.children { return children + [("demand", state.demand)] }
    return [("downstream", state.downstream?.underlying as Any), ("demand", state.demand)]
      + (state.waiting.map { [("waiting", $0)] } ?? [])
  }
}

/// What a source tells of one subscriber.
@usableFromInline
package struct SourceState {
  /// `nil` after the end.
  package var downstream: ErasedSubscriber?
  /// What has been requested and not been delivered.
  package var demand = Subscribers.Demand.none
  /// See ``LinkState/moves``.
  package var moves: UInt = 0
  /// How many values wait for the subscriber, if the source keeps any.
  package var waiting: Int?
  /// How many it keeps at most.
  package var capacity: Int?
  package var wait: LinkState.Wait?
  /// The link that feeds the source, if one does.
  package var upstream: BaseSubscription?
  /// What a mirror shows before the demand, if not the subscriber.
  package var children: [(label: String?, value: Any)]?

  /// Takes what a ledger tells.
  package mutating func take(_ ledger: borrowing DemandLedger) {
    demand = ledger.balance
    moves &+= ledger.additions.value
  }
}
