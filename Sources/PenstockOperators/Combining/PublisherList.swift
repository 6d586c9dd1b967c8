// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

/// Publishers of different types with one type of failure: a publisher, and a list of those that follow it.
///
/// It stands in for a parameter pack: Swift 6.3 cannot require that the failures of a pack be of one type. The values
/// are nested pairs.
@usableFromInline
internal protocol PublisherList<Failure> {
  associatedtype Failure: Error
  associatedtype Values
  associatedtype Queues: TupleInlets<Values>
  associatedtype Latest: TupleInlets<Values>

  func makeQueues() -> Queues

  func makeLatest() -> Latest

  func join<Inlets, Downstream: Subscriber>(
    _ core: ZipCore<Inlets, Failure>, _ queues: Queues, upstreamOf downstream: Downstream.Type)

  func join<Inlets, Downstream: Subscriber>(
    _ core: CombineLatestCore<Inlets, Failure>, _ latest: Latest, upstreamOf downstream: Downstream.Type)
}

/// A list of one publisher.
@usableFromInline
internal struct LastPublisher<Last: Publisher>: PublisherList {
  @usableFromInline internal typealias Failure = Last.Failure

  @usableFromInline internal let last: Last

  @inlinable
  internal init(_ last: Last) { self.last = last }

  @inlinable
  internal func makeQueues() -> LastInlet<QueueInlet<Last.Output>> { LastInlet(QueueInlet()) }

  @inlinable
  internal func makeLatest() -> LastInlet<LatestInlet<Last.Output>> { LastInlet(LatestInlet()) }

  @inlinable @inline(__always)
  internal func join<Inlets, Downstream: Subscriber>(
    _ core: ZipCore<Inlets, Failure>, _ queues: LastInlet<QueueInlet<Last.Output>>,
    upstreamOf downstream: Downstream.Type
  ) { core.join(last, queues.last, upstreamOf: Downstream.self) }

  @inlinable @inline(__always)
  internal func join<Inlets, Downstream: Subscriber>(
    _ core: CombineLatestCore<Inlets, Failure>, _ latest: LastInlet<LatestInlet<Last.Output>>,
    upstreamOf downstream: Downstream.Type
  ) { core.join(last, latest.last, upstreamOf: Downstream.self) }
}

/// A publisher, and those that follow it.
@usableFromInline
internal struct PublisherPair<First: Publisher, Rest: PublisherList>: PublisherList
where Rest.Failure == First.Failure {
  @usableFromInline internal typealias Failure = First.Failure

  @usableFromInline internal let first: First
  @usableFromInline internal let rest: Rest

  @inlinable
  internal init(_ first: First, _ rest: Rest) {
    self.first = first
    self.rest = rest
  }

  @inlinable
  internal func makeQueues() -> InletPair<QueueInlet<First.Output>, Rest.Queues> {
    InletPair(QueueInlet(), rest.makeQueues())
  }

  @inlinable
  internal func makeLatest() -> InletPair<LatestInlet<First.Output>, Rest.Latest> {
    InletPair(LatestInlet(), rest.makeLatest())
  }

  // Each place in the list has a function of its own: otherwise one function would make and subscribe to all publishers
  // of a list, and that is more than the optimiser's lifetime analyses can handle.

  @inlinable @inline(never)
  internal func join<Inlets, Downstream: Subscriber>(
    _ core: ZipCore<Inlets, Failure>, _ queues: InletPair<QueueInlet<First.Output>, Rest.Queues>,
    upstreamOf downstream: Downstream.Type
  ) {
    core.join(first, queues.first, upstreamOf: Downstream.self)
    rest.join(core, queues.rest, upstreamOf: Downstream.self)
  }

  @inlinable @inline(never)
  internal func join<Inlets, Downstream: Subscriber>(
    _ core: CombineLatestCore<Inlets, Failure>, _ latest: InletPair<LatestInlet<First.Output>, Rest.Latest>,
    upstreamOf downstream: Downstream.Type
  ) {
    core.join(first, latest.first, upstreamOf: Downstream.self)
    rest.join(core, latest.rest, upstreamOf: Downstream.self)
  }
}

extension Publisher {
  /// The list of this publisher and those of another list.
  @inlinable
  internal func followed<Rest: PublisherList>(by rest: Rest) -> PublisherPair<Self, Rest>
  where Rest.Failure == Failure { PublisherPair(self, rest) }
}

/// The inlets of a list of one publisher.
@usableFromInline
internal struct LastInlet<Last: TypedInlet>: TupleInlets {
  @usableFromInline internal let last: Last

  @inlinable
  internal init(_ last: Last) { self.last = last }

  @inlinable
  internal var inlets: ContiguousArray<Inlet> { [last] }

  @inlinable
  internal var isComplete: Bool { !last.isEmpty }

  @inlinable
  internal var hasRunOut: Bool { last.hasRunOut }

  @inlinable
  internal func gather() -> Last.Value { last.next() }
}

/// The inlets of a list: that of the first publisher, and those of the rest.
@usableFromInline
internal struct InletPair<First: TypedInlet, Rest: TupleInlets>: TupleInlets {
  @usableFromInline internal let first: First
  @usableFromInline internal let rest: Rest

  @inlinable
  internal init(_ first: First, _ rest: Rest) {
    self.first = first
    self.rest = rest
  }

  @inlinable
  internal var inlets: ContiguousArray<Inlet> { [first] + rest.inlets }

  @inlinable
  internal var isComplete: Bool { !first.isEmpty && rest.isComplete }

  @inlinable
  internal var hasRunOut: Bool { first.hasRunOut || rest.hasRunOut }

  @inlinable
  internal func gather() -> (First.Value, Rest.Values) { (first.next(), rest.gather()) }
}
