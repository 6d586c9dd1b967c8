// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

/// The rule of `retryWhen`: after a failure a wait follows, and after the wait the same publisher.
///
/// The wait is an upstream without values that finishes when the trigger has decided. So a cancel reaches it like any
/// upstream, and demand that is added meanwhile stays outstanding.
@usableFromInline
internal struct RetryWhenRule<Repeated: Publisher>: SequentialRule {
  @usableFromInline internal typealias Output = Repeated.Output
  @usableFromInline internal typealias Upstream = Repeated.Failure
  @usableFromInline internal typealias Downstream = Repeated.Failure

  /// What follows a completion.
  @usableFromInline
  internal enum Next {
    case wait(Repeated.Failure)
    case attempt
  }

  @usableFromInline internal let upstream: Repeated
  @usableFromInline internal let trigger: RetryTrigger<Repeated.Failure>

  @inlinable
  internal init(_ upstream: Repeated, _ trigger: RetryTrigger<Repeated.Failure>) {
    self.upstream = upstream
    self.trigger = trigger
  }

  @inlinable
  internal static var name: String { "RetryWhen" }

  @inlinable
  internal static var traits: SequentialTraits {
    SequentialTraits(trapsUnrequested: true, isEndless: true, acceptsZeroDemand: false)
  }

  @inlinable
  internal func next(
    after completion: Subscribers.Completion<Upstream>, number: UInt
  ) -> SequentialStep<Next, Downstream> {
    // Attempts and waits alternate.
    if number.isMultiple(of: 2) {
      guard let end = trigger.decision else { return .start(with: .attempt) }
      return .finish(end)
    }
    if case .failure(let failure) = completion { return .start(with: .wait(failure)) }
    trigger.cancel()
    return .finish(.finished)
  }

  @inlinable
  internal func subscribe(_ subscriber: SequentialSubscriber<Self>, to next: Next) {
    switch next {
    case .attempt:
      upstream.subscribe(subscriber)
    case .wait(let failure):
      subscriber.receive(subscription: RetryTriggerWait(trigger))
      trigger.decide(about: failure) { subscriber.receive(completion: .finished) }
    }
  }
}

/// The trigger of one subscription, and the failure that waits for it.
@usableFromInline
internal final class RetryTrigger<Failure: Error> {
  internal struct State {
    /// The subscription to the trigger.
    var subscription: AnyCancellable?
    /// Continues after the wait; `nil` if no failure waits.
    var resume: (() -> Void)?
    /// How the trigger has ended.
    var end: Subscribers.Completion<Failure>?
    /// What the latest wait came to: the completion of the stream, or `nil` for another attempt.
    ///
    /// Kept apart from ``end``, since the trigger may end after the next attempt has been decided on.
    var decision: Subscribers.Completion<Failure>?
    /// Whether the stream has ended.
    var isOver = false
  }

  @usableFromInline internal let failures = PassthroughSubject<Failure, Never>()
  private let state = Guarded(State())

  @usableFromInline
  internal init() {}

  /// Subscribes to the trigger.
  ///
  /// The trigger does not keep this object alive: the operator does, which owns the subscription through it.
  @usableFromInline
  internal func subscribe<Trigger: Publisher>(to trigger: Trigger) where Trigger.Failure == Failure {
    let subscription = trigger.sink(
      receiveCompletion: { [weak self] in self?.triggerEnded($0) }, receiveValue: { [weak self] _ in self?.fire() })
    let dropped = state.withLock { state -> AnyCancellable? in
      if state.isOver { return subscription }
      state.subscription = subscription
      return nil
    }
    dropped?.cancel()
  }

  @usableFromInline
  internal var decision: Subscribers.Completion<Failure>? { state.withLock { $0.decision } }

  /// Passes a failure to the trigger.
  ///
  /// - Parameter resume: Called when the trigger has decided, on any thread, perhaps during this call; not called after
  ///   a cancel.
  @usableFromInline
  internal func decide(about failure: Failure, resume: @escaping () -> Void) {
    let (mustAsk, mustResume) = state.withLock { state -> (Bool, Bool) in
      if state.isOver { return (false, false) }
      state.decision = state.end
      if state.end != nil { return (false, true) }
      state.resume = resume
      return (true, false)
    }
    if mustAsk { failures.send(failure) }
    if mustResume { resume() }
  }

  private func fire() {
    let resume = state.withLock { $0.resume.take() }
    resume?()
  }

  private func triggerEnded(_ end: Subscribers.Completion<Failure>) {
    let resume = state.withLock { state -> (() -> Void)? in
      state.end = end
      if state.resume != nil { state.decision = end }
      return state.resume.take()
    }
    resume?()
  }

  /// Ends the subscription to the trigger.
  @usableFromInline
  internal func cancel() {
    let (subscription, resume) = state.withLock { state in
      state.isOver = true
      return (state.subscription.take(), state.resume.take())
    }
    subscription?.cancel()
    // Freed only here, outside the lock, since it keeps the subscriber.
    _ = consume resume
  }
}

/// The subscription during a wait.
@usableFromInline
internal struct RetryTriggerWait<Failure: Error>: Subscription {
  @usableFromInline internal let trigger: RetryTrigger<Failure>

  @inlinable
  internal init(_ trigger: RetryTrigger<Failure>) { self.trigger = trigger }

  @usableFromInline
  internal var combineIdentifier: CombineIdentifier { CombineIdentifier(trigger) }

  @usableFromInline
  internal func request(_ demand: Subscribers.Demand) {}

  @usableFromInline
  internal func cancel() { trigger.cancel() }
}
