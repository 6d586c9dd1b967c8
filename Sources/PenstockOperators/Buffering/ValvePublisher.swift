// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

/// A publisher of its upstream's values, which pass through a valve.
@usableFromInline
internal struct ValvePublisher<Upstream: Publisher, Signals: Publisher<Bool, Never>>: SerialOperator {
  @usableFromInline internal typealias Output = Upstream.Output
  @usableFromInline internal typealias Failure = Upstream.Failure

  @usableFromInline internal let upstream: Upstream
  @usableFromInline internal let signals: Signals
  @usableFromInline internal let keeps: Bool

  /// - Parameters:
  ///   - upstream: The values.
  ///   - signals: Opens the valve with `true`, and closes it with `false`; it is open at first.
  ///   - keeps: Whether values that arrive while it is closed are kept; otherwise they are dropped.
  @inlinable
  internal init(upstream: Upstream, signals: Signals, keeps: Bool) {
    self.upstream = upstream
    self.signals = signals
    self.keeps = keeps
  }

  @_alwaysEmitIntoClient @inline(__always)
  internal func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
    attach(subscriber)
  }

  @inlinable
  internal func makeCore(_ downstream: __owned SubscriberCalls) -> ValveSubscriber<Output, Failure> {
    .init(ValveEngine(keeps: keeps), name: "Pausable", downstream: downstream)
  }

  @inlinable @inline(__always)
  internal func start<Downstream: Subscriber>(
    _ core: ValveSubscriber<Output, Failure>, upstreamOf downstream: Downstream.Type
  ) where Downstream.Input == Output, Downstream.Failure == Failure {
    core.beginJoining()
    core.introduce()
    // The signals come first, so that a valve whose publisher says `false` at once is closed before upstream's first
    // value.
    if !core.isClosed { signals.subscribe(InletSubscriber(ValveSignalHandler(core))) }
    if !core.isClosed {
      upstream.subscribe(oneOfSeveral: InletSubscriber(ValveUpstreamHandler(core)), upstreamOf: Downstream.self)
    }
    core.endJoining()
  }
}
