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
  ///   - duration: How long to watch; a link that is slower than that looks stuck.
  /// - Returns: The sentence.
  public static func why(_ name: String, watching duration: Duration = .milliseconds(300)) async -> String {
    let snapshot = await snapshot(watching: duration)
    let streams = snapshot.streams.filter { $0[name] != nil }
    guard let stream = streams.first(where: { $0.culprit != nil }) ?? streams.first else {
      return "No stream has “\(name)” in it; \(snapshot.streams.count) are alive"
    }
    return stream.why
  }
}

extension Inspector.Stream {
  /// Why nothing arrives, in one sentence; what holds the stream up, if that is known.
  public var why: String {
    if let culprit { return culprit.explanation }
    let links = links
    let reason = links.lazy.compactMap(\.reason).first ?? idle
    guard let counts = links.lazy.compactMap(\.counts).first else { return reason + "; not counted" }
    let values = counts.values == 1 ? "1 value" : "\(counts.values) values"
    return reason + (counts.age.map { "; the last of \(values) passed \($0.text) ago" } ?? "; \(values) so far")
  }

  /// What is known of a stream in which no link waits for anything that it knows.
  private var idle: String {
    // The longest way upstream: the sources of its other upstreams are as idle.
    var source = end
    while let upstream = source.upstreams.first?.link { source = upstream }
    if source.id == end.id, end.subscriber == nil, end.publisher == nil {
      return end.phase == .awaiting
        ? "\(end.name) has no subscription yet: its publisher has not sent one"
        : "\(end.name) has nothing upstream any more: it has been cancelled from inside, or what fed it is gone without an end"
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

  /// What the link waits for, or does with its values, as the start of a sentence.
  fileprivate var reason: String? {
    if let drops = drops.first(where: { $0.reason == .withoutDemand }), outstanding == Subscribers.Demand.none {
      return "\(subscriber ?? "The subscriber") asks for nothing, and \(shownName) has dropped \(values(drops.count))"
    }
    if phase == .awaiting, !upstreams.isEmpty { return "\(shownName) has no subscription yet" }
    if let kept = waiting, kept > 0, wait == nil { return "\(shownName) keeps \(values(UInt(kept)))" }
    return wait.map { "\(shownName) waits for \($0)" }
  }

  private func values(_ count: UInt) -> String { count == 1 ? "1 value" : "\(count) values" }
}
