// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The subscriber that feeds the signals of one upstream into a ``SerialSubscription``.
@usableFromInline
package struct InletSubscriber<Handler: InletHandler>: Subscriber {
  @usableFromInline package typealias Input = Handler.Input
  @usableFromInline package typealias Failure = Handler.Failure

  @usableFromInline internal let handler: Handler

  @_alwaysEmitIntoClient @inline(__always)
  package init(_ handler: Handler) { self.handler = handler }

  @_alwaysEmitIntoClient @inline(__always)
  package static var _place: _SubscriberPlace { Handler.place }

  /// The operator, unretained, since the handler holds it: a reference in a variable would be counted for each signal.
  @_alwaysEmitIntoClient
  internal var core: Unmanaged<SerialSubscription> { .passUnretained(handler.core) }

  @_alwaysEmitIntoClient
  package var combineIdentifier: CombineIdentifier {
    Handler.sharesIdentity ? handler.core.combineIdentifier : CombineIdentifier(handler.inlet)
  }

  @_alwaysEmitIntoClient @inline(never)
  package func receive(subscription: any Subscription) {
    handler.attach(subscription)
  }

  // Forced: it is slightly more than the optimiser inlines into a source's loop on its own, where the value path of
  // `switchToLatest` needs a third fewer instructions (106 in place of 167).
  @_alwaysEmitIntoClient @inline(__always)
  package func receive(_ input: Handler.Input) -> Subscribers.Demand {
    let core = core
    guard isOpen else { return .none }
    if let more = handler.takeOutsideLoop(input) { return more }
    return core.act(
      or: .none, { handler.mustWait ? postpone(input, currentThread()) : handler.take(input) },
      later: { postpone(input, $0) })
  }

  @_alwaysEmitIntoClient @inline(__always)
  package static var _takesRuns: Bool { Handler.takesRuns }

  /// Enters the loop once, for as many values as arrive before another thread has something to do in it.
  @_alwaysEmitIntoClient @inline(__always)
  package func _receiveRun(_ next: () -> Input?) {
    let core = core
    let thread = currentThread()
    var upcoming = next()
    while let first = upcoming {
      if !isOpen { return }
      let entry = core._withUnsafeGuaranteedRef { $0.enter(thread) }
      if case .busy = entry {
        _ = postpone(first, thread)
        upcoming = next()
        continue
      }
      upcoming = takeRun(from: first, next)
      if case .entered = entry { core._withUnsafeGuaranteedRef { $0.leave(thread) } }
    }
  }

  /// Handles values until other threads have something to do in the loop; called by its owner.
  ///
  /// The demand that the handler returns is not passed on, since everything has been requested.
  ///
  /// - Returns: The next value; `nil` if the stream or this upstream has ended.
  @inlinable @inline(__always)
  internal func takeRun(from first: Input, _ next: () -> Input?) -> Input? {
    let core = core
    var value = first
    while isOpen {
      _ = handler.take(value)
      guard let following = next() else { return nil }
      value = following
      if core._withUnsafeGuaranteedRef({ $0.hasOtherWork }) { return value }
    }
    return nil
  }

  /// Whether values count: neither the stream nor this upstream has ended.
  @_alwaysEmitIntoClient
  internal var isOpen: Bool { handler.isActive && !core._withUnsafeGuaranteedRef { $0.isClosed } }

  @_alwaysEmitIntoClient @inline(never)
  package func receive(completion: Subscribers.Completion<Handler.Failure>) {
    guard handler.detach(completion) else { return }
    let core = core
    if core._withUnsafeGuaranteedRef({ $0.isClosed }) { return }
    core.act(
      or: (), { if handler.mustWait { postpone(completion, currentThread()) } else { handler.end(completion) } },
      later: { postpone(completion, $0) })
  }

  // The queued paths are functions of their own, so that the path without contention counts no references.

  @inlinable @inline(never)
  internal func postpone(_ input: Handler.Input, _ thread: UInt) -> Subscribers.Demand {
    handler.core.postpone(thread) { [handler] in
      let more = handler.take(input)
      // `receive(_:)` returned `.none` to the upstream long ago, so its demand has to be requested.
      handler.core.requestLater(more, from: handler.inlet)
    }
    return .none
  }

  @inlinable @inline(never)
  internal func postpone(_ completion: Subscribers.Completion<Handler.Failure>, _ thread: UInt) {
    handler.core.postpone(thread) { [handler] in handler.end(completion) }
  }
}

extension InletSubscriber: Subscription, Cancellable where Handler: SubscriptionInletHandler {
  @usableFromInline
  package func request(_ demand: Subscribers.Demand) { handler.core.request(demand) }

  @usableFromInline
  package func cancel() { handler.core.cancel() }
}

extension InletSubscriber: CustomStringConvertible, CustomReflectable, CustomPlaygroundDisplayConvertible {
  @usableFromInline
  package var description: String { handler.core.name }

  @usableFromInline
  package var customMirror: Mirror {
    Mirror(
      self,
      children: Handler.sharesIdentity
        ? handler.core.mirrorChildren : [("parentSubscription", handler.core.combineIdentifier)])
  }

  @usableFromInline
  package var playgroundDescription: Any { description }
}

extension InletSubscriber: LinkPart {
  internal var link: any InspectableLink { handler.core }
}
