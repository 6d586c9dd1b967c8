// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The subscription of one subscriber of a ``Future``.
///
/// A value is delivered when three conditions hold: the result is known, `receive(subscription:)` has returned, and the
/// subscriber has requested. A failure needs no request. Any of the conditions may be fulfilled last, on any thread.
/// The thread that fulfils the last one takes the link out of the state and delivers: so there is exactly one delivery,
/// and it never overlaps with the introduction.
@usableFromInline
package final class FutureSubscription: BaseSubscription {
  /// The objects that the subscription keeps alive until it is over.
  @usableFromInline
  internal struct Link {
    @usableFromInline internal let parent: AnyObject
    @usableFromInline internal let downstream: ErasedSubscriber

    @inlinable
    internal init(parent: AnyObject, downstream: ErasedSubscriber) {
      self.parent = parent
      self.downstream = downstream
    }
  }

  /// What the subscription knows of the result.
  ///
  /// The result itself is stored by the future.
  @usableFromInline
  internal enum Prospect: Sendable {
    case unknown, value, failure
  }

  @usableFromInline
  internal struct State {
    /// `nil` once the delivery has begun, or after a cancel.
    @usableFromInline internal var link: Link?
    /// Whether `receive(subscription:)` has returned.
    @usableFromInline internal var isIntroduced = false
    @usableFromInline internal var isRequested = false
    @usableFromInline internal var isCancelled = false
    @usableFromInline internal var prospect = Prospect.unknown

    @inlinable
    internal init(_ link: Link) { self.link = link }

    /// Removes the link, if the result can be delivered.
    ///
    /// - Parameter isWithin: Whether the call comes from the introduction, on the introducing thread.
    internal mutating func takeIfDue(isWithin: Bool = false) -> Link? {
      guard isIntroduced || isWithin, prospect == .failure || prospect == .value && isRequested else { return nil }
      return link.take()
    }
  }

  /// The work that depends on types.
  ///
  /// Neither closure captures anything.
  @usableFromInline
  internal struct TypedWork {
    /// Delivers the result.
    @usableFromInline internal let deliver: (Link, FutureSubscription) -> Void
    /// Removes this subscription from the future's list.
    @usableFromInline internal let leave: (Link, FutureSubscription) -> Void

    @inlinable
    internal init(
      deliver: @escaping (Link, FutureSubscription) -> Void, leave: @escaping (Link, FutureSubscription) -> Void
    ) {
      self.deliver = deliver
      self.leave = leave
    }
  }

  @usableFromInline internal let state: Guarded<State>
  @usableFromInline internal let introduction = IntroductionHold()
  @usableFromInline internal let typed: TypedWork

  /// The position in the order of the subscribers.
  ///
  /// Set before another thread knows the subscription.
  @usableFromInline internal var number: UInt = 0

  @inlinable
  internal init(_ link: Link, typed: TypedWork) {
    state = Guarded(State(link))
    self.typed = typed
  }

  // MARK: Signals from downstream

  /// Delivers a known result at once; during the introduction only on the introducing thread.
  @usableFromInline
  package override func request(_ demand: Subscribers.Demand) {
    if demand == .none { trap(.requestedNothing) }
    let due = state.withLock { state -> Link? in
      state.isRequested = true
      return state.takeIfDue(isWithin: introduction.isWithin)
    }
    if let due { typed.deliver(due, self) }
  }

  @usableFromInline
  package override func cancel() {
    let link = state.withLock { state in
      state.isCancelled = true
      return state.link.take()
    }
    if let link { typed.leave(link, self) }
  }

  @usableFromInline
  internal var isCancelled: Bool { state.withLock { $0.isCancelled } }

  // MARK: Signals from the future

  /// Records that `receive(subscription:)` has returned.
  @usableFromInline
  internal func introduced() {
    let due = state.withLock { state in
      state.isIntroduced = true
      return state.takeIfDue()
    }
    if let due { typed.deliver(due, self) }
  }

  /// Records a result that was there before the subscriber.
  @usableFromInline
  internal func foresee(_ prospect: Prospect) {
    state.withLock { $0.prospect = prospect }
  }

  /// Records a new result, and delivers it if it is due.
  @usableFromInline
  internal func settle(_ prospect: Prospect) {
    let due = state.withLock { state in
      state.prospect = prospect
      return state.takeIfDue(isWithin: introduction.isWithin)
    }
    if let due { typed.deliver(due, self) }
  }

  // MARK: Texts

  @usableFromInline
  package override var description: String { "Future" }

  @usableFromInline
  package override var mirrorChildren: [(label: String?, value: Any)] {
    let (link, isRequested) = state.withLock { ($0.link, $0.isRequested) }
    return [
      ("parent", link?.parent as Any), ("downstream", link?.downstream.underlying as Any),
      ("hasAnyDemand", isRequested), ("subject", link?.parent as Any),
    ]
  }
}
