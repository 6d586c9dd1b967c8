// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import PenstockCore

/// Finds the link that holds a stream up: the first one from downstream that asks for nothing, or keeps values, while
/// something waits upstream.
///
/// It uses only the state that links keep anyway, so it works for streams that were made before anybody looked.
internal struct Diagnosis {
  let graph: LinkGraph
  private let silent: SilentMembers

  init(graph: LinkGraph) {
    self.graph = graph
    silent = SilentMembers(of: graph)
  }

  typealias Node = LinkGraph.Node
  typealias Culprit = Inspector.Culprit

  func culprit(of end: UInt64) -> Culprit? {
    guard let node = graph.nodes[end] else { return nil }
    if node.state.isEnd { return culprit(atEnd: node) }
    // The end of the chain is a subscriber that keeps nothing, or a subscriber of the user.
    let subscriber = node.state.passed.end.map(plainName) ?? "the subscriber"
    var path: Set<UInt64> = []
    return judge(node, asker: (node.number, subscriber), &path)
  }

  private func culprit(atEnd end: Node) -> Culprit? {
    let state = end.state
    if case .scheduler? = state.wait, let waiting = state.waiting, waiting > 0 {
      return Culprit(end, .schedulerDoesNotRun, "\(state.name) has \(values(waiting)) for an actor that has not run")
    }
    if state.isAsking == false {
      if let waiting = state.waiting, waiting > 0 {
        return Culprit(end, .asksForNothing, "no task is reading: \(state.name) keeps \(values(waiting))")
      }
      return somethingWaits(upstreamOf: end).map {
        Culprit(end, .asksForNothing, "\(state.name) asks for nothing, and \($0)")
      }
    }
    var path: Set<UInt64> = []
    return judgeUpstreams(end, &path, 0)
  }

  /// Judges a link, and then what is upstream of it.
  ///
  /// - Parameter asker: The link directly downstream.
  private func judge(
    _ node: Node, asker: (number: UInt64, name: String), _ path: inout Set<UInt64>, depth: Int = 0
  ) -> Culprit? {
    // Up to the length at which a stream is shown.
    guard path.insert(node.number).inserted, depth < 200 else { return nil }
    if node.state.isEnd { return judgeUpstreams(node, &path, depth) }
    guard graph.isAsked(node) != false else {
      if let kept = waits(at: node) {
        return Culprit(
          link: asker.number, name: asker.name, reason: .asksForNothing,
          explanation: "\(asker.name) asks for nothing, and \(kept)" + (slower(than: asker.number) ?? ""))
      }
      return node.state.droppedText(LinkNames(of: node, []), subscriber: asker.name).map {
        Culprit(link: asker.number, name: asker.name, reason: .dropsValues, explanation: $0)
      }
    }
    return ownFault(of: node) ?? judgeUpstreams(node, &path, depth)
  }

  private func judgeUpstreams(_ node: Node, _ path: inout Set<UInt64>, _ depth: Int) -> Culprit? {
    for upstream in graph.upstreams(of: node) {
      if let culprit = judge(upstream, asker: (node.number, node.state.name), &path, depth: depth + 1) {
        return culprit
      }
    }
    return nil
  }

  /// Returns why a link from which values are requested delivers nothing, if the link itself is the cause.
  private func ownFault(of node: Node) -> Culprit? {
    let state = node.state
    let name = state.name
    let waiting = state.waiting ?? 0
    switch state.wait {
    case .scheduler? where state.isDelivering && waiting > 0:
      return Culprit(
        node, .deliveryDoesNotReturn,
        "\(name) is inside a delivery that has not returned, and has \(values(waiting)) after it")
    case .scheduler?:
      return Culprit(
        node, .schedulerDoesNotRun,
        waiting > 0
          ? "\(name) has \(values(waiting)) for a scheduler that has not run"
          : state.phase == .awaiting
            ? "\(name) has scheduled its subscription, and the scheduler has not run"
            : name == "SubscribeOn"
              ? "\(name) has scheduled a request, and the scheduler has not run"
              : "\(name) has the end of its upstream for a scheduler that has not run")
    case .date?, .attempt?:
      return state.wait?.overdue.map { late in
        Culprit(node, .schedulerDoesNotRun, "\(state.lateText(name, by: late)), and its scheduler has not run")
      }
    case .group?, .end?:
      return nil
    case .upstreams(let missing)? where waiting > 0:
      // Only if no other link is to blame for the missing values.
      let list = missing.map { "\($0 + 1)" }.joined(separator: ", ")
      return Culprit(node, .waitsForOthers, "\(name) keeps \(values(waiting)) and waits for upstream \(list)")
    case .limit(let running)?:
      return somethingWaits(upstreamOf: node).map {
        let publishers = running == 1 ? "1 inner publisher" : "\(running) inner publishers"
        return Culprit(node, .isAtItsLimit, "\(name) has \(publishers) running, as many as it may, and \($0)")
      }
    default:
      break
    }
    if state.hub != nil, node.feeds.isEmpty, state.passed.names.contains("Multicast") {
      return Culprit(
        link: node.number, name: "Multicast", reason: .isNotConnected,
        explanation: "Multicast is not connected: call connect(), and keep what it returns")
    }
    if waiting > 0, state.demand != nil {
      return Culprit(node, .holdsValues, "\(name) keeps \(values(waiting)), though they are asked for")
    }
    return nil
  }

  /// A clause that names another subscriber of the same publisher, which has asked for nothing, if there is one.
  private func slower(than number: UInt64) -> String? {
    guard let engine = graph.nodes[number]?.state.hub?.engine, let name = silent.name(at: engine, besides: number)
    else {
      return nil
    }
    return ": \(name), another subscriber of it, has not asked"
  }

  // MARK: What waits

  /// A phrase for what waits at a link or upstream of it.
  private func waits(at node: Node) -> String? {
    if let kept = kept(by: node) { return kept }
    if node.state.hasValuesAtHand, node.state.phase == .active { return "\(node.state.name) has more" }
    return somethingWaits(upstreamOf: node)
  }

  /// A phrase for what waits upstream of a link.
  private func somethingWaits(upstreamOf node: Node) -> String? {
    var rest = graph.upstream(of: node.number).dropFirst()
    while let next = rest.popFirst() {
      if let kept = kept(by: next) { return kept }
      if next.state.hasValuesAtHand, next.state.phase == .active, next.state.demand == Subscribers.Demand.none {
        return "\(next.state.name) has more"
      }
    }
    return nil
  }

  /// A phrase for what a link keeps.
  private func kept(by node: Node) -> String? {
    switch node.state.wait {
    // Kept for more values, or for the end, and not for demand.
    case .end?, .group?: return nil
    default: break
    }
    guard let count = node.state.waiting, count > 0 else { return nil }
    return "\(values(count)) wait\(count == 1 ? "s" : "") at \(node.state.name)"
  }
}

extension Inspector.Culprit {
  fileprivate init(_ node: LinkGraph.Node, _ reason: Reason, _ explanation: String) {
    self.init(link: node.number, name: node.state.name, reason: reason, explanation: explanation)
  }
}
