// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Applies a stage to this publisher's values, in the scheduled shape.
  ///
  /// An operator whose type is not part of its interface needs nothing else: its method returns what this one does.
  ///
  /// - Parameter makeStage: A closure that creates the stage of one subscription.
  /// - Returns: A publisher of the stage's outputs.
  @inlinable
  package func lift<Work: ScheduledStage & ~Copyable>(
    _ makeStage: @escaping () -> Work
  ) -> Publishers.Lifted<Work.Output, Work.Failure> where Work.Input == Output, Work.Failure == Failure {
    Publishers.Lifted(ScheduledPublisher(upstream: self, makeStage: makeStage))
  }
}

/// A publisher that applies a stage in the scheduled shape.
@usableFromInline
internal struct ScheduledPublisher<Upstream: Publisher, Work: ScheduledStage & ~Copyable>: PortedPublisher
where Work.Input == Upstream.Output, Work.Failure == Upstream.Failure {
  @usableFromInline internal typealias Output = Work.Output
  @usableFromInline internal typealias Failure = Work.Failure

  @usableFromInline internal let upstream: Upstream
  @usableFromInline internal let makeStage: () -> Work

  @_alwaysEmitIntoClient
  internal init(upstream: Upstream, makeStage: @escaping () -> Work) {
    self.upstream = upstream
    self.makeStage = makeStage
  }

  @_alwaysEmitIntoClient @inline(__always)
  internal func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
    upstream.subscribe(ScheduledSubscriber(makeStage(), to: subscriber), upstreamOf: S.self)
  }
}
