// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

/// Combines the latest values of the publishers in a list.
@usableFromInline
internal struct CombineLatestList<List: PublisherList>: CombineLatestOperator {
  @usableFromInline internal typealias Output = List.Values
  @usableFromInline internal typealias Failure = List.Failure

  @usableFromInline internal let list: List

  @inlinable
  internal init(_ list: List) { self.list = list }

  @_alwaysEmitIntoClient @inline(__always)
  internal func receive<S: Subscriber>(subscriber: S) where Failure == S.Failure, List.Values == S.Input {
    attach(subscriber)
  }

  @inlinable
  internal func makeInlets() -> List.Latest { list.makeLatest() }

  @inlinable @inline(__always)
  internal func join<Downstream: Subscriber>(
    _ core: CombineLatestCore<List.Latest, Failure>, upstreamOf downstream: Downstream.Type
  ) where Downstream.Input == Output, Downstream.Failure == Failure {
    list.join(core, core.tuple, upstreamOf: Downstream.self)
  }
}

/// Pairs the values of the publishers in a list.
@usableFromInline
internal struct ZipList<List: PublisherList>: ZipOperator {
  @usableFromInline internal typealias Output = List.Values
  @usableFromInline internal typealias Failure = List.Failure

  @usableFromInline internal let list: List

  @inlinable
  internal init(_ list: List) { self.list = list }

  @_alwaysEmitIntoClient @inline(__always)
  internal func receive<S: Subscriber>(subscriber: S) where Failure == S.Failure, List.Values == S.Input {
    attach(subscriber)
  }

  @inlinable
  internal func makeInlets() -> List.Queues { list.makeQueues() }

  @inlinable @inline(__always)
  internal func join<Downstream: Subscriber>(
    _ core: ZipCore<List.Queues, Failure>, upstreamOf downstream: Downstream.Type
  ) where Downstream.Input == Output, Downstream.Failure == Failure {
    list.join(core, core.tuple, upstreamOf: Downstream.self)
  }
}

/// Combines the latest values of any number of publishers of one type in an array.
@usableFromInline
internal struct CombineLatestMany<Upstream: Publisher>: CombineLatestOperator {
  @usableFromInline internal typealias Output = [Upstream.Output]
  @usableFromInline internal typealias Failure = Upstream.Failure

  @usableFromInline internal let publishers: [Upstream]

  @inlinable
  internal init(_ publishers: [Upstream]) { self.publishers = publishers }

  @_alwaysEmitIntoClient @inline(__always)
  internal func receive<S: Subscriber>(subscriber: S) where Failure == S.Failure, [Upstream.Output] == S.Input {
    attach(subscriber)
  }

  @inlinable
  internal func makeInlets() -> LatestRow<Upstream.Output> { LatestRow(publishers.count) }

  @inlinable @inline(__always)
  internal func join<Downstream: Subscriber>(
    _ core: CombineLatestCore<LatestRow<Upstream.Output>, Failure>, upstreamOf downstream: Downstream.Type
  ) where Downstream.Input == Output, Downstream.Failure == Failure {
    for (place, publisher) in publishers.enumerated() {
      core.join(publisher, core.tuple.places[place], upstreamOf: Downstream.self)
    }
  }
}

/// Gathers the values of any number of publishers of one type in arrays, the first of each, then the second.
@usableFromInline
internal struct ZipMany<Upstream: Publisher>: ZipOperator {
  @usableFromInline internal typealias Output = [Upstream.Output]
  @usableFromInline internal typealias Failure = Upstream.Failure

  @usableFromInline internal let publishers: [Upstream]

  @inlinable
  internal init(_ publishers: [Upstream]) { self.publishers = publishers }

  @_alwaysEmitIntoClient @inline(__always)
  internal func receive<S: Subscriber>(subscriber: S) where Failure == S.Failure, [Upstream.Output] == S.Input {
    attach(subscriber)
  }

  @inlinable
  internal func makeInlets() -> QueueRow<Upstream.Output> { QueueRow(publishers.count) }

  @inlinable @inline(__always)
  internal func join<Downstream: Subscriber>(
    _ core: ZipCore<QueueRow<Upstream.Output>, Failure>, upstreamOf downstream: Downstream.Type
  ) where Downstream.Input == Output, Downstream.Failure == Failure {
    for (place, publisher) in publishers.enumerated() {
      core.join(publisher, core.tuple.places[place], upstreamOf: Downstream.self)
    }
  }
}
