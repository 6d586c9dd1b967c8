// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import Synchronization

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
///
/// It does not keep the subject alive. Of a subject of the library's it keeps the fan-out, which outlives the subject
/// without harm, and whose members keep the subject. Only the subject of somebody else is referred to weakly: a weak
/// reference is slow itself, and slows down whoever counts references to the same object from then on.
@usableFromInline
internal final class SubjectSubscriber<Target: Subject>: Subscriber, Subscription {
  @usableFromInline
  internal struct State {
    @usableFromInline internal weak var target: Target?
    @usableFromInline internal var upstream: (any Subscription)?
    @usableFromInline internal var ended = false

    @inlinable
    internal init(_ target: Target?) { self.target = target }
  }

  @usableFromInline internal let fanOut: FanOut<Target.Output, Target.Failure>?
  @usableFromInline internal let state: Guarded<State>

  /// Whether a subscription is in place: spares the lock for every value of a fan-out.
  @usableFromInline internal let isActive = Atomic(false)

  @inlinable
  internal init(_ target: Target) {
    fanOut =
      (target as? PassthroughSubject<Target.Output, Target.Failure>)?.fanOut
      ?? (target as? CurrentValueSubject<Target.Output, Target.Failure>)?.fanOut
    state = Guarded(State(fanOut == nil ? target : nil))
  }

  @usableFromInline
  internal func receive(subscription: any Subscription) {
    let (target, isTaken, isLate) = state.withLock { state -> (Target?, Bool, Bool) in
      // A second subscription is neither kept nor cancelled, as in Combine; one that comes too late is cancelled.
      if state.ended { return (nil, false, true) }
      guard state.upstream == nil else { return (nil, false, false) }
      state.upstream = subscription
      isActive.store(true, ordering: .relaxed)
      return (state.target, true, false)
    }
    if isLate { return subscription.cancel() }
    guard isTaken else { return }
    if let fanOut { fanOut.upstream.add(self) } else { target?.send(subscription: self) }
  }

  @inlinable
  internal func receive(_ input: Target.Output) -> Subscribers.Demand {
    if let fanOut {
      if isActive.load(ordering: .relaxed) { fanOut.pass(input) }
    } else {
      state.withLock { $0.upstream == nil ? nil : $0.target }?.send(input)
    }
    return .none
  }

  @inlinable
  internal func receive(completion: Subscribers.Completion<Target.Failure>) {
    let (target, upstream) = end()
    guard upstream != nil else { return }
    if let fanOut { fanOut.send(completion: completion) } else { target?.send(completion: completion) }
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
      isActive.store(false, ordering: .relaxed)
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
    let (foreign, upstream) = state.withLock { ($0.target, $0.upstream) }
    let target: AnyObject? = foreign ?? fanOut
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
