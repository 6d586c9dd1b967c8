// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import Synchronization

/// The inner publishers of `flatMap` that need no stream.
@usableFromInline
internal struct FlatMapTarget<Downstream: Subscriber>: LoopTarget {
  @usableFromInline internal typealias Input = Downstream.Input
  @usableFromInline internal typealias Failure = Downstream.Failure

  @usableFromInline internal let core: FlatMapCore<Downstream>

  @inlinable
  internal init(_ core: FlatMapCore<Downstream>) { self.core = core }

  @inlinable @inline(__always)
  internal var _isReady: Bool {
    core.wantsAll.load(ordering: .relaxed) && !core.isClosed && isUnobserved
  }

  @inlinable @inline(__always)
  internal func _subscribe<P: Publisher>(to publisher: P) where P.Output == Input, P.Failure == Failure {
    let stream = InnerStream(of: .passUnretained(core))
    publisher.subscribe(InletSubscriber(FlatMapInnerHandler(core, stream)))
  }

  @inlinable
  internal var isStale: Bool { false }

  @inlinable
  internal var downstream: Downstream { core.downstream }

  @inlinable
  internal func end(_ completion: Subscribers.Completion<Failure>) { core.endStream(completion) }
}
