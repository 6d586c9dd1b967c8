// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The subscription of a source of any module, which keeps the subscriber itself.
///
/// Tools see it under the name of the source, with the state that the source shows. Final, and not generic, since
/// overrides in a generic class run unspecialised.
@usableFromInline
package final class SourceSubscription: BaseSubscription, @unchecked Sendable {
  // `@unchecked`: constants, and a closure that may be called on any thread, as a subscription may.

  /// A call of the source.
  @usableFromInline
  package enum Call {
    /// Called with `.none` only if the subscription accepts that, and does not trap.
    case request(Subscribers.Demand)
    case cancel
    /// Describes the source, for tools, on any thread.
    case show(UnsafeMutablePointer<LinkState>)
  }

  @usableFromInline internal let name: String
  @usableFromInline internal let acceptsNone: Bool
  /// Made where the types are concrete.
  @usableFromInline internal let perform: (SourceSubscription, Call) -> Void

  /// - Parameters:
  ///   - name: The text that `print()` prints.
  ///   - acceptsNone: Whether `request(.none)` has no effect, as with Combine's timers and notifications; otherwise it traps.
  ///   - perform: The code of the source.
  @_alwaysEmitIntoClient
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

  package override func show(in link: inout LinkState) {
    super.show(in: &link)
    withUnsafeMutablePointer(to: &link) { perform(self, .show($0)) }
    // What waits for a date keeps its subscriber elsewhere.
    if link.wait == nil { link.phase = LinkState.Phase(isClosed: link.downstream == nil) }
    if let downstream = link.downstream { link.passed = downstream.passed }
  }

  @usableFromInline
  package override var description: String { name }

  @usableFromInline
  package override var mirrorChildren: [(label: String?, value: Any)] {
    var link = LinkState()
    show(in: &link)
    let demand = link.demand ?? .none
    if let mirrored = link.mirrored { return mirrored + [("demand", demand)] }
    return [("downstream", link.downstream?.underlying as Any), ("demand", demand)]
      + (link.waiting.map { [("waiting", $0)] } ?? [])
  }
}

/// The source behind a ``SourceSubscription``: it makes the values of one subscriber, or gets them from elsewhere.
@usableFromInline
package protocol SubscriptionSource: AnyObject {
  /// Keeps the subscriber, which gets the subscription next.
  func keep(_ downstream: ErasedSubscriber, of subscription: SourceSubscription)

  /// Adds to the demand; for `.none` only if the subscription accepts that.
  func request(_ demand: Subscribers.Demand)

  /// Ends the stream from downstream; may be called again.
  func cancel(_ subscription: SourceSubscription)

  /// Shows the subscriber, the demand and the number of waiting values, on any thread.
  func show(in link: inout LinkState)
}

extension SubscriptionSource {
  /// Makes a subscription, and delivers it to the subscriber.
  ///
  /// - Parameters:
  ///   - downstream: The subscriber.
  ///   - name: The text that `print()` prints.
  ///   - acceptsNone: Whether `request(.none)` has no effect.
  @inlinable @discardableResult
  package func introduce(
    _ downstream: ErasedSubscriber, name: String, acceptsNone: Bool = false
  ) -> SourceSubscription {
    let subscription = SourceSubscription(name, acceptsNone: acceptsNone) { subscription, call in
      switch call {
      case .request(let demand): self.request(demand)
      case .cancel: self.cancel(subscription)
      case .show(let link): self.show(in: &link.pointee)
      }
    }
    let downstream = subscription.counting(downstream)
    keep(downstream, of: subscription)
    downstream.receive(subscription: subscription)
    return subscription
  }
}
