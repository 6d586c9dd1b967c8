// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Penstock

/// Two pipelines that do the same, whatever their upstreams.
struct Law: Sendable {
  typealias Stream = ModelOperator.Stream
  typealias Build = @Sendable (Site) -> Stream

  /// The place at which a side of a law is built.
  struct Site {
    let upstreams: [Stream]
    let n: Int
    let m: Int

    subscript(place: Int) -> Stream { upstreams[place] }
  }

  /// The signals that are compared.
  enum Scope {
    /// All delivered and requested values, with any demand and any cancel.
    case demand
    /// Delivered values, with any demand and any cancel.
    case signals
    /// Delivered values, if everything is requested.
    case unlimited
    /// The same, in any order within a time, up to a failure.
    case unordered
  }

  /// The sources that a law speaks about; any if empty.
  struct Sources: OptionSet {
    let rawValue: Int

    /// Only those that send at times of their own, so that no two values come at once.
    static let timed = Sources(rawValue: 1)
    /// Only those that do not fail.
    static let finishing = Sources(rawValue: 2)
  }

  let name: String
  let scope: Scope
  let sources: Sources
  /// The number of upstreams.
  let arity: Int
  /// The source texts: `{0}`, `{1}`, `{2}` are upstreams, `#n` and `#m` numbers.
  let texts: (left: String, right: String)
  let left: Build
  let right: Build

  init(
    _ name: String, _ scope: Scope, sources: Sources = [], arity: Int = 1, _ left: String, _ right: String,
    _ buildLeft: @escaping Build, _ buildRight: @escaping Build
  ) {
    self.name = name
    self.scope = scope
    self.sources = sources
    self.arity = arity
    texts = (left, right)
    self.left = buildLeft
    self.right = buildRight
  }

  static let all: [Law] =
    fusion + succession + sharing + neutral + equivalents + combination + valuewise + endings + several + flattening
}
