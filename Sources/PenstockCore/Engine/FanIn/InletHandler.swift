// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A handler of the signals of one upstream of an operator that has several.
///
/// A handler refers to the operator's core and to the upstream's inlet, and has no state of its own. Every requirement
/// has a default but those that take a value and a completion.
@usableFromInline
package protocol InletHandler<Input, Failure> {
  associatedtype Input
  associatedtype Failure: Error
  associatedtype Source: DemandTarget

  /// Whether the subscriber shares the operator's identity; otherwise it has one of its own.
  static var sharesIdentity: Bool { get }

  /// Whether values and completions before the subscription count; otherwise they are ignored.
  static var acceptsEarlySignals: Bool { get }

  /// Whether a completion before the subscription traps.
  static var trapsEarlyCompletion: Bool { get }

  /// Whether an upstream that has failed is cancelled, too, as some of Combine's operators do.
  static var cancelsAfterFailure: Bool { get }

  /// Whether several values may be handled before the loop is left: none is handled outside of it, or has to wait.
  static var takesRuns: Bool { get }

  /// The subscriber's place in the chain.
  static var place: _SubscriberPlace { get }

  var core: SerialSubscription { get }

  /// The upstream's place in the operator: requests go there.
  var inlet: Source { get }

  /// Whether the upstream's signals count: whether its subscription has arrived, unless ``acceptsEarlySignals``, and
  /// has not ended.
  var isActive: Bool { get }

  /// Whether a signal has to wait although the calling thread owns the loop, because the operator is in the middle of a
  /// decision that calls the user's code.
  var mustWait: Bool { get }

  /// Stores the upstream's subscription, or cancels it.
  func attach(_ subscription: any Subscription)

  /// Called after the upstream's subscription has been stored, before the loop is entered.
  ///
  /// The default implementation for an ``Inlet`` is ``beginInLoop()``.
  func arrive(_ subscription: any Subscription)

  /// Called by the owner of the loop when the upstream's subscription has arrived, while the stream is open.
  func begin()

  /// Releases the upstream's subscription.
  ///
  /// - Returns: Whether the completion counts.
  func detach(_ completion: Subscribers.Completion<Failure>) -> Bool

  /// Handles a value on the thread that delivers it, without entering the loop, if it can.
  ///
  /// - Returns: The additional demand for this upstream; `nil` if ``take(_:)`` is to handle the value.
  func takeOutsideLoop(_ input: Input) -> Subscribers.Demand?

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
  @_alwaysEmitIntoClient
  package static var sharesIdentity: Bool { false }

  @_alwaysEmitIntoClient
  package static var acceptsEarlySignals: Bool { false }

  @_alwaysEmitIntoClient
  package static var trapsEarlyCompletion: Bool { false }

  @_alwaysEmitIntoClient
  package static var cancelsAfterFailure: Bool { false }

  @_alwaysEmitIntoClient
  package static var takesRuns: Bool { false }

  @_alwaysEmitIntoClient
  package static var place: _SubscriberPlace { .first }

  @_alwaysEmitIntoClient
  package var mustWait: Bool { false }

  @_alwaysEmitIntoClient
  package func arrive(_ subscription: any Subscription) {}

  @_alwaysEmitIntoClient
  package func begin() {}

  @_alwaysEmitIntoClient
  package func takeOutsideLoop(_ input: Input) -> Subscribers.Demand? { nil }

  /// For handlers that handle every value outside the loop.
  @_alwaysEmitIntoClient
  package func take(_ input: Input) -> Subscribers.Demand { .none }
}

extension InletHandler where Source: Inlet {
  @_alwaysEmitIntoClient
  package var isActive: Bool {
    // Unretained, since the core holds the inlet: reading it would count a reference otherwise.
    Unmanaged<Inlet>.passUnretained(inlet)._withUnsafeGuaranteedRef {
      Self.acceptsEarlySignals ? !$0.hasEnded : $0.isActive
    }
  }

  @inlinable
  package func attach(_ subscription: any Subscription) {
    guard inlet.slot.attach(subscription) else { return }
    core.noteUpstream(inlet.slot.base)
    core.holdJoining(of: subscription)
    arrive(subscription)
  }

  @_alwaysEmitIntoClient
  package func arrive(_ subscription: any Subscription) { beginInLoop() }

  /// Has the owner of the loop call ``begin()``.
  @inlinable
  package func beginInLoop() {
    Unmanaged.passUnretained(core).act(or: (), { attached() }, later: { core.postpone($0) { attached() } })
  }

  /// Called by the owner of the loop when the upstream's subscription has arrived.
  @_alwaysEmitIntoClient
  internal func attached() {
    inlet.hasBegun = true
    begin()
  }

  @inlinable
  package func detach(_ completion: Subscribers.Completion<Failure>) -> Bool {
    let inlet = inlet
    if Self.trapsEarlyCompletion, inlet.slot.phase == .awaiting {
      trap(.beforeSubscription(operator: core.name, signal: "a completion"))
    }
    if Self.cancelsAfterFailure, case .failure = completion { return inlet.slot.cancel() }
    return inlet.slot.finish() || (Self.acceptsEarlySignals && inlet.slot.cancel(early: true))
  }
}

/// A handler whose subscriber is the operator's subscription as well, as in Combine.
///
/// A publisher may use the subscriber that it receives as a subscription.
@usableFromInline
package protocol SubscriptionInletHandler: InletHandler {}

extension SubscriptionInletHandler {
  @_alwaysEmitIntoClient
  package static var sharesIdentity: Bool { true }
}

/// A handler of an upstream that is subscribed to as soon as the operator is, by `subscribe(_:upstreamOf:)`.
@usableFromInline
package protocol DirectInletHandler: InletHandler {}

extension DirectInletHandler {
  @_alwaysEmitIntoClient
  package static var place: _SubscriberPlace { .link }
}
