// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The subscription of an operator with a fixed number of upstreams.
///
/// It is independent of their number and types: `merge`, `zip` and `combineLatest` have one core each, for all arities.
@usableFromInline
package class FanInSubscription: SerialSubscription {
  @usableFromInline internal let inlets: ContiguousArray<Inlet>

  @inlinable
  package init(
    name: String, inlets: ContiguousArray<Inlet>, acceptsZeroDemand: Bool, downstreamIsSynchronous: Bool,
    request: @escaping (SerialSubscription, Subscribers.Demand) -> Void,
    discard: @escaping (SerialSubscription) -> Void
  ) {
    self.inlets = inlets
    super.init(
      name: name, acceptsZeroDemand: acceptsZeroDemand, downstreamIsSynchronous: downstreamIsSynchronous,
      work: TypedWork(
        request: request,
        cancel: { unsafeDowncast($0, to: FanInSubscription.self).cancelUpstreams() },
        discard: discard))
  }

  /// Cancels every upstream that has not ended, also those whose subscription has not arrived.
  @usableFromInline
  internal final func cancelUpstreams() {
    for inlet in inlets { inlet.slot.cancel(early: true) }
  }

  /// Requests more from every upstream whose subscription has arrived, as soon as the loop has been left.
  ///
  /// - Parameter answered: An upstream that gets the demand as the result of its `receive(_:)` instead.
  @usableFromInline
  internal final func askAll(for demand: Subscribers.Demand, but answered: Inlet? = nil) {
    if demand == .none { return }
    for inlet in inlets where inlet.hasBegun && inlet !== answered { requestLater(demand, from: inlet) }
  }
}

/// How an operator handles the signals of one upstream.
@usableFromInline
package protocol InletHandler<Input, Failure> {
  associatedtype Input
  associatedtype Failure: Error

  /// Whether this side shares the operator's identity; otherwise it has one of its own.
  static var isOneWithCore: Bool { get }

  var core: SerialSubscription { get }

  /// The target of requests to this upstream.
  var target: DemandTarget { get }

  /// Whether the upstream's subscription has arrived and not ended.
  var isActive: Bool { get }

  /// Stores the upstream's subscription, or cancels it.
  func attach(_ subscription: any Subscription)

  /// Releases the upstream's subscription.
  ///
  /// - Returns: Whether there was one.
  func detach(_ completion: Subscribers.Completion<Failure>) -> Bool

  /// Handles a value.
  ///
  /// Called by the owner of the loop, while the stream is open.
  ///
  /// - Returns: The additional demand for this upstream.
  func take(_ input: Input) -> Subscribers.Demand

  /// Handles a completion; called by the owner of the loop, while the stream is open.
  func end(_ completion: Subscribers.Completion<Failure>)
}

extension InletHandler {
  @inlinable
  package static var isOneWithCore: Bool { false }
}

/// How an operator handles the signals of an upstream that has an inlet.
@usableFromInline
package protocol Inflow<Input, Failure>: InletHandler {
  /// Whether an upstream that has failed is cancelled, too, as some of Combine's operators do.
  static var cancelsAfterFailure: Bool { get }

  /// Whether a completion before the subscription traps; otherwise it is ignored.
  static var trapsEarlyCompletion: Bool { get }

  var inlet: Inlet { get }

  /// Called after the upstream's subscription has been stored, before the loop is entered.
  ///
  /// The default implementation has the owner of the loop call ``begin()``.
  func arrive(_ subscription: any Subscription)

  /// Called by the owner of the loop when the upstream's subscription has arrived, while the stream is open.
  func begin()
}

extension Inflow {
  @inlinable
  package static var cancelsAfterFailure: Bool { false }

  @inlinable
  package static var trapsEarlyCompletion: Bool { false }

  @inlinable
  package var target: DemandTarget { inlet }

  @inlinable
  package var isActive: Bool { inlet.isActive }

