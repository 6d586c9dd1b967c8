// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The rules by which an operator of the managed shape reacts to signals outside the active phase of its stream.
///
/// Combine's operators differ here, and users can observe it.
@usableFromInline
package struct ManagedRules: Sendable {
  @usableFromInline
  package enum Reaction: Sendable {
    case ignore, pass, trap
  }

  /// A value, a completion or a request before the subscription.
  @usableFromInline internal var earlyValue: Reaction
  @usableFromInline internal var earlyCompletion: Reaction
  @usableFromInline internal var earlyRequest: Reaction
  /// A value after a completion or a cancel.
  @usableFromInline internal var lateValue: Reaction
  /// A completion after a completion or a cancel.
  @usableFromInline internal var lateCompletion: Reaction
  /// Whether a cancel before the subscription is remembered.
  @usableFromInline internal var remembersEarlyCancel: Bool
  /// Whether `request(.none)` is forwarded upstream; otherwise it traps.
  @usableFromInline internal var acceptsZeroDemand: Bool
  /// Whether a completion ends the stream; otherwise later signals are forwarded, too, until a cancel.
  @usableFromInline internal var endsWithCompletion: Bool
  /// Whether an output is delivered although the closure that made it has ended or cancelled the stream, as Combine's
  /// operators do.
  @usableFromInline internal var deliversAfterItsCall: Bool

  @_alwaysEmitIntoClient
  package init(
    earlyValue: Reaction = .ignore, earlyCompletion: Reaction = .ignore, earlyRequest: Reaction = .ignore,
    lateValue: Reaction = .ignore, lateCompletion: Reaction = .ignore, remembersEarlyCancel: Bool = false,
    acceptsZeroDemand: Bool = false, endsWithCompletion: Bool = true, deliversAfterItsCall: Bool = false
  ) {
    self.earlyValue = earlyValue
    self.earlyCompletion = earlyCompletion
    self.earlyRequest = earlyRequest
    self.lateValue = lateValue
    self.lateCompletion = lateCompletion
    self.remembersEarlyCancel = remembersEarlyCancel
    self.acceptsZeroDemand = acceptsZeroDemand
    self.endsWithCompletion = endsWithCompletion
    self.deliversAfterItsCall = deliversAfterItsCall
  }

  /// The rules of operators that pass every signal on, whenever it comes.
  @_alwaysEmitIntoClient
  package static var passing: Self {
    Self(earlyValue: .pass, earlyCompletion: .pass, remembersEarlyCancel: true, acceptsZeroDemand: true)
  }

  /// The rules of operators that Combine builds like `tryFilter`: any signal before the subscription is a mistake.
  @_alwaysEmitIntoClient
  package static var filterLike: Self {
    Self(
      earlyValue: .trap, earlyCompletion: .trap, earlyRequest: .trap, remembersEarlyCancel: true,
      deliversAfterItsCall: true)
  }
}

/// A stage for the managed shape, with its rules.
@usableFromInline
package protocol ManagedStage: Stage {
  static var rules: ManagedRules { get }

  /// Whether the stage may end its stream: whether it decides anything but `.emit`, `.skip` and `.absorb`.
  static var endsItself: Bool { get }

  /// Called when upstream's subscription has been stored, before downstream is introduced.
  func begin(at link: ManagedSubscription)

  /// Adds the name of the stage; on any thread, and so without reading state that changes.
  func show(in link: inout LinkState)

  /// The children that a debugger shows for this stage and for upstream's subscription.
  func mirrorChildren(downstream: Any, slot: borrowing SubscriptionSlot) -> [(label: String?, value: Any)]
}

extension ManagedStage {
  @_alwaysEmitIntoClient
  package static var rules: ManagedRules { ManagedRules() }

  @_alwaysEmitIntoClient @inline(__always)
  package static var endsItself: Bool { true }

  @_alwaysEmitIntoClient @inline(__always)
  package func begin(at link: ManagedSubscription) {}

  @usableFromInline
  package func show(in link: inout LinkState) {}

  @_alwaysEmitIntoClient
  package func mirrorChildren(
    downstream: Any, slot: borrowing SubscriptionSlot
  ) -> [(label: String?, value: Any)] {
    mirrorChildren(downstream: downstream)
  }
}

