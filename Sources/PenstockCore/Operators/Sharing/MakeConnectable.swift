// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher where Failure == Never {
  /// Holds this publisher back until it is told to start.
  ///
  /// Many subscribers can thus attach before the first value. They share one subscription to this publisher.
  ///
  /// ```swift
  /// let source = [1, 2].publisher.makeConnectable()
  /// let first = source.sink { print("first", $0) }
  /// let second = source.sink { print("second", $0) }
  /// let connection = source.connect()
  /// // Prints "first 1", "second 1", "first 2", "second 2" on four lines.
  /// ```
  ///
  /// **Demand:** upstream is asked for everything, once it is connected and any subscriber has asked for anything. A value
  /// that a subscriber has not asked for is dropped for that subscriber.
  ///
  /// **Completion:** reaches all subscribers, also those that come later.
  ///
  /// **Failure:** there is none.
  ///
  /// **Concurrency:** any thread may subscribe and connect. Values are delivered one at a time, in one order.
  ///
  /// - Returns: A publisher that starts when told to.
  @inlinable
  public func makeConnectable() -> Publishers.MakeConnectable<Self> {
    Publishers.MakeConnectable(upstream: self)
  }
}

extension Publishers {
  /// A publisher that holds another back until it is told to start; see ``Publisher/makeConnectable()``.
  ///
  /// Copies share subscribers and connections.
  public struct MakeConnectable<Upstream: Publisher>: ConnectablePublisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    @usableFromInline internal let multicast: Multicast<Upstream, PassthroughSubject<Output, Failure>>

    /// Makes a publisher that holds another back until it is told to start.
    @inlinable
    public init(upstream: Upstream) {
      multicast = Multicast(upstream: upstream, createSubject: PassthroughSubject.init)
    }

    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Failure == S.Failure, Output == S.Input {
      multicast.receive(subscriber: subscriber)
    }

    /// Subscribes to upstream; see ``Publishers/Multicast/connect()``.
    ///
    /// - Returns: An ``AnyCancellable`` that stops upstream. Dropping it stops upstream too.
    @inlinable
    public func connect() -> any Cancellable {
      multicast.connect()
    }
  }
}
