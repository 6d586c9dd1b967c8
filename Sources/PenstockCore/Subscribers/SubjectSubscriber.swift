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
  /// - Returns: The means to stop. The subject is not completed by it. Stopping before the subscription has arrived is
  ///   remembered; Combine forgets it.
  @inlinable
  public func subscribe<S: Subject>(_ subject: S) -> AnyCancellable where Failure == S.Failure, Output == S.Output {
    let subscriber = SubjectSubscriber(subject)
    subscribe(subscriber)
    return AnyCancellable(subscriber)
  }
}

/// The subscriber that sends into a subject.
///
/// A cancel before the subscription is remembered: an upstream that is delivering on another thread may hand its
/// subscription out later.
@usableFromInline
internal final class SubjectSubscriber<Target: Subject>: Subscriber, Subscription {
  /// Weak, so that upstream does not keep the subject alive; constant, so that values need no lock to read it.
  @usableFromInline internal weak let target: Target?
  @usableFromInline internal let slot = SubscriptionSlot()

  @inlinable
  internal init(_ target: Target) {
    self.target = target
  }

  @usableFromInline
  internal func receive(subscription: any Subscription) {
    // A second subscription is neither kept nor cancelled, as in Combine; one that comes too late is cancelled.
    if slot.phase != .active, slot.attach(subscription) { target?.send(subscription: self) }
  }

  @inlinable
  internal func receive(_ input: Target.Output) -> Subscribers.Demand {
    if slot.phase == .active { target?.send(input) }
    return .none
  }

  @inlinable
  internal func receive(completion: Subscribers.Completion<Target.Failure>) {
    if slot.finish() { target?.send(completion: completion) }
  }

  @usableFromInline
  internal func request(_ demand: Subscribers.Demand) {
    slot.request(demand)
  }

  @usableFromInline
  internal func cancel() {
    slot.cancel(early: true)
  }
}

extension SubjectSubscriber: CustomStringConvertible, CustomReflectable, CustomPlaygroundDisplayConvertible {
  @usableFromInline
  internal var description: String { "Subject" }

  @usableFromInline
  internal var customMirror: Mirror {
    let shown = slot.phase == .terminal ? nil : target
    return Mirror(
      self,
      children: [
        "downstreamSubject": shown as Any, "upstreamSubscription": slot.current as Any, "subject": shown as Any,
      ])
  }

  @usableFromInline
  internal var playgroundDescription: Any { description }
}

@available(*, unavailable)
extension SubjectSubscriber: Sendable {}
