// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import PenstockCore

/// The names by which a sentence speaks of a link and of those upstream of it.
internal struct LinkNames {
  /// The text that `print()` prints.
  let name: String
  /// The same, with the name that the user has given.
  let shown: String
  /// The links directly upstream, by their roles.
  let upstreams: [String: String]

  init(of node: LinkGraph.Node, _ upstreams: [Inspector.Link.Upstream]) {
    name = node.state.name
    shown = node.state.label.map { "\(node.state.name) “\($0.text)”" } ?? name
    self.upstreams = Dictionary(
      upstreams.compactMap { up in up.role.map { ($0, up.link.shownName) } }, uniquingKeysWith: { first, _ in first })
  }

  /// The words for an upstream, with its name if that is known.
  func upstream(_ words: String, role: String) -> String { words + (upstreams[role].map { " (\($0))" } ?? "") }
}

extension LinkState.Wait {
  /// The phrase that follows "waits for".
  func phrase(_ names: LinkNames) -> String {
    switch self {
    case .upstreams(let missing):
      // Zip waits again and again, CombineLatest once.
      (names.name == "CombineLatest" ? "a first value" : "a value") + " of upstream "
        + missing.map { names.upstream("\($0 + 1)", role: "\($0 + 1)") }.joined(separator: ", ")
    case .limit(let running):
      running == 1 ? "the end of its inner publisher" : "the end of one of \(running) inner publishers"
    case .scheduler: "its scheduler"
    case .date(let left): left < .zero ? "its scheduler, since \((.zero - left).text)" : "a date, for \(left.text) more"
    case .attempt(let number, let most, let left):
      Self.attemptText(number, of: most) + ", for \(max(left, .zero).text) more"
    case .result: names.name == "Future" ? "its promise" : "the result"
    case .end: "the end of its upstream"
    case .group(let more): "\(values(more)) more"
    case .signal: names.upstream("a first value of its signal", role: "signals")
    case .inner(let count): count == 1 ? "a value of its inner publisher" : "a value of its \(count) inner publishers"
    }
  }

  fileprivate static func attemptText(_ number: Int, of most: Int?) -> String {
    "attempt \(number)" + (most.map { " of \($0)" } ?? "")
  }

  /// How long ago a scheduler should have run, if it is late by more than schedulers are.
  var overdue: Duration? {
    switch self {
    case .date(let left), .attempt(_, _, let left): left < .milliseconds(-100) ? .zero - left : nil
    default: nil
    }
  }
}

extension LinkState {
  /// What the link waits for, or does with its values.
  ///
  /// - Parameter subscriber: The end of the chain, if it is directly downstream.
  func reason(_ names: LinkNames, subscriber: String?) -> Inspector.Reason? {
    let name = names.shown
    if hasLostObject { return .init(text: "the object to which \(name) assigns has been freed: values go nowhere") }
    if let text = droppedText(names, subscriber: subscriber) { return .init(text: text) }
    if phase == .awaiting, !names.upstreams.isEmpty { return .init(text: "\(name) has no subscription yet") }
    let kept = waiting ?? 0
    switch wait {
    case nil: return kept > 0 ? .init(text: "\(name) keeps \(values(kept))") : nil
    case .date(let left) where left < .zero:
      return .init(text: lateText(name, by: .zero - left))
    case .date(let left):
      if kept > 0 { return .init(text: "\(name) keeps \(values(kept)), due in \(left.text)") }
      return names.name == "Timeout"
        ? .init(text: "\(name) waits \(left.text) more for a value", isWeak: true)
        : .init(text: "\(name) is due in \(left.text)")
    case .attempt(let number, let most, let left):
      return .init(text: "\(name) waits \(max(left, .zero).text) for \(Wait.attemptText(number, of: most))")
    case .end:
      return .init(
        text: kept > 0
          ? "\(name) keeps \(values(kept)) until its upstream ends" : "\(name) delivers when its upstream ends",
        isWeak: true)
    case .group(let more):
      return .init(text: "\(name) keeps \(kept) of \(values(kept + more))", isWeak: true)
    case .signal:
      return .init(
        text: "\(name) drops values until \(names.upstream("its signal", role: "signals")) delivers")
    // What the inner publishers wait for is more telling, where they are known.
    case .inner where names.upstreams["inner"] ?? names.upstreams["latest"] != nil: return nil
    case .limit, .inner: return .init(text: "\(name) waits for \(wait!.phrase(names))", isWeak: true)
    case let wait?: return .init(text: "\(name) waits for \(wait.phrase(names))")
    }
  }

  /// What is said of a link whose date has passed, under the name that the sentence uses.
  func lateText(_ name: String, by late: Duration) -> String {
    let kept = waiting ?? 0
    return "\(name) \(kept > 0 ? "keeps \(values(kept)), due" : "was due") \(late.text) ago"
  }

  /// What is said of values that came while nobody had asked.
  func droppedText(_ names: LinkNames, subscriber: String?) -> String? {
    guard demand == Subscribers.Demand.none, let drops = drops.first(where: { $0.reason == .withoutDemand }) else {
      return nil
    }
    let asker = subscriber ?? "the subscriber"
    return "\(asker) asks for nothing, and \(names.shown) has dropped \(values(drops.count))"
  }
}

/// A number of values in words.
internal func values(_ count: some BinaryInteger) -> String { count == 1 ? "1 value" : "\(count) values" }
