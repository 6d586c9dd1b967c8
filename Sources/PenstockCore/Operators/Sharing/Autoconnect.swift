// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension ConnectablePublisher {
  /// Connects to this publisher when the first subscriber arrives, and disconnects when the last one cancels.
  ///
  /// ![The first subscriber connects: upstream is subscribed to then, and once.](autoconnect)
  ///
  /// ```swift
  /// let source = [1, 2].publisher.makeConnectable().autoconnect()
  /// let cancellable = source.sink { print($0) }
  /// // Prints "1", "2" on two lines.
  /// ```
  ///
  /// **Demand:** passed to upstream unchanged.
  ///
  /// **Completion:** forwarded. A completion does not disconnect: only a cancel of all subscribers does.
  ///
  /// **Failure:** forwarded.
  ///
  /// **Concurrency:** any thread may subscribe and cancel. No lock is held while connecting or disconnecting. Only one
  /// connection exists at a time, even if more subscribers arrive before it is made: from several threads at once, or
  /// during the first one's subscription. In that case Combine connects twice. If all of them cancel before the
  /// connection is made, it is not made. If they cancel while it is being made, by an upstream that delivers at once,
  /// upstream is cancelled, even an endless one; subscribers that arrive before that call returns are then connected. A
  /// connectable publisher of your own is cancelled when its `connect()` has returned. If upstream has finished by
  /// then, later subscribers receive the completion, and upstream is not subscribed to again for them. A subscriber
  /// that arrives while another thread is disconnecting is connected by that thread, after it has disconnected.
  ///
  /// Use ``ConnectablePublisher/connect()`` to choose the moment yourself. ``Publisher/share()`` is a multicast with an
  /// automatic connection.
  ///
  /// - Returns: A publisher that connects automatically.
  @_alwaysEmitIntoClient
  public func autoconnect() -> Publishers.Autoconnect<Self> {
    Publishers.Autoconnect(upstream: self)
  }
}

extension Publishers {
  /// A publisher that connects to another one while it has subscribers; see ``ConnectablePublisher/autoconnect()``.
  public final class Autoconnect<Upstream: ConnectablePublisher>: Publisher, _DerivedTypes {
    public typealias _Origin = Upstream

    /// The publisher to connect to.
    public let upstream: Upstream

    @usableFromInline internal let connection: ConnectionCount

    /// Creates a publisher that connects to another one while it has subscribers.
    @_alwaysEmitIntoClient
    public convenience init(upstream: Upstream) {
      self.init(upstream: upstream, atLeast: 1)
    }

    /// Creates a publisher that connects to another one when it has a given number of subscribers, until it has none.
    @_alwaysEmitIntoClient
    package init(upstream: Upstream, atLeast threshold: Int) {
      self.upstream = upstream
      connection = ConnectionCount(threshold: threshold)
    }

    @_alwaysEmitIntoClient @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Failure == S.Failure, Upstream.Output == S.Input {
      let connects = connection.join()
      upstream.subscribe(AutoconnectLink(to: subscriber, of: self, holding: connection))
      if connects { connection.connect { [upstream] announce in upstream._connect(announce) } }
    }
  }
}

/// The operator between a connectable publisher and one subscriber of its `autoconnect()`.
///
/// It forwards every signal without checks.
@usableFromInline
internal struct AutoconnectLink<Downstream: Subscriber>: Subscriber {
  @usableFromInline internal typealias Input = Downstream.Input
  @usableFromInline internal typealias Failure = Downstream.Failure

  @usableFromInline internal let downstream: Downstream
  /// The publisher, kept alive as long as it has subscribers.
  @usableFromInline internal let parent: AnyObject
  @usableFromInline internal let connection: ConnectionCount
  // Without a default: a default would be one function for all types, which would look each type up.
  @usableFromInline internal let combineIdentifier: CombineIdentifier

  @inlinable @inline(__always)
  internal init(to downstream: Downstream, of parent: AnyObject, holding connection: ConnectionCount) {
    self.downstream = downstream
    self.parent = parent
    self.connection = connection
    combineIdentifier = CombineIdentifier()
  }

  @_alwaysEmitIntoClient
  internal func receive(subscription: any Subscription) {
    downstream.receive(subscription: connection.counting(subscription))
  }

  @_alwaysEmitIntoClient
  internal func receive(_ input: Downstream.Input) -> Subscribers.Demand {
    downstream.receive(input)
  }

  @_alwaysEmitIntoClient
  internal func receive(completion: Subscribers.Completion<Downstream.Failure>) {
    downstream.receive(completion: completion)
  }
}

extension AutoconnectLink: CustomStringConvertible, CustomReflectable, CustomPlaygroundDisplayConvertible {
  @usableFromInline
  internal var description: String { "Autoconnect" }

  @usableFromInline
  internal var customMirror: Mirror { Mirror(self, children: ["parent": parent, "downstream": downstream]) }

  @usableFromInline
  internal var playgroundDescription: Any { description }
}

extension AutoconnectLink: LinkSubscriber {}
