// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// Combines the latest values of the publishers in a list.
@usableFromInline
package struct CombineLatestList<List: PublisherList>: Publisher {
  @usableFromInline package typealias Output = List.Values
  @usableFromInline package typealias Failure = List.Failure

  @usableFromInline internal let list: List

  @inlinable
  package init(_ list: List) { self.list = list }

  @_alwaysEmitIntoClient @inline(__always)
  package func receive<S: Subscriber>(subscriber: S) where Failure == S.Failure, Output == S.Input {
    let latest = list.makeLatest()
    let core = CombineLatestCore(latest, to: subscriber)
    core.beginJoining()
    list.join(core, latest, above: S.self)
    core.start()
  }
}

/// Pairs the values of the publishers in a list.
@usableFromInline
package struct ZipList<List: PublisherList>: Publisher {
  @usableFromInline package typealias Output = List.Values
  @usableFromInline package typealias Failure = List.Failure

  @usableFromInline internal let list: List

  @inlinable
  package init(_ list: List) { self.list = list }

  @_alwaysEmitIntoClient @inline(__always)
  package func receive<S: Subscriber>(subscriber: S) where Failure == S.Failure, Output == S.Input {
    let queues = list.makeQueues()
    let core = ZipCore(queues, to: subscriber)
    core.beginJoining()
    list.join(core, queues, above: S.self)
    core.endJoining()
  }
}

/// Combines the latest values of any number of publishers of one type in an array.
@usableFromInline
package struct CombineLatestMany<Upstream: Publisher>: Publisher {
  @usableFromInline package typealias Output = [Upstream.Output]
  @usableFromInline package typealias Failure = Upstream.Failure

  @usableFromInline internal let publishers: [Upstream]

  @inlinable
  package init(_ publishers: [Upstream]) { self.publishers = publishers }

  @_alwaysEmitIntoClient @inline(__always)
  package func receive<S: Subscriber>(subscriber: S) where Failure == S.Failure, [Upstream.Output] == S.Input {
    if publishers.isEmpty { return Empty().receive(subscriber: subscriber) }
    let row = LatestRow<Upstream.Output>(publishers.count)
    let core = CombineLatestCore(row, to: subscriber)
    core.beginJoining()
    for (place, publisher) in publishers.enumerated() { core.join(publisher, row.places[place], above: S.self) }
    core.start()
  }
}

/// Gathers the values of any number of publishers of one type in arrays, the first of each, then the second.
@usableFromInline
package struct ZipMany<Upstream: Publisher>: Publisher {
  @usableFromInline package typealias Output = [Upstream.Output]
  @usableFromInline package typealias Failure = Upstream.Failure

  @usableFromInline internal let publishers: [Upstream]

  @inlinable
  package init(_ publishers: [Upstream]) { self.publishers = publishers }

  @_alwaysEmitIntoClient @inline(__always)
  package func receive<S: Subscriber>(subscriber: S) where Failure == S.Failure, [Upstream.Output] == S.Input {
    if publishers.isEmpty { return Empty().receive(subscriber: subscriber) }
    let row = QueueRow<Upstream.Output>(publishers.count)
    let core = ZipCore(row, to: subscriber)
    core.beginJoining()
    for (place, publisher) in publishers.enumerated() { core.join(publisher, row.places[place], above: S.self) }
    core.endJoining()
  }
}

/// Republishes the one of any number of publishers that delivers first.
@usableFromInline
package struct AmbMany<Upstream: Publisher>: Publisher {
  @usableFromInline package typealias Output = Upstream.Output
  @usableFromInline package typealias Failure = Upstream.Failure

  @usableFromInline internal let publishers: [Upstream]

  @inlinable
  package init(_ publishers: [Upstream]) { self.publishers = publishers }

  @_alwaysEmitIntoClient @inline(__always)
  package func receive<S: Subscriber>(subscriber: S) where Failure == S.Failure, Output == S.Input {
    let core = AmbCore(publishers.count, to: subscriber)
    core.start()
    for (place, publisher) in publishers.enumerated() { core.join(publisher, at: place) }
    core.endJoining()
  }
}

/// Republishes the one of two publishers that delivers first.
@usableFromInline
package struct Amb<First: Publisher, Second: Publisher>: Publisher
where First.Output == Second.Output, First.Failure == Second.Failure {
  @usableFromInline package typealias Output = First.Output
  @usableFromInline package typealias Failure = First.Failure

  @usableFromInline internal let first: First
  @usableFromInline internal let second: Second

  @inlinable
  package init(_ first: First, _ second: Second) {
    self.first = first
    self.second = second
  }

  @_alwaysEmitIntoClient @inline(__always)
  package func receive<S: Subscriber>(subscriber: S) where Failure == S.Failure, Output == S.Input {
    let core = AmbCore(2, to: subscriber)
    core.start()
    core.join(first, at: 0)
    core.join(second, at: 1)
    core.endJoining()
  }
}
