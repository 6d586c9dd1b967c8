// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import PenstockCore

extension Inspector {
  /// One look at all streams, as an endpoint answers from it.
  internal struct Look {
    /// The greatest size of the shapes in an answer, in bytes: a page that asks every two seconds takes little then,
    /// however many streams there are.
    static var budget: Int { 48_000 }
    /// The greatest number of streams that are listed of one shape.
    static var maximumMembers: Int { 100 }

    let snapshot: Snapshot
    private let groups: [StreamGroup]

    init(_ snapshot: Snapshot) {
      self.snapshot = snapshot
      groups = StreamGroup.groups(of: snapshot.streams)
    }

    /// The shapes of the streams, those that are held up first, with the numbers of all.
    func json(_ question: LookCache.Question) -> String {
      let found = found(question.find?.lowercased() ?? "")
      var shown: [JSON] = []
      var size = 0
      for group in found.prefix(question.limit) {
        let text = group.json(isOpen: question.open.contains(group.shape)).text
        size += text.utf8.count
        if size > Self.budget, !question.isWhole, !shown.isEmpty { break }
        shown.append(.literal(text))
      }
      return JSON.object([
        "liveLinks": .number(snapshot.liveLinks), "count": .number(snapshot.streams.count),
        "shapes": .number(groups.count),
        "found": .number(found.reduce(0) { $0 + $1.streams.count }), "foundShapes": .number(found.count),
        "limit": .number(question.limit), "heldUp": .number(snapshot.heldUp.count),
        "isCounting": .flag(linkCounting.value != .off), "streams": .list(shown),
      ]).text
    }

    /// The same as trees of text.
    func text(_ question: LookCache.Question) -> String {
      let shown = found(question.find?.lowercased() ?? "").prefix(question.limit)
      return snapshot.summary + "\n"
        + shown.map { group in
          let alike = group.streams.count > 1 ? "× \(group.streams.count), all like\n" : ""
          return "\n\(alike)\(group.first)" + (group.first.culprit == nil ? "  \(group.first.why)\n" : "")
        }.joined()
    }

    /// - Parameter words: A text in a name or a label of a stream, `held up`, or `#` and the number of a stream, in lower case.
    private func found(_ words: String) -> [StreamGroup] {
      if words.isEmpty { return groups }
      if words == "held up" { return groups.filter { $0.first.culprit != nil } }
      if words.hasPrefix("#"), let number = UInt64(words.dropFirst()) {
        return StreamGroup.groups(of: snapshot.streams.filter { $0.id == number })
      }
      // What is searched is the same for all streams of a shape.
      return groups.filter { $0.first.has(words) }
    }
  }

  /// The signals that are kept of a link.
  internal struct LinkSignals {
    let link: UInt64
    let name: String
    let label: String?
    let isAlive: Bool
    let isDescribed: Bool
    /// `nil` if the link keeps none.
    let recording: Recording?

    /// - Parameter showsValues: Whether texts of values may be shown; letters stand for them otherwise.
    func json(showsValues: Bool) -> String {
      let isLettered = !isDescribed || !showsValues
      let shown = isLettered ? recording?.lettered : recording
      let now = ContinuousClock.now
      return JSON.object([
        "link": .number(link), "name": .text(name), "label": label.map { .text($0) }, "isAlive": .flag(isAlive),
        "isDescribed": .flag(isDescribed), "isLettered": .flag(isLettered),
        "earlier": shown.map { .number($0.earlier) },
        "signals": shown.map { .list($0.signals.map { $0.json(at: now, isEndKnown: isDescribed) }) },
        "test": shown.map { .text($0.marbleTest(of: label ?? name)) },
      ]).text
    }
  }
}

extension Inspector.Stream {
  /// Whether a name or a label of the stream has these words, in lower case.
  fileprivate func has(_ words: String) -> Bool {
    links.contains { link in
      ([link.name, link.label?.text, link.label?.file, link.subscriber, link.publisher].compactMap(\.self) + link.passes)
        .contains { $0.lowercased().contains(words) }
    }
  }
}

extension Inspector.StreamGroup {
  /// - Parameter isOpen: Whether its streams are listed.
  fileprivate func json(isOpen: Bool) -> JSON {
    let members = streams.prefix(Inspector.Look.maximumMembers).map { stream in
      JSON.object([
        "id": .number(stream.id), "unchanged": stream.unchanged.map { .seconds($0) }, "why": .text(stream.why),
      ])
    }
    return .object(
      first.members + [
        ("shape", .text(String(shape, radix: 16))), ("alike", .number(streams.count)),
        ("longest", .seconds(longest)), ("values", .number(streams.reduce(0) { $0 &+ $1.end.valuesOfAll })),
        ("members", isOpen ? .list(members) : nil),
      ])
  }
}

extension Inspector.Link {
  /// The number of values that have passed this link and those upstream of it: what tells whether anything flows.
  fileprivate var valuesOfAll: UInt { upstreams.reduce(counts?.values ?? 0) { $0 &+ $1.link.valuesOfAll } }
}

extension Inspector.Recording.Signal {
  fileprivate func json(at now: ContinuousClock.Instant, isEndKnown: Bool) -> JSON {
    let (name, text): (String, String?) =
      switch kind {
      case .value(let text): ("value", text)
      case .finished: (isEndKnown ? "finished" : "completed", nil)
      case .failed: ("failed", nil)
      case .cancelled: ("cancelled", nil)
      }
    return .object(["kind": .text(name), "text": text.map { .text($0) }, "age": .seconds(now - time)])
  }
}
