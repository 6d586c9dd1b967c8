// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// What one subscriber of a ``Future`` waits for.
///
/// A result goes out when it is known, the subscriber has been introduced to its subscription, and has asked; a failure
/// needs no asking. Each of the three can come last, on any thread. Whoever brings the last one takes the link out of
/// the state and delivers, so that there is one delivery, and none overlaps with the introduction.
@usableFromInline
package final class FutureSubscription: CoreSubscription {
  /// What the subscription keeps alive until it is over.
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

  /// What is known of the result.
  ///
  /// The result itself stays with the future.
  @usableFromInline
  internal enum Prospect: Sendable {
    case unknown, value, failure
  }

  @usableFromInline
  internal struct State {
    /// Empty once a delivery has begun, or after a cancel.
    @usableFromInline internal var link: Link?
    /// Whether `receive(subscription:)` has returned.
    @usableFromInline internal var isIntroduced = false
    @usableFromInline internal var isRequested = false
    @usableFromInline internal var isCancelled = false
    @usableFromInline internal var prospect = Prospect.unknown

    @inlinable
    internal init(_ link: Link) { self.link = link }

    /// The link, if its time has come.
    ///
    /// - Parameter isWithin: Whether the caller is inside of the introduction, on the thread of that.
    internal mutating func takeIfDue(isWithin: Bool = false) -> Link? {
      guard isIntroduced || isWithin, prospect == .failure || prospect == .value && isRequested else { return nil }
      return link.take()
    }
  }

  /// What only code that knows the types can do.
  ///
  /// Neither closure captures anything.
  @usableFromInline
  internal struct TypedWork {
    /// Delivers the result.
    @usableFromInline internal let deliver: (Link, FutureSubscription) -> Void
    /// Tells the future that this subscription waits no longer.
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

  /// The place in the order of the subscribers.
  ///
  /// Set before anybody else knows the subscription.
  @usableFromInline internal var number: UInt = 0

  @inlinable
  internal init(_ link: Link, typed: TypedWork) {
    state = Guarded(State(link))
    self.typed = typed
  }

  // MARK: What comes from below

  /// Delivers at once what is known already, even while the subscriber is being introduced, if it is that call which asks.
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

  // MARK: What comes from the future

  /// Notes that `receive(subscription:)` has returned.
  @usableFromInline
  internal func introduced() {
    let due = state.withLock { state in
      state.isIntroduced = true
      return state.takeIfDue()
    }
    if let due { typed.deliver(due, self) }
  }

  /// Notes a result that was there before the subscriber.
  @usableFromInline
  internal func foresee(_ prospect: Prospect) {
    state.withLock { $0.prospect = prospect }
  }

  /// Notes that there is a result.
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
