// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Lets many subscribers share one subscription to this publisher, through a subject made by a closure.
  ///
  /// Nothing happens upstream until ``Publishers/Multicast/connect()`` is called.
  ///
  /// ```swift
  /// let shared = [1, 2].publisher.multicast { PassthroughSubject<Int, Never>() }
  /// let first = shared.sink { print("first", $0) }
  /// let second = shared.sink { print("second", $0) }
  /// let connection = shared.connect()
  /// // Prints "first 1", "second 1", "first 2", "second 2" on four lines.
  /// ```
  ///
  /// **Demand:** the subject decides. A ``PassthroughSubject`` asks upstream for everything once any subscriber has asked
  /// for anything, and drops what a subscriber has not asked for.
  ///
  /// **Completion:** reaches all subscribers, and is kept by the subject for those that come later.
  ///
  /// **Failure:** the same.
  ///
  /// **Concurrency:** any thread may subscribe and connect. The subject delivers one value at a time, in one order. The
  /// closure runs when somebody first subscribes or connects, with no lock held; two threads that do so at the same
  /// moment may both run it, and one of the two subjects is dropped.
  ///
  /// - Parameter createSubject: Makes the subject, which is then kept for good.
  /// - Returns: A publisher that starts when told to.
  @inlinable
  public func multicast<S: Subject>(
    _ createSubject: @escaping () -> S
  ) -> Publishers.Multicast<Self, S> where Failure == S.Failure, Output == S.Output {
    Publishers.Multicast(upstream: self, createSubject: createSubject)
  }

  /// Lets many subscribers share one subscription to this publisher, through a given subject.
  ///
  /// Nothing happens upstream until ``Publishers/Multicast/connect()`` is called.
  ///
  /// ```swift
  /// let latest = CurrentValueSubject<Int, Never>(0)
  /// let shared = [1, 2].publisher.multicast(subject: latest)
  /// let cancellable = shared.sink { print($0) }
  /// let connection = shared.connect()
  /// // Prints "0", "1", "2" on three lines.
  /// ```
  ///
  /// **Demand:** the subject decides: a ``CurrentValueSubject`` asks upstream for everything at once, a
  /// ``PassthroughSubject`` once any subscriber has asked for anything.
  ///
  /// **Completion:** reaches all subscribers, and is kept by the subject for those that come later.
  ///
  /// **Failure:** the same.
  ///
  /// **Concurrency:** any thread may subscribe and connect. The subject delivers one value at a time, in one order.
  ///
  /// - Parameter subject: The subject that upstream's values are sent into.
  /// - Returns: A publisher that starts when told to.
  @inlinable
  public func multicast<S: Subject>(
    subject: S
  ) -> Publishers.Multicast<Self, S> where Failure == S.Failure, Output == S.Output {
    multicast { subject }
  }
}

extension Publishers {
  /// A publisher that shares one subscription to another among many subscribers, through a subject; see
  /// ``Publisher/multicast(_:)``.
  public final class Multicast<Upstream: Publisher, SubjectType: Subject>: ConnectablePublisher
  where Upstream.Failure == SubjectType.Failure, Upstream.Output == SubjectType.Output {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// The publisher whose values are shared.
    public let upstream: Upstream

    /// The closure that makes the subject.
    public let createSubject: () -> SubjectType

    @usableFromInline internal let subject = MadeOnce<SubjectType>()

    /// Makes a publisher that shares one subscription to another among many subscribers.
    @inlinable
    public init(upstream: Upstream, createSubject: @escaping () -> SubjectType) {
      self.upstream = upstream
      self.createSubject = createSubject
    }

    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Failure == S.Failure, Output == S.Input {
      subject.object(createSubject).subscribe(MulticastLink(to: subscriber))
    }

    /// Subscribes the subject to upstream.
    ///
    /// Each call does so: connected twice, subscribers get every value twice.
    ///
    /// - Returns: An ``AnyCancellable`` that stops upstream. Subscribers are not told, and get values again when there is
    ///   a new connection. Dropping it stops upstream too.
    @inlinable
    public func connect() -> any Cancellable {
      upstream.subscribe(subject.object(createSubject))
    }
  }
}

/// The operator between the subject and one subscriber of a multicast.
///
/// The subscription does not reference the subscriber, so the subscriber is freed when the subject releases this
/// operator.
@usableFromInline
internal struct MulticastLink<Downstream: Subscriber>: SplitOperator {
  @usableFromInline internal typealias Input = Downstream.Input
  @usableFromInline internal typealias Failure = Downstream.Failure

  @usableFromInline internal let downstream: Downstream
  @usableFromInline internal let subscription: ManagedSubscription

  @inlinable @inline(__always)
  internal init(to downstream: Downstream) {
    self.downstream = downstream
    subscription = ManagedSubscription(name: "Multicast", rules: ManagedRules(acceptsNothing: true))
  }

  @inlinable
  internal func receive(subscription upstream: any Subscription) {
    if subscription.slot.attach(upstream) { downstream.receive(subscription: subscription) }
  }

  /// Requests from the subject the demand that the subscriber returns: only a request makes a subject deliver a value
  /// that was missed.
  @inlinable
  internal func receive(_ input: Downstream.Input) -> Subscribers.Demand {
    guard subscription.slot.phase == .active else { return .none }
    let more = downstream.receive(input)
    if more != .none { subscription.slot.request(more) }
    return .none
  }

  @inlinable
  internal func receive(completion: Subscribers.Completion<Downstream.Failure>) {
    if subscription.slot.finish() { downstream.receive(completion: completion) }
  }
}

extension MulticastLink: ChainLink {}
