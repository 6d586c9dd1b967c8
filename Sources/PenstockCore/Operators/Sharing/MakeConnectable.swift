// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher where Failure == Never {
  /// Turns this publisher into one that starts only when it is connected.
  ///
  /// ![Upstream is subscribed to when connect() is called, so both subscribers get all of it.](make-connectable)
  ///
  /// So several subscribers can attach before the first value. They share one subscription to this publisher.
  ///
  /// ```swift
  /// let source = [1, 2].publisher.makeConnectable()
  /// let first = source.sink { print("first", $0) }
  /// let second = source.sink { print("second", $0) }
  /// let connection = source.connect()
  /// // Prints "first 1", "second 1", "first 2", "second 2" on four lines.
  /// ```
  ///
  /// **Demand:** once it is connected and any subscriber has requested a value, unlimited values are requested from
  /// upstream. A value that a subscriber has not requested is dropped for that subscriber.
  ///
  /// **Completion:** delivered to all subscribers, and to those that arrive later.
  ///
  /// **Failure:** none; the publisher cannot fail.
  ///
  /// **Concurrency:** any thread may subscribe and connect. Values are delivered one at a time, in the same order to
  /// all subscribers.
  ///
  /// Use ``ConnectablePublisher/autoconnect()`` to connect with the first subscriber, and ``multicast(_:)`` for a
  /// publisher that can fail, or to choose the subject.
  ///
  /// - Returns: A connectable publisher.
  @_alwaysEmitIntoClient
  public consuming func makeConnectable() -> Publishers.MakeConnectable<Self> {
    Publishers.MakeConnectable(upstream: self)
  }
}

extension Publishers {
  /// A publisher that starts only when it is connected; see ``Publisher/makeConnectable()``.
  ///
  /// Copies share their subscribers and connections.
  public struct MakeConnectable<Upstream: Publisher>: ConnectablePublisher, _DerivedTypes {
    public typealias _Origin = Upstream

    @usableFromInline internal let multicast: Multicast<Upstream, PassthroughSubject<Self.Output, Failure>>

    /// Creates a publisher that starts only when it is connected.
    @_alwaysEmitIntoClient
    public init(upstream: Upstream) {
      multicast = Multicast(upstream: upstream, createSubject: PassthroughSubject.init)
    }

    @_alwaysEmitIntoClient @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Failure == S.Failure, Self.Output == S.Input {
      multicast.receive(subscriber: subscriber)
    }

    /// Subscribes to the upstream publisher; see ``Publishers/Multicast/connect()``.
    ///
    /// - Returns: An ``AnyCancellable``; the upstream subscription ends when it is cancelled or deallocated.
    @_alwaysEmitIntoClient
    public func connect() -> any Cancellable {
      multicast.connect()
    }

    @_alwaysEmitIntoClient
    public func _connect(
      _ announce: (any Cancellable) -> Void
    ) -> (connection: any Cancellable, phase: _ConnectionPhase) {
      multicast._connect(announce)
    }
  }
}
