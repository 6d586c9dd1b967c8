// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Shares one subscription to this publisher among several subscribers, through a subject that a closure creates.
  ///
  /// ![Both subscribers share a subject. Upstream is subscribed to when connect() is called.](multicast)
  ///
  /// Upstream is subscribed to when ``Publishers/Multicast/connect()`` is called.
  ///
  /// ```swift
  /// let shared = [1, 2].publisher.multicast { PassthroughSubject<Int, Never>() }
  /// let first = shared.sink { print("first", $0) }
  /// let second = shared.sink { print("second", $0) }
  /// let connection = shared.connect()
  /// // Prints "first 1", "second 1", "first 2", "second 2" on four lines.
  /// ```
  ///
  /// **Demand:** the subject decides. A ``PassthroughSubject`` requests unlimited values from upstream once any
  /// subscriber has requested a value, and drops values that a subscriber has not requested.
  ///
  /// **Completion:** delivered to all subscribers; the subject keeps it for those that arrive later.
  ///
  /// **Failure:** as for a completion.
  ///
  /// **Concurrency:** any thread may subscribe and connect. The subject delivers one value at a time, in the same order
  /// to all subscribers. The closure runs on the first subscription or connection, with no lock held; two threads that
  /// arrive at the same moment may both run it, and one of the two subjects is dropped.
  ///
  /// Use ``share()`` to connect with the first subscriber and disconnect with the last, and ``makeConnectable()`` if
  /// the publisher cannot fail and the subject does not matter.
  ///
  /// - Parameter createSubject: A closure that creates the subject, which is then kept.
  /// - Returns: A connectable publisher.
  @_alwaysEmitIntoClient
  public consuming func multicast<S: Subject>(
    _ createSubject: @escaping () -> S
  ) -> Publishers.Multicast<Self, S> where Failure == S.Failure, Output == S.Output {
    Publishers.Multicast(upstream: self, createSubject: createSubject)
  }

  /// Shares one subscription to this publisher among several subscribers, through a given subject.
  ///
  /// ![Both subscribers subscribe to the subject, which gives them its current value at once.](multicast-subject)
  ///
  /// Upstream is subscribed to when ``Publishers/Multicast/connect()`` is called.
  ///
  /// ```swift
  /// let latest = CurrentValueSubject<Int, Never>(0)
  /// let shared = [1, 2].publisher.multicast(subject: latest)
  /// let cancellable = shared.sink { print($0) }
  /// let connection = shared.connect()
  /// // Prints "0", "1", "2" on three lines.
  /// ```
  ///
  /// **Demand:** the subject decides: a ``CurrentValueSubject`` requests unlimited values from upstream at once, a
  /// ``PassthroughSubject`` once any subscriber has requested a value.
  ///
  /// **Completion:** delivered to all subscribers; the subject keeps it for those that arrive later.
  ///
  /// **Failure:** as for a completion.
  ///
  /// **Concurrency:** any thread may subscribe and connect. The subject delivers one value at a time, in the same order
  /// to all subscribers.
  ///
  /// Use ``share()`` to connect with the first subscriber and disconnect with the last, and ``makeConnectable()`` if
  /// the publisher cannot fail and the subject does not matter.
  ///
  /// - Parameter subject: The subject that receives the upstream values.
  /// - Returns: A connectable publisher.
  @_alwaysEmitIntoClient
  public consuming func multicast<S: Subject>(
    subject: S
  ) -> Publishers.Multicast<Self, S> where Failure == S.Failure, Output == S.Output {
    multicast { subject }
  }
}

extension Publishers {
  /// A publisher that shares one upstream subscription through a subject; see ``Publisher/multicast(_:)``.
  public final class Multicast<Upstream: Publisher, SubjectType: Subject>: ConnectablePublisher, _DerivedTypes
  where Upstream.Failure == SubjectType.Failure, Upstream.Output == SubjectType.Output {
    public typealias _Origin = Upstream

    /// The publisher whose values are shared.
    public let upstream: Upstream

    /// The closure that creates the subject.
    public let createSubject: () -> SubjectType

    @usableFromInline internal let subject = SetOnce<SubjectType>()

    /// Creates a publisher that shares one upstream subscription through a subject.
    @_alwaysEmitIntoClient
    public init(upstream: Upstream, createSubject: @escaping () -> SubjectType) {
      self.upstream = upstream
      self.createSubject = createSubject
    }

    @_alwaysEmitIntoClient @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Failure == S.Failure, Upstream.Output == S.Input {
      subject.object(createSubject).subscribe(MulticastLink(to: subscriber))
    }

    /// Subscribes the subject to the upstream publisher.
    ///
    /// Each call subscribes again: if it is connected twice, subscribers receive every value twice.
    ///
    /// - Returns: An ``AnyCancellable``; the upstream subscription ends when it is cancelled or deallocated.
    ///   Subscribers are not notified of that, and receive values again after another call to `connect()`.
    @_alwaysEmitIntoClient
    public func connect() -> any Cancellable { _connect { _ in }.connection }

    @_alwaysEmitIntoClient
    public func _connect(
      _ announce: (any Cancellable) -> Void
    ) -> (connection: any Cancellable, phase: _ConnectionPhase) {
      let subscriber = SubjectSubscriber(subject.object(createSubject))
      let connection = AnyCancellable(subscriber)
      announce(connection)
      upstream.subscribe(subscriber)
      guard subscriber.hasFinished else { return (connection, .live) }
      // A foreign subject may continue after a completion.
      return (connection, subscriber.fanOut == nil ? .over : .ended)
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
    subscription = ManagedSubscription(name: "Multicast", rules: ManagedRules(acceptsZeroDemand: true))
  }

  @_alwaysEmitIntoClient
  internal func receive(subscription upstream: any Subscription) {
    if subscription.slot.attach(upstream) { downstream.receive(subscription: subscription) }
  }

  /// Requests from the subject the demand that the subscriber returns: only a request makes a subject deliver a value
  /// that was missed.
  @_alwaysEmitIntoClient
  internal func receive(_ input: Downstream.Input) -> Subscribers.Demand {
    guard subscription.slot.phase == .active else { return .none }
    let more = downstream.receive(input)
    if more != .none { subscription.slot.request(more) }
    return .none
  }

  @_alwaysEmitIntoClient
  internal func receive(completion: Subscribers.Completion<Downstream.Failure>) {
    if subscription.slot.finish() { downstream.receive(completion: completion) }
  }
}

extension MulticastLink: LinkSubscriber {}