/// The untyped half of the managed shape: the subscription that downstream gets.
@usableFromInline
package class ManagedSubscription: EmbeddingSubscription {
  /// Asserts that deliveries do not overlap: the stage's state belongs to them.
  @usableFromInline internal final let deliveries = OwnerCheck()
  @usableFromInline internal final let slot = SubscriptionSlot()
  @usableFromInline internal final let name: String
  internal final let rules: ManagedRules

  /// Whether the operator's subscriber lies elsewhere.
  ///
  /// Set when tools know the subscription already.
  private final let isHalf = ShownCell(false)

  /// Whether the stage has failed the stream; signals after that are never forwarded.
  ///
  /// Accessed only while upstream delivers, and upstream delivers serially, so run-time exclusivity checks would find
  /// nothing.
  @exclusivity(unchecked) @usableFromInline internal final var hasFailed = false

  @usableFromInline
  internal init(name: String, rules: ManagedRules, downstream: SubscriberCalls) {
    self.name = name
    self.rules = rules
    super.init(downstream: downstream)
  }

  /// Creates the subscription of an operator whose subscriber lies elsewhere.
  @usableFromInline
  internal convenience init(name: String, rules: ManagedRules) {
    self.init(name: name, rules: rules, downstream: .none)
    isHalf.set(true)
  }

  @usableFromInline
  package override func request(_ demand: Subscribers.Demand) {
    if rules.earlyRequest == .trap, slot.phase == .awaiting {
      trap(.beforeSubscription(operator: name, signal: "a request"))
    }
    if demand == .none, !rules.acceptsZeroDemand { trap(.requestedNothing) }
    slot.request(demand)
  }

  @usableFromInline
  package final override func cancel() {
    slot.cancel(early: rules.remembersEarlyCancel)
  }

  // These functions decide on events that happen once in a stream; they are not compiled for each pipeline.

  /// Whether a value outside the active phase is forwarded; traps if the rules call it a mistake.
  @usableFromInline
  internal final func admitsValue() -> Bool {
    switch slot.phase {
    case .active: true
    case .awaiting: admits(rules.earlyValue, "a value")
    case .terminal: !hasFailed && admits(rules.lateValue, "a value")
    }
  }

  /// Whether upstream's completion is forwarded; if so, the stream is over.
  @usableFromInline
  internal final func admitsCompletion() -> Bool {
    switch slot.phase {
    case .active: return rules.endsWithCompletion ? slot.finish() : slot.release()
    case .awaiting:
      guard admits(rules.earlyCompletion, "a completion") else { return false }
      slot.cancel(early: true)
      return true
    case .terminal: return !hasFailed && admits(rules.lateCompletion, "a completion")
    }
  }

  /// Ends the stream where the stage has decided so.
  ///
  /// - Returns: Whether the completion is to be delivered.
  @usableFromInline
  internal final func beginEnd() -> Bool {
    // An operator that may complete before its subscription may also fail before it.
    slot.cancel(early: hasFailed && rules.earlyCompletion == .pass)
  }

  private func admits(_ reaction: ManagedRules.Reaction, _ signal: String) -> Bool {
    switch reaction {
    case .ignore: false
    case .pass: true
    case .trap: trap(.beforeSubscription(operator: name, signal: signal))
    }
  }

  @usableFromInline
  package final override var upstreamBase: BaseSubscription? { slot.base }

  package override func show(in link: inout LinkState) {
    super.show(in: &link)
    link.take(slot)
    link.isForwarding = isHalf.value
  }

  @usableFromInline
  package final override var description: String { name }
}

/// The shape of operators that deliver a subscription of their own and may end the stream.
///
/// Values need no lock, since upstream delivers serially.
@usableFromInline
package final class ManagedSubscriber<Work: ManagedStage>: ManagedSubscription, Subscriber {
  @usableFromInline package typealias Input = Work.Input
  @usableFromInline package typealias Failure = Work.Channel.Upstream

  @usableFromInline internal let stage: Work

  @inlinable @inline(never)
  package convenience init<Downstream: Subscriber>(_ stage: Work, to downstream: __owned Downstream)
  where Downstream.Input == Work.Output, Downstream.Failure == Work.Channel.Downstream {
    self.init(stage, downstream: SubscriberCalls(for: downstream))
    embed(downstream)
  }

  @inlinable @inline(never)
  internal init(_ stage: Work, downstream: __owned SubscriberCalls) {
    self.stage = stage
    super.init(name: Work.name, rules: Work.rules, downstream: downstream)
  }

  @_alwaysEmitIntoClient @inline(__always)
  package static var _place: _SubscriberPlace { .first }

  @_alwaysEmitIntoClient @inline(never)
  package func receive(subscription: any Subscription) {
    guard slot.attach(subscription) else { return }
    stage.begin(at: self)
    deliver(subscription: self)
  }

  @_alwaysEmitIntoClient
  package func receive(_ input: Work.Input) -> Subscribers.Demand {
    let isOutermost = deliveries.enter("upstream's deliveries")
    defer { deliveries.leave(isOutermost) }
    if slot.phase != .active, !admitsValue() { return .none }
    do throws(Work.Channel.Thrown) {
      switch try stage.receive(input) {
      case .emit(let output):
        return isOverSinceCall ? .none : deliver(value: output)
      case .skip:
        return .max(1)
      case .absorb:
        return .none
      case .finish:
        end(.finished)
        return .none
      case .emitAndFinish(let output):
        if isOverSinceCall { return .none }
        let more = deliver(value: output)
        end(.finished)
        return more
      case .fail(let failure):
        end(.failure(failure))
        return .none
      }
    } catch {
      end(.failure(Work.Channel.raise(error)))
      return .none
    }
  }

  /// Whether a closure of the stage's has ended the stream, or cancelled it, so that its output is not delivered.
  @_alwaysEmitIntoClient @inline(__always)
  internal var isOverSinceCall: Bool {
    !Work.rules.deliversAfterItsCall && Work.rules.lateValue == .ignore && slot.phase == .terminal
  }

  /// Ends the stream where the stage has decided so: once, and so in a function of its own.
  @inlinable @inline(never)
  internal func end(_ completion: Subscribers.Completion<Work.Channel.Downstream>) {
    if case .failure = completion { hasFailed = true }
    if beginEnd() { deliver(ending: completion) }
  }

  @_alwaysEmitIntoClient @inline(never)
  package func receive(completion: Subscribers.Completion<Work.Channel.Upstream>) {
    if admitsCompletion() { deliver(ending: stage.receive(completion: completion)) }
  }

  /// Follows upstream: a stage delivers only while it receives.
  @usableFromInline
  package override var deliversWhereAsked: Bool { slot.base?.deliversWhereAsked ?? false }

  package override func show(in link: inout LinkState) {
    super.show(in: &link)
    stage.show(in: &link)
  }

  @usableFromInline
  package override var mirrorChildren: [(label: String?, value: Any)] {
    stage.mirrorChildren(downstream: underlying as Any, slot: slot)
  }
}
