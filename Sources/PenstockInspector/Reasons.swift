// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import PenstockCore

extension Inspector {
  /// Says in one sentence why nothing arrives at the end of a stream.
  ///
  /// ```swift
  /// let names = PassthroughSubject<String, Never>()
  /// let prices = PassthroughSubject<Int, Never>()
  /// let cancellable = names.zip(prices).inspected("offer").sink { print($0) }
  /// names.send("pear")
  /// print(await Inspector.why("offer"))
  /// // Prints "Zip keeps 1 value and waits for upstream 2"
  /// ```
  ///
  /// It says only what was looked at: a stream whose values nobody counts may have delivered many, and the sentence ends
  /// with "not counted" then; ``PenstockCore/Publisher/inspected(_:file:line:)`` counts where it stands. See ``startCounting(_:)``.
  ///
  /// - Parameters:
  ///   - name: A name or a label in the stream; of several streams with it, the oldest that is held up is told, or the oldest.
  ///   - duration: How long nothing may move in a stream before one of its links is blamed. The sentence comes ten times
  ///     sooner where nothing seems to be held up.
  /// - Returns: The sentence.
  public static func why(_ name: String, watching duration: Duration = .seconds(3)) async -> String {
    // Whether a link holds its stream up is seen soon in most streams; only where one seems to, the whole time is needed.
    let first = await snapshot(watching: duration / 10)
    guard let stream = first.told(of: name) else {
      return "No stream has “\(name)” in it; \(first.streams.count) are alive"
    }
    if stream.culprit == nil { return stream.why }
    return await snapshot(watching: duration).told(of: name)?.why ?? "The stream of “\(name)” has ended meanwhile"
  }
}

extension Inspector.Snapshot {
  /// The stream that is told about: the oldest with the name that is held up, or the oldest.
  fileprivate func told(of name: String) -> Inspector.Stream? {
    let found = streams.filter { $0[name] != nil }
    return found.first { $0.culprit != nil } ?? found.first
  }
}

extension Inspector.Stream {
  /// Why nothing arrives, in one sentence; what holds the stream up, if that is known.
  public var why: String {
    if let culprit { return culprit.explanation }
    let links = links
    let reasons = links.compactMap(\.reason)
    let reason = (reasons.first { !$0.isWeak } ?? reasons.last)?.text ?? idle
    guard let counts = links.lazy.compactMap(\.counts).first else { return reason + "; not counted" }
    let passed = values(counts.values)
    return reason + (counts.age.map { "; the last of \(passed) passed \($0.text) ago" } ?? "; \(passed) so far")
  }

  /// What is known of a stream in which no link waits for anything that it knows.
  private var idle: String {
    // The longest way upstream: the sources of its other upstreams are as idle.
    var source = end
    while let upstream = source.upstreams.first?.link { source = upstream }
    // A source counts what is asked of it, or has several subscribers.
    if source.publisher == nil, source.outstanding == nil {
      return source.phase == .awaiting
        ? "\(source.name) has no subscription yet: its publisher has not sent one"
        : "\(source.name) has nothing upstream any more: it has been cancelled from inside, or what fed it is gone without an end"
    }
    let name = source.shownName
    switch source.isAsked {
    case false?: return "\(end.subscriber ?? end.shownName) has all that it has asked for"
    case true?, nil: return "\(name) is asked for values, and has none to give now"
    }
  }
}

extension Inspector.Link {
  /// The name under which a sentence speaks of the link.
  var shownName: String { label.map { "\(name) “\($0.text)”" } ?? name }
}
