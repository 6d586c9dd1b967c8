// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// An operator of the transparent shape: one stage serves all its subscribers.
///
/// The abilities of the library's publishers beyond `receive(subscriber:)` are written once for all of them.
@usableFromInline
internal protocol TransparentOperator: Publisher {
  associatedtype Upstream: Publisher
  associatedtype Work: Stage
  where
    Work.Input == Upstream.Output, Work.Channel.Upstream == Upstream.Failure, Work.Channel.Thrown == Never,
    Work.Output == Output, Work.Channel.Downstream == Failure

  var upstream: Upstream { get }
  var stage: Work { get }
}

extension TransparentOperator {
  /// The implementation of `receive(subscriber:)`.
  @inlinable @inline(__always)
  internal func attach<Downstream: Subscriber>(_ subscriber: Downstream)
  where Downstream.Input == Output, Downstream.Failure == Failure {
    upstream.subscribe(TransparentSubscriber(stage, to: subscriber))
  }
}

/// An operator of the managed shape: each subscriber has a stage of its own.
@usableFromInline
internal protocol ManagedOperator: Publisher {
  associatedtype Upstream: Publisher
  associatedtype Work: ManagedStage
  where
    Work.Input == Upstream.Output, Work.Channel.Upstream == Upstream.Failure, Work.Output == Output,
    Work.Channel.Downstream == Failure

  var upstream: Upstream { get }
  func makeStage() -> Work
}

extension ManagedOperator {
  /// The implementation of `receive(subscriber:)`.
  @inlinable @inline(__always)
  internal func attach<Downstream: Subscriber>(_ subscriber: Downstream)
  where Downstream.Input == Output, Downstream.Failure == Failure {
    upstream.subscribe(ManagedSubscriber(makeStage(), to: subscriber), upstreamOf: Downstream.self)
  }
}

/// An operator of the queued shape: each subscriber has a stage of its own.
@usableFromInline
internal protocol QueuedOperator: Publisher {
  associatedtype Upstream: Publisher
  associatedtype Work: QueuedStage
  where
    Work.Input == Upstream.Output, Work.Channel.Upstream == Upstream.Failure, Work.Output == Output,
    Work.Channel.Downstream == Failure

  var upstream: Upstream { get }
  func makeStage() -> Work
}

extension QueuedOperator {
  /// The implementation of `receive(subscriber:)`.
  @inlinable @inline(__always)
  internal func attach<Downstream: Subscriber>(_ subscriber: Downstream)
  where Downstream.Input == Output, Downstream.Failure == Failure {
    upstream.subscribe(QueuedSubscriber(makeStage(), to: subscriber), upstreamOf: Downstream.self)
  }
}
