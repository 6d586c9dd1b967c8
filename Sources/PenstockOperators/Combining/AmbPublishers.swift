// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

/// An operator that races publishers.
@usableFromInline
internal protocol AmbPublisher: SerialOperator where Core == AmbSubscriber<Output, Failure> {
  var count: Int { get }

  /// Subscribes to one publisher after the other, until there is a winner.
  func join(_ core: Core)
}

extension AmbPublisher {
  @inlinable
  package func makeCore(_ downstream: __owned SubscriberCalls) -> AmbSubscriber<Output, Failure> {
    AmbSubscriber<Output, Failure>(AmbEngine(count), name: "Amb", downstream: downstream)
  }

  @inlinable @inline(__always)
  package func start<Downstream: Subscriber>(
    _ core: AmbSubscriber<Output, Failure>, upstreamOf downstream: Downstream.Type
  ) where Downstream.Input == Output, Downstream.Failure == Failure {
    core.beginJoining()
    core.introduce()
    if core.inlets.isEmpty { core.submit { core.finish(.finished) } }
    join(core)
    core.endJoining()
  }

  /// Subscribes to the publisher at a place, unless there is a winner.
  @inlinable @inline(__always)
  internal func join<P: Publisher>(
    _ upstream: P, _ core: AmbSubscriber<Output, Failure>, at place: Int
  ) where P.Output == Output, P.Failure == Failure {
    if !core.isClosed, !core.engine.isDecided {
      upstream.subscribe(InletSubscriber(AmbInletHandler(core, core.inlets[place])))
    }
  }
}

/// Republishes the one of any number of publishers that delivers first.
@usableFromInline
internal struct AmbMany<Upstream: Publisher>: AmbPublisher {
  @usableFromInline internal typealias Output = Upstream.Output
  @usableFromInline internal typealias Failure = Upstream.Failure

  @usableFromInline internal let publishers: [Upstream]

  @inlinable
  internal init(_ publishers: [Upstream]) { self.publishers = publishers }

  @inlinable
  internal var count: Int { publishers.count }

  @_alwaysEmitIntoClient @inline(__always)
  internal func receive<S: Subscriber>(subscriber: S) where Failure == S.Failure, Output == S.Input {
    attach(subscriber)
  }

  @inlinable @inline(__always)
  internal func join(_ core: AmbSubscriber<Output, Failure>) {
    for (place, publisher) in publishers.enumerated() { join(publisher, core, at: place) }
  }
}

/// Republishes the one of two publishers that delivers first.
@usableFromInline
internal struct Amb<First: Publisher, Second: Publisher>: AmbPublisher
where First.Output == Second.Output, First.Failure == Second.Failure {
  @usableFromInline internal typealias Output = First.Output
  @usableFromInline internal typealias Failure = First.Failure

  @usableFromInline internal let first: First
  @usableFromInline internal let second: Second

  @inlinable
  internal init(_ first: First, _ second: Second) {
    self.first = first
    self.second = second
  }

  @inlinable
  internal var count: Int { 2 }

  @_alwaysEmitIntoClient @inline(__always)
  internal func receive<S: Subscriber>(subscriber: S) where Failure == S.Failure, Output == S.Input {
    attach(subscriber)
  }

  @inlinable @inline(__always)
  internal func join(_ core: AmbSubscriber<Output, Failure>) {
    join(first, core, at: 0)
    join(second, core, at: 1)
  }
}
