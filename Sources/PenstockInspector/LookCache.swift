// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import PenstockCore

/// The latest look at the streams, for all who ask, since when nothing has changed in each, and the links whose signals
/// somebody looks at.
internal actor LookCache {
  /// How long a look serves.
  static var age: Duration { .milliseconds(500) }
  /// For how long, and of how many links, the signals are kept after somebody has asked for them: so that who looks at
  /// a link sees how it ends.
  static var watching: (time: Duration, links: Int) { (.seconds(60), 16) }

  /// What somebody asks of a look.
  struct Question: Hashable {
    /// The greatest number of shapes.
    var limit: Int
    /// A text in a name; `nil` for all streams.
    var find: String?
    /// The shapes whose streams are listed.
    var open: Set<UInt> = []
    /// Whether the answer may be larger than ``Inspector/Look/budget``.
    var isWhole = false
    /// Whether the answer is text, for a terminal.
    var isText = false
  }

  /// A link whose signals somebody looks at.
  private struct Watched {
    let name: String
    let label: String?
    let described: DescribedSignals?
    let record: LinkRecord?
    var asked: ContinuousClock.Instant
  }

  private let patience: Duration
  private let now: @Sendable () -> ContinuousClock.Instant
  private var latestLook: (look: Inspector.Look, time: ContinuousClock.Instant)?
  /// What has been answered from the latest look.
  private var answers: [Question: String] = [:]
  /// The fingerprint of each stream, and when it was first seen.
  private var history: [UInt64: (print: Int, since: ContinuousClock.Instant)] = [:]
  private var watched: [UInt64: Watched] = [:]

  init(patience: Duration, now: @escaping @Sendable () -> ContinuousClock.Instant) {
    (self.patience, self.now) = (patience, now)
  }

  /// Answers a question from the latest look, or from a new one if that is too old.
  func answer(_ question: Question) -> String {
    let look = latest()
    if let answer = answers[question] { return answer }
    let answer = question.isText ? look.text(question) : look.json(question)
    // A person that types a search asks a question for each key.
    if answers.count >= 16 { answers = [:] }
    answers[question] = answer
    return answer
  }

  private func latest() -> Inspector.Look {
    let now = now()
    if let latestLook, now - latestLook.time < Self.age { return latestLook.look }
    let graph = LinkGraph()
    history = Dictionary(
      uniqueKeysWithValues: graph.fingerprints.map { end, print in
        let known = history[end]
        return (end, (print, known?.print == print ? known!.since : now))
      })
    forget(before: now)
    let look = Inspector.Look(graph.snapshot(unchangedFor: history.mapValues { now - $0.since }, atLeast: patience))
    latestLook = (look, now)
    answers = [:]
    return look
  }

  /// Returns the signals that are kept of a link; `nil` if no link of that number is alive, or has been looked at of late.
  func signals(of number: UInt64) -> Inspector.LinkSignals? {
    let now = now()
    forget(before: now)
    let link = Self.read(number)
    if watched[number] == nil {
      guard let link, link.phase != .ended else { return nil }
      if watched.count >= Self.watching.links, let oldest = watched.min(by: { $0.value.asked < $1.value.asked }) {
        watched[oldest.key] = nil
      }
      watched[number] = Watched(
        name: plainName(link.name), label: link.label?.text, described: link.described as? DescribedSignals,
        record: link.record ?? linkRecords[number], asked: now)
    }
    watched[number]!.asked = now
    let watched = watched[number]!
    return Inspector.LinkSignals(
      link: number, name: watched.name, label: watched.label,
      isAlive: link.map { $0.phase != .ended } ?? false, isDescribed: watched.described != nil,
      recording: watched.described?.recording ?? watched.record?.recording)
  }

  /// Releases the signals at which nobody looks any more.
  private func forget(before now: ContinuousClock.Instant) {
    watched = watched.filter { now - $0.value.asked < Self.watching.time }
  }

  /// Reads a link without reading any other.
  private static func read(_ number: UInt64) -> LinkState? {
    var state: LinkState?
    liveLinks.forEach { link in
      guard link.number == number, let object = link.object as? any InspectableLink else { return }
      var shown = LinkState()
      object.show(in: &shown)
      // Kept here, these objects might be freed here.
      shown.upstreams = []
      state = shown
    }
    return state
  }
}

extension LinkRecord {
  /// The kinds and times of the latest signals, if they are kept; a completion may be a failure.
  fileprivate var recording: Inspector.Recording? {
    guard let signals = ring?.signals else { return nil }
    let (now, coarse) = (ContinuousClock.now, coarseTime())
    return Inspector.Recording(
      signals: signals.map { signal in
        Inspector.Recording.Signal(
          signal.kind == .value ? .value("") : .finished,
          at: now - .nanoseconds(Int64(coarse - min(coarse, signal.time))))
      }, earlier: Int(values.value) - signals.count(where: { $0.kind == .value }))
  }
}
