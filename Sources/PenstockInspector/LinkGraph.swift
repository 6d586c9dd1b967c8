// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import PenstockCore

/// All live links, and which of them is upstream of which.
internal struct LinkGraph {
  /// The state that was read from one link.
  ///
  /// A class, since the state has many parts: to copy each of them wherever a node is handed on takes most of a look.
  final class Node {
    let number: UInt64
    var state: LinkState
    /// The links directly upstream, by number, with their roles.
    var upstreams: [(role: String?, number: UInt64)]
    /// The link downstream of it, which has no subscription yet.
    let awaitedBy: UInt64
    /// The links that feed the publisher with several subscribers to which it belongs.
    var feeds: [UInt64]
    let counts: Inspector.Counts?

    init(
      number: UInt64, state: LinkState, upstreams: [(role: String?, number: UInt64)], awaitedBy: UInt64,
      feeds: [UInt64], counts: Inspector.Counts?
    ) {
      (self.number, self.state, self.upstreams, self.awaitedBy) = (number, state, upstreams, awaitedBy)
      (self.feeds, self.counts) = (feeds, counts)
    }
  }

  private(set) var nodes: [UInt64: Node] = [:]
  /// The links with nothing downstream, in the order of their numbers.
  private(set) var ends: [UInt64] = []
  let liveCount: Int

  /// Reads all links of the process.
  init() {
    var read: [Node] = []
    // Of many links few have different names.
    var names: [String: String] = [:]
    let now = coarseTime()
    liveLinks.forEach { link in
      guard let object = link.object as? any InspectableLink else { return }
      let node = Self.read(object, link.number, now)
      if let name = names[node.state.name] {
        node.state.name = name
      } else {
        let name = plainName(node.state.name)
        names[node.state.name] = name
        node.state.name = name
      }
      read.append(node)
    }
    self.init(of: read)
  }

  init(of read: [Node]) {
    liveCount = read.count
    nodes.reserveCapacity(read.count)
    for node in read where !node.state.isErasure { nodes[node.number] = node }
    lookBehindErasures(read)
    joinAwaiting()
    skipForwarding()
    for node in read where node.state.isForwarding || !node.isShown { nodes[node.number] = nil }
    var hasDownstream = Set<UInt64>(minimumCapacity: nodes.count)
    for node in nodes.values {
      for upstream in node.upstreams { hasDownstream.insert(upstream.number) }
      for feed in node.feeds { hasDownstream.insert(feed) }
    }
    ends = nodes.keys.filter { !hasDownstream.contains($0) }.sorted()
  }

  private static func read(_ object: some InspectableLink, _ number: UInt64, _ now: UInt) -> Node {
    var state = LinkState()
    object.show(in: &state)
    let upstreams = state.upstreams.map { (role: $0.role, number: self.number(of: $0.object)) }
    let feeds = state.hub?.upstreams.map { self.number(of: $0) } ?? []
    let awaitedBy = state.awaitedBy?.linkNumber ?? 0
    // Only the numbers are kept: an object that is kept here might be freed here.
    (state.upstreams, state.awaitedBy) = ([], nil)
    return Node(
      number: number, state: state, upstreams: upstreams.filter { $0.number != 0 }, awaitedBy: awaitedBy,
      feeds: feeds.filter { $0 != 0 },
      counts: (state.record ?? linkRecords[number]).map { Inspector.Counts($0, at: now) })
  }

  private static func number(of object: AnyObject) -> UInt64 {
    (object as? any InspectableLink)?.linkNumber ?? 0
  }

  /// Adds what erasures know about the operators downstream of them.
  private func lookBehindErasures(_ read: [Node]) {
    // A chain is attached from its end on: of two erasures that follow one link, the younger one comes first.
    for erasure in read.filter(\.state.isErasure).sorted(by: { $0.number > $1.number }) {
      let number = erasure.state.erasedNumber
      if nodes[number]?.state.passed.isErased == true { nodes[number]?.state.passed.append(erasure.state.passed) }
    }
  }

  /// Adds the links upstream of those that have no subscription yet.
  private func joinAwaiting() {
    var feeds: [ObjectIdentifier: [UInt64]] = [:]
    for (number, node) in nodes {
      if let engine = node.state.fedEngine { feeds[engine, default: []].append(number) }
      if node.awaitedBy != 0 { nodes[node.awaitedBy]?.upstreams.append((nil, number)) }
    }
    if feeds.isEmpty { return }
    for node in nodes.values {
      guard let engine = node.state.hub?.engine, let found = feeds[engine] else { continue }
      node.feeds += found.filter { !node.feeds.contains($0) }.sorted()
    }
  }

