// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Applies a stage to this publisher's values, in the managed shape.
  ///
  /// An operator whose type is not part of its interface needs nothing else: its method returns what this one does.
  ///
  /// - Parameter makeStage: A closure that creates the stage of one subscription.
  /// - Returns: A publisher of the stage's outputs.
  @inlinable
  package func lift<Work: ManagedStage>(
    _ makeStage: @escaping () -> Work
  ) -> Publishers.Lifted<Work.Output, Work.Channel.Downstream>
  where Work.Input == Output, Work.Channel.Upstream == Failure {
    Publishers.Lifted(ManagedPublisher(upstream: self, makeStage: makeStage))
  }

  /// Applies a stage to this publisher's values, in the queued shape.
  ///
  /// - Parameter makeStage: A closure that creates the stage of one subscription.
  /// - Returns: A publisher of the stage's outputs.
  @inlinable
  package func lift<Work: QueuedStage>(
    _ makeStage: @escaping () -> Work
  ) -> Publishers.Lifted<Work.Output, Work.Channel.Downstream>
  where Work.Input == Output, Work.Channel.Upstream == Failure {
    Publishers.Lifted(QueuedPublisher(upstream: self, makeStage: makeStage))
  }
}

/// A publisher that applies a stage in the managed shape.
@usableFromInline
internal struct ManagedPublisher<Upstream: Publisher, Work: ManagedStage>: PortedPublisher
where Work.Input == Upstream.Output, Work.Channel.Upstream == Upstream.Failure {
  @usableFromInline internal typealias Output = Work.Output
  @usableFromInline internal typealias Failure = Work.Channel.Downstream

  @usableFromInline internal let upstream: Upstream
  @usableFromInline internal let makeStage: () -> Work

  @_alwaysEmitIntoClient
  internal init(upstream: Upstream, makeStage: @escaping () -> Work) {
    self.upstream = upstream
    self.makeStage = makeStage
  }

  @_alwaysEmitIntoClient @inline(__always)
  internal func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
    upstream.subscribe(ManagedSubscriber(makeStage(), to: subscriber), upstreamOf: S.self)
  }
}

/// A publisher that applies a stage in the queued shape.
@usableFromInline
internal struct QueuedPublisher<Upstream: Publisher, Work: QueuedStage>: PortedPublisher
where Work.Input == Upstream.Output, Work.Channel.Upstream == Upstream.Failure {
  @usableFromInline internal typealias Output = Work.Output
  @usableFromInline internal typealias Failure = Work.Channel.Downstream

  @usableFromInline internal let upstream: Upstream
  @usableFromInline internal let makeStage: () -> Work

  @_alwaysEmitIntoClient
  internal init(upstream: Upstream, makeStage: @escaping () -> Work) {
    self.upstream = upstream
    self.makeStage = makeStage
  }

  @_alwaysEmitIntoClient @inline(__always)
  internal func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
    upstream.subscribe(QueuedSubscriber(makeStage(), to: subscriber), upstreamOf: S.self)
  }
}
