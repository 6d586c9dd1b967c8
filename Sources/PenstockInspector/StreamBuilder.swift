// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import PenstockCore

/// Builds the trees that a user sees from the state that was read.
internal struct StreamBuilder {
  let graph: LinkGraph

  /// The greatest number of links along which a stream is followed; the result is a recursive value.
  private static var maxDepth: Int { 200 }

  func stream(to end: UInt64) -> Inspector.Stream {
    var seen = Set<UInt64>()
    return Inspector.Stream(end: link(end, &seen, depth: 0)!)
  }

  /// - Parameter seen: The links of the stream that have been made. A link that comes up again, because two paths meet
  ///   in one publisher or form a circle, is shown without the links upstream of it.
  private func link(_ number: UInt64, _ seen: inout Set<UInt64>, depth: Int) -> Inspector.Link? {
    guard let node = graph.nodes[number] else { return nil }
    let isCut = !seen.insert(number).inserted || depth == Self.maxDepth
    var upstreams: [Inspector.Link.Upstream] = []
    for (role, upstream) in isCut ? [] : node.upstreams {
      if let link = link(upstream, &seen, depth: depth + 1) { upstreams.append(.init(role: role, link: link)) }
    }
    for feed in isCut ? [] : node.feeds {
      if let link = link(feed, &seen, depth: depth + 1) {
        upstreams.append(.init(role: node.feeds.count > 1 ? "feed" : nil, link: link))
      }
    }
    let state = node.state
    let names = LinkNames(of: node, upstreams)
    let subscriber = state.passed.end.map(plainName)
    return Inspector.Link(
      id: number, name: state.name,
      label: state.label.map { .init(text: $0.text, file: "\($0.file)", line: $0.line) },
      phase: Inspector.Link.Phase(state.phase), outstanding: state.demand,
      isAsked: graph.isAsked(node), waiting: state.waiting, capacity: state.capacity,
      drops: state.drops.map { .init(reason: .init($0.reason), count: $0.count) },
      wait: state.wait?.phrase(names),
      publisher: (state.hub?.name).map(shownType), passes: state.passed.names.map(plainName),
      subscriber: state.isEnd ? nil : subscriber, counts: node.counts,
      described: (state.described as? DescribedSignals)?.recording,
      upstreams: upstreams,
      isFeed: state.isFeed,
      isCut: isCut && !(node.upstreams.isEmpty && node.feeds.isEmpty),
      reason: state.reason(names, subscriber: subscriber))
  }
}

extension Inspector.Link.Phase {
  init(_ phase: LinkState.Phase) {
    self =
      switch phase {
      case .awaiting: .awaiting
      case .active: .active
      case .ended: .ended
      }
  }
}

extension Inspector.Link.Drops.Reason {
  init(_ reason: LinkState.DropReason) {
    self =
      switch reason {
      case .withoutDemand: .withoutDemand
      case .bufferFull: .bufferFull
      case .replaced: .replaced
      case .ended: .ended
      case .late: .late
      }
  }

  /// The phrase that follows a number of dropped values.
  var phrase: String {
    switch self {
    case .withoutDemand: "without demand"
    case .bufferFull: "since it was full"
    case .replaced: "replaced by newer ones"
    case .ended: "at the end"
    case .late: "after the end"
    }
  }
}
