// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Sends what this publisher delivers into a subject.
  ///
  /// **Demand:** the subject decides: a ``CurrentValueSubject`` asks for everything at once, a ``PassthroughSubject``
  /// as soon as one of its own subscribers has asked for anything.
  ///
  /// **Completion:** sent into the subject.
  ///
  /// **Failure:** sent into the subject.
  ///
  /// The subject is not kept alive by this.
  ///
  /// - Parameter subject: The subject to send into.
  /// - Returns: The means to stop. The subject is not completed by it.
  @inlinable
  public func subscribe<S: Subject>(_ subject: S) -> AnyCancellable where Failure == S.Failure, Output == S.Output {
    let subscriber = SubjectSubscriber(subject)
    subscribe(subscriber)
    return AnyCancellable(subscriber)
  }
}

/// The subscriber that sends into a subject.
@usableFromInline
internal final class SubjectSubscriber<Target: Subject>: Subscriber, Subscription {
  @usableFromInline
  internal struct State {
    @usableFromInline internal weak var target: Target?
    @usableFromInline internal var upstream: (any Subscription)?
    @usableFromInline internal var ended = false

    @inlinable
    internal init(_ target: Target) { self.target = target }
  }

  @usableFromInline internal let state: Guarded<State>

  @inlinable
  internal init(_ target: Target) {
    state = Guarded(State(target))
  }

  @usableFromInline
  internal func receive(subscription: any Subscription) {
    let (target, rejected) = state.withLock { state -> (Target?, Bool) in
      // A second subscription is neither kept nor cancelled, as in Combine; one that comes too late is cancelled.
      if state.ended { return (nil, true) }
      guard state.upstream == nil else { return (nil, false) }
      state.upstream = subscription
      return (state.target, false)
    }
    if rejected { return subscription.cancel() }
    target?.send(subscription: self)
  }

  @inlinable
  internal func receive(_ input: Target.Output) -> Subscribers.Demand {
    let target = state.withLock { $0.upstream == nil ? nil : $0.target }
    target?.send(input)
    return .none
  }

  @inlinable
  internal func receive(completion: Subscribers.Completion<Target.Failure>) {
    end().target?.send(completion: completion)
  }

  @usableFromInline
  internal func request(_ demand: Subscribers.Demand) {
    state.withLock { $0.upstream }?.request(demand)
  }

  @usableFromInline
  internal func cancel() {
    end().upstream?.cancel()
  }

  @usableFromInline
  internal func end() -> (target: Target?, upstream: (any Subscription)?) {
    state.withLock { state in
      if state.upstream == nil { return (nil, nil) }
      state.ended = true
      defer { state.target = nil }
      return (state.target, state.upstream.take())
    }
  }
}

extension SubjectSubscriber: CustomStringConvertible, CustomReflectable, CustomPlaygroundDisplayConvertible {
  @usableFromInline
  internal var description: String { "Subject" }

  @usableFromInline
  internal var customMirror: Mirror {
    let (target, upstream) = state.withLock { ($0.target, $0.upstream) }
    return Mirror(
      self,
      children: [
        "downstreamSubject": target as Any, "upstreamSubscription": upstream as Any, "subject": target as Any,
      ])
  }

  @usableFromInline
  internal var playgroundDescription: Any { description }
}

@available(*, unavailable)
extension SubjectSubscriber: Sendable {}

@available(*, unavailable)
extension SubjectSubscriber.State: Sendable {}
