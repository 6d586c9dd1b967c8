// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

/// The signals of the upstream of a ``WatermarkEngine``.
@usableFromInline
internal struct WatermarkHandler<Output, Failure: Error>: SubscriptionInletHandler, DirectInletHandler {
  @usableFromInline internal typealias Input = Weighed<Output>

  @usableFromInline internal let buffer: WatermarkSubscriber<Output, Failure>

  @inlinable
  internal init(_ buffer: WatermarkSubscriber<Output, Failure>) { self.buffer = buffer }

  @inlinable
  internal var core: SerialSubscription { buffer }

  @inlinable
  internal var inlet: Inlet { buffer.engine.upstream }

  @inlinable
  internal func begin() { buffer.askUpstream() }

  @inlinable
  internal func take(_ input: Weighed<Output>) -> Subscribers.Demand { buffer.take(input) }

  @inlinable
  internal func end(_ completion: Subscribers.Completion<Failure>) { buffer.end(completion) }
}

/// The publisher of a buffer with marks.
@usableFromInline
internal struct WatermarkPublisher<Value, Upstream: Publisher>: SerialOperator where Upstream.Output == Weighed<Value> {
  @usableFromInline internal typealias Output = Value
  @usableFromInline internal typealias Failure = Upstream.Failure

  @usableFromInline internal let upstream: Upstream
  @usableFromInline internal let marks: Watermarks
  @usableFromInline internal let name: String

  /// - Parameters:
  ///   - upstream: The values with their weights, which are determined on upstream's thread.
  ///   - marks: The marks between which the buffer is filled.
  ///   - name: The text that `print()` prints for the operator.
  @inlinable
  internal init(upstream: Upstream, marks: Watermarks, name: String) {
    self.upstream = upstream
    self.marks = marks
    self.name = name
  }

  @_alwaysEmitIntoClient @inline(__always)
  internal func receive<S: Subscriber>(subscriber: S) where Value == S.Input, Upstream.Failure == S.Failure {
    attach(subscriber)
  }

  @inlinable
  internal func makeCore(_ downstream: __owned SubscriberCalls) -> WatermarkSubscriber<Value, Failure> {
    .init(WatermarkEngine(marks), name: name, downstream: downstream)
  }

  @inlinable @inline(__always)
  internal func start<Downstream: Subscriber>(
    _ core: WatermarkSubscriber<Value, Failure>, upstreamOf downstream: Downstream.Type
  ) where Downstream.Input == Output, Downstream.Failure == Failure {
    core.introduce()
    upstream.subscribe(InletSubscriber(WatermarkHandler(core)), upstreamOf: Downstream.self)
  }
}