  @inlinable
  package func attach(_ subscription: any Subscription) {
    guard inlet.slot.attach(subscription) else { return }
    core.holdJoining(of: subscription)
    arrive(subscription)
  }

  @inlinable
  package func detach(_ completion: Subscribers.Completion<Failure>) -> Bool {
    let inlet = inlet
    if Self.trapsEarlyCompletion, inlet.slot.phase == .awaiting {
      trap(.beforeSubscription(operator: core.name, signal: "a completion"))
    }
    if Self.cancelsAfterFailure, case .failure = completion { return inlet.slot.cancel() }
    return inlet.slot.finish()
  }

  @inlinable
  package func arrive(_ subscription: any Subscription) {
    Unmanaged.passUnretained(core).act(or: (), { attached() }, later: { core.postpone($0) { attached() } })
  }

  @inlinable
  package func begin() {}

  /// Called by the owner of the loop when the upstream's subscription has arrived.
  @inlinable
  internal func attached() {
    inlet.hasBegun = true
    begin()
  }
}

/// The subscriber that feeds the signals of one upstream into a ``SerialSubscription``.
@usableFromInline
package struct InletSubscriber<Flow: InletHandler>: Subscriber {
  @usableFromInline package typealias Input = Flow.Input
  @usableFromInline package typealias Failure = Flow.Failure

  @usableFromInline internal let flow: Flow

  @inlinable @inline(__always)
  package init(_ flow: Flow) { self.flow = flow }

  /// The operator, unretained, since the flow holds it: a reference in a variable would be counted for each signal.
  @inlinable
  internal var core: Unmanaged<SerialSubscription> { .passUnretained(flow.core) }

  @inlinable
  package var combineIdentifier: CombineIdentifier {
    Flow.isOneWithCore ? flow.core.combineIdentifier : CombineIdentifier(flow.target)
  }

  @inlinable
  package func receive(subscription: any Subscription) {
    flow.attach(subscription)
  }

  // Forced: it is slightly more than the optimiser inlines into a source's loop on its own, where the value path of
  // `switchToLatest` needs a third fewer instructions (106 in place of 167).
  @inlinable @inline(__always)
  package func receive(_ input: Flow.Input) -> Subscribers.Demand {
    let core = core
    guard flow.isActive, !core._withUnsafeGuaranteedRef({ $0.isClosed }) else { return .none }
    return core.act(or: .none, { flow.take(input) }, later: { postpone(input, $0) })
  }

  @inlinable
  package func receive(completion: Subscribers.Completion<Flow.Failure>) {
    guard flow.detach(completion) else { return }
    let core = core
    if core._withUnsafeGuaranteedRef({ $0.isClosed }) { return }
    core.act(or: (), { flow.end(completion) }, later: { postpone(completion, $0) })
  }

  // The queued paths are functions of their own, so that the path without contention counts no references.

  @inlinable @inline(never)
  internal func postpone(_ input: Flow.Input, _ thread: UInt) -> Subscribers.Demand {
    flow.core.postpone(thread) { [flow] in
      let more = flow.take(input)
      // `receive(_:)` returned `.none` to the upstream long ago, so its demand has to be requested.
      flow.core.requestLater(more, from: flow.target)
    }
    return .none
  }

  @inlinable @inline(never)
  internal func postpone(_ completion: Subscribers.Completion<Flow.Failure>, _ thread: UInt) {
    flow.core.postpone(thread) { [flow] in flow.end(completion) }
  }
}

extension InletSubscriber: CustomStringConvertible, CustomReflectable, CustomPlaygroundDisplayConvertible {
  @usableFromInline
  package var description: String { flow.core.name }

  @usableFromInline
  package var customMirror: Mirror {
    Flow.isOneWithCore
      ? Mirror(self, children: [])
      : Mirror(self, children: ["parentSubscription": flow.core.combineIdentifier])
  }

  @usableFromInline
  package var playgroundDescription: Any { description }
}
