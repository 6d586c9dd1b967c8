// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import PenstockCore

/// The subscribers of publishers with several that ask for nothing: each may hold back the others.
///
/// Made once for all streams of a look, when the first of them needs it: to search all links for each stream would take the
/// square of their number.
internal final class SilentMembers {
  private let graph: LinkGraph
  /// The oldest of each publisher, by the object that distributes its values.
  private lazy var oldest = members()
  /// The end of the stream in which each link stands first.
  private lazy var ends = streams()

  init(of graph: LinkGraph) { self.graph = graph }

  /// Returns the name of the stream of such a subscriber; `nil` if there is none but the one with that number.
  func name(at engine: ObjectIdentifier, besides number: UInt64) -> String? {
    guard let other = oldest[engine], other != number, let end = ends[other] else { return nil }
    let label = graph.upstream(of: end).lazy.compactMap(\.state.label?.text).first
    return label.map { "“\($0)”" } ?? "#\(end)"
  }

  private func members() -> [ObjectIdentifier: UInt64] {
    var oldest: [ObjectIdentifier: UInt64] = [:]
    for node in graph.nodes.values where node.state.demand == Subscribers.Demand.none {
      guard let engine = node.state.hub?.engine else { continue }
      oldest[engine] = min(oldest[engine] ?? .max, node.number)
    }
    return oldest
  }

  private func streams() -> [UInt64: UInt64] {
    var found: [UInt64: UInt64] = [:]
    for end in graph.ends {
      for node in graph.upstream(of: end) where found[node.number] == nil { found[node.number] = end }
    }
    return found
  }
}
