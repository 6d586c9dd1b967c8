// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The subscription of one subscriber of a ``Future``.
///
/// A value is delivered when three conditions hold: the result is known, `receive(subscription:)` has returned, and the
/// subscriber has requested. A failure needs no request. Any of the conditions may be fulfilled last, on any thread.
/// The thread that fulfils the last one takes the link out of the state and delivers: so there is exactly one delivery,
/// and it never overlaps with the introduction. The *link* is the reference to the future; the thread that takes it
/// releases the embedded subscriber as well, when nothing more is delivered to that.
@usableFromInline
package final class FutureSubscription: EmbeddingSubscription {
  /// The state of the result, as the subscription knows it.
  ///
  /// The result itself is stored by the future.
  @usableFromInline
  internal enum Outcome: Sendable {
    case unknown, value, failure
  }

  @usableFromInline
  internal struct State: ~Copyable {
    /// `nil` once the delivery has begun, or after a cancel.
    @usableFromInline internal var link: AnyObject?
    internal var isRequested = false
    internal var outcome = Outcome.unknown

    @_alwaysEmitIntoClient
    internal init(_ link: AnyObject) { self.link = link }

    /// Removes the link, if the result can be delivered.
    ///
    /// - Parameter isOpen: Whether the introduction is over, or the call comes from it, on the introducing thread.
    internal mutating func takeIfDue(_ isOpen: Bool) -> AnyObject? {
      guard isOpen, outcome == .failure || outcome == .value && isRequested else { return nil }
      return link.take()
    }
  }

  /// The work that the future has to do, which depends on its type.
  @usableFromInline
  internal enum Order: Sendable {
    /// Deliver the result.
    case deliver
    /// Remove this subscription from the list of those that wait.
    case leave
  }

  @usableFromInline internal let state: Guarded<State>
  /// Ended under the lock of the state, under which the threads that it is to hold read it.
  @usableFromInline internal let introduction = IntroductionHold()
  /// The future's part, which captures nothing.
  @usableFromInline internal let work: (AnyObject, FutureSubscription, Order) -> Void

  /// The index in the list of the subscriptions that wait; `-1` outside of it.
  ///
  /// Accessed under the future's lock.
  @exclusivity(unchecked) @usableFromInline internal var place = -1

  @usableFromInline
  internal init(
    of future: AnyObject, downstream: SubscriberCalls, work: @escaping (AnyObject, FutureSubscription, Order) -> Void
  ) {
    state = Guarded(State(future))
    self.work = work
    super.init(downstream: downstream)
  }

  // MARK: Signals from downstream

  /// Delivers a known result at once; during the introduction only on the introducing thread.
  @usableFromInline
  package override func request(_ demand: Subscribers.Demand) {
    if demand == .none { trap(.requestedNothing) }
    let due = state.withLock { state -> AnyObject? in
      state.isRequested = true
      return state.takeIfDue(introduction.isOpen)
    }
    deliver(due)
  }

  @usableFromInline
  package override func cancel() {
    noteCancel()
    let link = state.withLock { $0.link.take() }
    guard let link else { return }
    work(link, self, .leave)
    disembed()
  }

  /// Delivers the result, if this call has taken the link.
  private func deliver(_ due: AnyObject?) {
    guard let due else { return }
    work(due, self, .deliver)
    disembed()
  }

  @usableFromInline
  internal var isCancelled: Bool { closing == .cancelled }

  // MARK: Signals from the future

  /// Records that `receive(subscription:)` has returned.
  ///
  /// - Parameter hasRequested: Whether the subscriber needs no such call, since it would only request in it.
  @usableFromInline
  internal func introduced(hasRequested: Bool = false) {
    let due = state.withLock { state in
      _ = introduction.end()
      if hasRequested { state.isRequested = true }
      return state.takeIfDue(true)
    }
    deliver(due)
  }

  /// Records a result that was known before the subscriber came.
  @usableFromInline
  internal func record(_ outcome: Outcome) {
    state.withLock { $0.outcome = outcome }
  }

  /// Records a new result, and delivers it if it is due.
  internal func settle(_ outcome: Outcome) {
    let due = state.withLock { state in
      state.outcome = outcome
      return state.takeIfDue(introduction.isOpen)
    }
    deliver(due)
  }

  // MARK: Texts

  package override func show(in link: inout LinkState) {
    super.show(in: &link)
    let (future, isRequested, outcome) = state.withLock { ($0.link, $0.isRequested, $0.outcome) }
    link.phase = LinkState.Phase(isClosed: future == nil)
    link.demand = isRequested ? .max(1) : Subscribers.Demand.none
    if future != nil, outcome == .unknown { link.wait = .result }
    link.waiting = outcome == .value ? 1 : 0
  }

  @usableFromInline
  package override var description: String { "Future" }

  @usableFromInline
  package override var mirrorChildren: [(label: String?, value: Any)] {
    // Under the lock, the subscriber is present as long as the link is.
    let (link, downstream, isRequested) = state.withLock {
      ($0.link, $0.link == nil ? nil : underlying, $0.isRequested)
    }
    return [
      ("parent", link as Any), ("downstream", downstream as Any), ("hasAnyDemand", isRequested),
      ("subject", link as Any),
    ]
  }
}