  /// Replaces links that a picture does not show by the links upstream of them.
  private func skipForwarding() {
    guard nodes.values.contains(where: \.state.isForwarding) else { return }
    func target(_ number: UInt64) -> UInt64 {
      var number = number
      // A bound, since links that were read at different moments might form a circle.
      for _ in 0..<64 {
        guard let node = nodes[number], node.state.isForwarding, let next = node.upstreams.first?.number else { break }
        number = next
      }
      return number
    }
    // One that has been replaced already leads to the same link.
    for node in nodes.values {
      node.upstreams = node.upstreams.map { ($0.role, target($0.number)) }
      node.feeds = node.feeds.map(target)
    }
  }

  /// The link and all that are upstream of it, each once.
  func upstream(of end: UInt64) -> [Node] {
    var seen = Set<UInt64>()
    var found: [Node] = []
    var rest = [end]
    while let number = rest.popLast() {
      guard let node = nodes[number], seen.insert(number).inserted else { continue }
      found.append(node)
      rest.append(contentsOf: (node.upstreams.map(\.number) + node.feeds).reversed())
    }
    return found
  }

  /// The links directly upstream of a link, with those that feed its publisher.
  func upstreams(of node: Node) -> [Node] {
    (node.upstreams.map(\.number) + node.feeds).compactMap { nodes[$0] }
  }

  /// Whether values are requested from a link: by what it counts, or, if it forwards requests, by what its upstreams
  /// count.
  func isAsked(_ node: Node) -> Bool? {
    if let isAsking = node.state.isAsking ?? node.state.demand.map({ $0 != .none }) { return isAsking }
    var seen = Set<UInt64>()
    var rest = [node]
    var answer: Bool?
    while let next = rest.popLast() {
      guard seen.insert(next.number).inserted else { continue }
      if let isAsking = next.state.isAsking ?? next.state.demand.map({ $0 != .none }) {
        if isAsking { return true }
        answer = false
      } else {
        rest += next.upstreams.compactMap { nodes[$0.number] }
      }
    }
    return answer
  }

  /// For each stream, a number that changes when anything changes in it.
  var fingerprints: [UInt64: Int] {
    Dictionary(
      uniqueKeysWithValues: ends.map { end in
        var hasher = Hasher()
        if let node = nodes[end], node.upstreams.isEmpty, node.feeds.isEmpty {
          node.hash(into: &hasher)
        } else {
          for node in upstream(of: end) { node.hash(into: &hasher) }
        }
        return (end, hasher.finalize())
      })
  }

  /// - Parameters:
  ///   - unchanged: The ends of the streams in which nothing has changed while they were watched; `nil` for a single look.
  ///   - duration: How long they were watched.
  func snapshot(unchanged: Set<UInt64>? = nil, for duration: Duration = .zero) -> Inspector.Snapshot {
    var durations: [UInt64: Duration] = [:]
    for end in ends where unchanged?.contains(end) ?? true { durations[end] = duration }
    return snapshot(unchangedFor: durations, atLeast: .zero, watched: duration)
  }

  /// - Parameters:
  ///   - durations: How long nothing has changed, by the ends of the streams.
  ///   - patience: How long nothing may change in a stream before a link is blamed.
  ///   - watched: How long all were watched.
  func snapshot(
    unchangedFor durations: [UInt64: Duration], atLeast patience: Duration, watched: Duration = .zero
  ) -> Inspector.Snapshot {
    let builder = StreamBuilder(graph: self)
    let diagnosis = Diagnosis(graph: self)
    let streams = ends.map { end in
      var stream = builder.stream(to: end)
      if let duration = durations[end] {
        if duration >= patience { stream.culprit = diagnosis.culprit(of: end) }
        if stream.culprit != nil || stream.links.contains(where: { $0.counts != nil }) { stream.unchanged = duration }
      }
      return stream
    }
    return Inspector.Snapshot(streams: streams, watched: watched, liveLinks: liveCount)
  }
}

extension LinkGraph.Node {
  /// Whether the link is shown in a stream: a link that is over is not, unless it still has something to deliver.
  fileprivate var isShown: Bool { state.phase != .ended || state.waiting ?? 0 > 0 && !state.isEnd }

  fileprivate func hash(into hasher: inout Hasher) {
    hasher.combine(number)
    hasher.combine(state.demand)
    hasher.combine(state.waiting)
    hasher.combine(state.moves)
    hasher.combine(state.isAsking)
    hasher.combine(state.phase)
    hasher.combine(counts?.values)
  }
}
