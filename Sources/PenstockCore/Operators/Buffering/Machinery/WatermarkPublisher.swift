// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The signals of the upstream of a ``WatermarkCore``.
@usableFromInline
internal struct WatermarkHandler<Output, Failure: Error>: SubscriptionInletHandler, DirectInletHandler {
  @usableFromInline internal typealias Input = Weighed<Output>

  @usableFromInline internal let buffer: WatermarkCore<Output, Failure>

  @inlinable
  internal init(_ buffer: WatermarkCore<Output, Failure>) { self.buffer = buffer }

  @inlinable
  internal var core: SerialSubscription { buffer }

  @inlinable
  internal var inlet: Inlet { buffer.upstream }

  @inlinable
  internal func begin() { buffer.askUpstream() }

  @inlinable
  internal func take(_ input: Weighed<Output>) -> Subscribers.Demand { buffer.take(input) }

  @inlinable
  internal func end(_ completion: Subscribers.Completion<Failure>) { buffer.end(completion) }
}

/// The publisher of a buffer with marks.
@usableFromInline
package struct WatermarkPublisher<Value, Upstream: Publisher>: SerialOperator where Upstream.Output == Weighed<Value> {
  @usableFromInline package typealias Output = Value
  @usableFromInline package typealias Failure = Upstream.Failure

  @usableFromInline internal let upstream: Upstream
  @usableFromInline internal let marks: Watermarks
  @usableFromInline internal let name: String

  /// - Parameters:
  ///   - upstream: The values with their weights, which upstream's thread finds out.
  ///   - marks: Between which marks the buffer is filled.
  ///   - name: The text that `print()` prints for the operator.
  @inlinable
  package init(upstream: Upstream, marks: Watermarks, name: String) {
    self.upstream = upstream
    self.marks = marks
    self.name = name
  }

  @_alwaysEmitIntoClient @inline(__always)
  package func receive<S: Subscriber>(subscriber: S) where Value == S.Input, Upstream.Failure == S.Failure {
    attach(subscriber)
  }

  @inlinable
  package func makeCore(_ downstream: __owned SubscriberCalls) -> WatermarkCore<Value, Failure> {
    WatermarkCore(marks, name: name, downstream: downstream)
  }

  @inlinable @inline(__always)
  package func start<Downstream: Subscriber>(
    _ core: WatermarkCore<Value, Failure>, upstreamOf downstream: Downstream.Type
  ) where Downstream.Input == Output, Downstream.Failure == Failure {
    core.introduce()
    upstream.subscribe(InletSubscriber(WatermarkHandler(core)), upstreamOf: Downstream.self)
  }
}
