// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// An operator in a chain.
struct DifferLink: Equatable, Sendable {
  /// Unique in a program; the numbers of its closures are made from it.
  var id: Int
  var name: String
  var number = 0
  var children: [DifferChain] = []

  var row: DifferOperator { .named(name) }
}

/// A source with operators.
struct DifferChain: Equatable, Sendable {
  var id: Int
  var source: String
  var number = 0
  var links: [DifferLink] = []

  /// The failure of the whole, or `nil` if the types do not fit.
  var failure: DifferOperator.Failure? {
    var (failure, isEager) = (DifferSource.named(source).failure, DifferSource.named(source).isEager)
    for link in links {
      let row = link.row
      guard row.accepts(failure), row.children.count == link.children.count else { return nil }
      if isEager, row.isEager, row.hasClosure || row.maySkipAll { return nil }
      var given = row.gives ?? failure
      for (kind, child) in zip(row.children, link.children) {
        guard let other = child.failure else { return nil }
        switch kind {
        case .same: if other != failure { return nil }
        case .giving: given = other
        case .anything: break
        }
      }
      isEager = isEager && row.isEager
      failure = given
    }
    return failure
  }

  /// The chain and all chains inside it.
  var all: [DifferChain] { [self] + links.flatMap { $0.children.flatMap(\.all) } }

  /// The number of operators, including those of other publishers.
  var size: Int { links.reduce(0) { $0 + 1 + $1.children.reduce(0) { $0 + $1.size } } }
}

/// A chain with a subscriber.
struct DifferPipeline: Equatable, Sendable {
  var chain: DifferChain
  var end: String
  /// Whether the publisher is made once, and not for each subscription.
  var isKept: Bool
}

/// The program that is compiled: one or two pipelines.
struct DifferProgram: Equatable, Sendable {
  var pipelines: [DifferPipeline]

  var isValid: Bool {
    !pipelines.isEmpty
      && pipelines.allSatisfy { pipeline in
        guard let failure = pipeline.chain.failure else { return false }
        return DifferEnd.named(pipeline.end).accepts(failure)
      }
  }

  var chains: [DifferChain] { pipelines.flatMap(\.chain.all) }

  /// The sources to which a script can send.
  var feeds: [String] {
    var feeds: [String] = []
    for chain in chains {
      if let feed = DifferSource.named(chain.source).feed, !feeds.contains(feed) { feeds.append(feed) }
    }
    return feeds
  }

  /// The numbers of the closures, without those of subscribers.
  var sites: [Int] {
    chains.flatMap { chain in
      (DifferSource.named(chain.source).text.contains("#s") ? [chain.id * 4] : [])
        + chain.links.flatMap { link in
          ["#s", "#t", "#u", "#v"].enumerated().filter { link.row.text.contains($0.element) }
            .map { link.id * 4 + $0.offset }
        }
    }
  }
}

/// The form of the source text of a program.
enum DifferForm: Int, CaseIterable, Sendable {
  /// As it is written.
  case written
  /// With a publisher of a user between any two links.
  case hidden
  /// With an erased publisher between any two links.
  case erased
  /// As `hidden`, with a mistake: to prove that mistakes are found.
  case mistaken

  var link: String {
    switch self {
    case .written: ""
    case .hidden: ".hidden()"
    case .erased: ".eraseToAnyPublisher()"
    case .mistaken: ".mistaken(w.mistake)"
    }
  }

  static let compared: [DifferForm] = [.written, .hidden, .erased]
}
