// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import Synchronization

/// The subscription of a source of any module: it stores the subscriber, and what the source does is in a closure.
///
/// Final, and not generic, since overrides in a generic class run unspecialised.
@usableFromInline
package final class SourceSubscription: EmbeddingSubscription {
  /// What the source is asked for.
  @usableFromInline
  package enum Call {
    case request(Subscribers.Demand)
    /// Made once at most.
    case cancel
    /// Describes what the source keeps, for tools, on any thread.
    case show(UnsafeMutablePointer<LinkState>)
  }

  @usableFromInline internal let cancelled = AtomicCell(false)
  @usableFromInline internal let shownDemand = ShownDemand()
  @usableFromInline internal let name: String
  /// Made where the types are concrete.
  @usableFromInline internal let perform: (SourceSubscription, Call) -> Void

  /// - Parameters:
  ///   - name: The text that `print()` prints.
  ///   - subscriber: The subscriber, which the subscription stores.
  ///   - perform: What the source does.
  @inlinable @inline(__always)
  package convenience init<S: Subscriber>(
    name: String, to subscriber: __owned S, perform: @escaping (SourceSubscription, Call) -> Void
  ) {
    self.init(name: name, downstream: SubscriberCalls(for: subscriber), perform: perform)
    embed(subscriber)
  }

  @usableFromInline
  internal init(
    name: String, downstream: __owned SubscriberCalls, perform: @escaping (SourceSubscription, Call) -> Void
  ) {
    self.name = name
    self.perform = perform
    super.init(downstream: downstream)
  }

  /// The outstanding demand, where the source counts it here; changed by one thread at a time.
  @inlinable
  package var demand: Subscribers.Demand {
    get { shownDemand.value }
    set { shownDemand.value = newValue }
  }

  /// Whether the subscriber has cancelled.
  @inlinable
  package var isCancelled: Bool { cancelled.load(ordering: .relaxed) }

  /// Delivers the subscription itself.
  @inlinable
  package func introduce() { deliver(subscription: self) }

  /// Delivers the completion.
  @inlinable
  package func end<Failure: Error>(_ completion: Subscribers.Completion<Failure>) {
    noteCompletion()
    deliver(ending: completion)
  }

  @usableFromInline
  package override func request(_ demand: Subscribers.Demand) {
    if demand == .none { trap(.requestedNothing) }
    perform(self, .request(demand))
  }

  @usableFromInline
  package override func cancel() {
    noteCancel()
    if !cancelled.exchange(true, ordering: .acquiringAndReleasing) { perform(self, .cancel) }
  }

  package override func show(in link: inout LinkState) {
    super.show(in: &link)
    link.demand = demand
    withUnsafeMutablePointer(to: &link) { perform(self, .show($0)) }
    if closing != .none { link.phase = .ended }
  }

  @usableFromInline
  package override var description: String { name }

  @usableFromInline
  package override var mirrorChildren: [(label: String?, value: Any)] {
    [("downstream", underlying as Any), ("downstreamDemand", demand)]
  }
}
