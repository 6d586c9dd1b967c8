// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The guarantees of a program, derived from its operators.
extension Program {
  /// The subjects upstream of a node, each as often as it is subscribed to.
  func subjects(below node: Node) -> [Int] {
    switch node.name {
    case "subject": [node.numbers[0]]
    case "shared": subjects(below: shared[node.numbers[0]].node)
    default: node.children.flatMap { subjects(below: $0) }
    }
  }

  /// Whether all operators have a property.
  func all(_ trait: Traits, in node: Node) -> Bool {
    guard OperatorRow.byName[node.name]?.traits.contains(trait) == true else { return false }
    if node.name == "shared" {
      let stream = shared[node.numbers[0]]
      // A second connection delivers everything twice; with a bound, a subject drops values that it has not been asked
      // for.
      let isConnectable = [.multicast, .multicastCurrent, .makeConnectable].contains(stream.kind)
      let drops = [.shareBounded, .shareNewest, .shareOldest].contains(stream.kind)
      return !isConnectable && !(drops && trait != .ordered) && all(trait, in: stream.node)
    }
    return node.children.allSatisfy { all(trait, in: $0) }
  }

  func contains(_ name: String, in node: Node) -> Bool {
    if node.name == name { return true }
    if node.name == "shared" { return contains(name, in: shared[node.numbers[0]].node) }
    return node.children.contains { contains(name, in: $0) }
  }

  /// The subjects that a pipeline feeds: their values may be duplicated.
  var fed: Set<Int> { Set(pipelines.filter { $0.terminal.kind == .feeding }.map(\.terminal.target)) }

  /// The checks of a checkpoint downstream of a node.
  func checks(of node: Node) -> Checks {
    let subjects = subjects(below: node)
    var checks: Checks = []
    // `ObservableObjectPublisher` counts no demand, as in Combine.
    if !subjects.contains(where: { self.subjects[$0] == .announcing }) { checks.insert(.demand) }
    let areOnce = Set(subjects).count == subjects.count && fed.isDisjoint(with: subjects)
    // An inner `Just` has the outer stream's value, which a subject may have as well.
    let repeats = contains("Just", in: node) && !subjects.isEmpty
    if areOnce, !repeats, all(.ordered, in: node) { checks.insert(.order) }
    return checks
  }

  /// Whether the subscription is delivered before `subscribe` returns.
  func introducesAtOnce(_ node: Node) -> Bool { !contains("subscribe(on:)", in: node) }

  /// Whether a current value is, too.
  func presentsAtOnce(_ node: Node) -> Bool {
    switch node.name {
    case "subject":
      let kind = subjects[node.numbers[0]]
      return kind == .current || kind == .published
    case "shared", "Deferred": return false
    case "merge", "Merge3", "Merge4", "MergeMany", "zip", "Zip3", "Zip4", "combineLatest", "CombineLatest3",
      "CombineLatest4":
      // An upstream that has ended without a value leaves the others waiting, and so does one above a subscriber of a
      // user, which does not know that an introduction has to be kept open.
      if contains("check", in: node), !node.name.lowercased().hasPrefix("merge") { return false }
      return node.children.allSatisfy { presentsAtOnce($0) } && mayEnd.isDisjoint(with: subjects(below: node))
    case "replaceEmpty": return false
    default:
      let traits = OperatorRow.byName[node.name]?.traits ?? []
      return node.children.count == 1 && traits.contains(.presenting) && presentsAtOnce(node.children[0])
    }
  }

  /// Whether a closure or a value's end may end a stream while a stateless operator is processing a value: that value
  /// is then delivered after the end, as in Combine.
  var nestsEnds: Bool {
    // Either directly, or by a value that is delivered nested: to a subscriber that ends a stream, or to an operator
    // that completes.
    nested.contains { [.finish, .fail, .send].contains($0.kind) }
  }

  /// The number of values that one thread may be about to deliver at a time: a closure sends a value while another one
  /// is on its way, which continues after it.
  var valuesUnderWay: Int { 1 + nested.count { $0.kind == .send } }

  /// Whether the same holds for cancels as for ends.
  var nestsCancels: Bool { nested.contains { [.cancel, .send].contains($0.kind) } }

  /// The acts of closures and values while an operator is processing a value.
  private var nested: [Act] {
    let inNodes = (pipelines.map(\.node) + shared.map(\.node)).flatMap { acts(in: $0) }
    let inValues = actors.flatMap(\.steps).compactMap { step -> Act? in
      if case .send(_, _, _, let act, _) = step { act } else { nil }
    }
    return inNodes + inValues
  }

  /// The subjects that an act in the program may end.
  private var mayEnd: Set<Int> {
    fed.union(acts.filter { [.finish, .fail].contains($0.kind) }.map(\.target))
  }

  private var acts: [Act] {
    var acts = pipelines.flatMap { $0.terminal.acts.values }
    for step in actors.flatMap(\.steps) {
      switch step {
      case .act(let act), .send(_, _, _, let act?, _): acts.append(act)
      default: break
      }
    }
    for node in pipelines.map(\.node) + shared.map(\.node) { acts += self.acts(in: node) }
    return acts
  }

  private func acts(in node: Node) -> [Act] {
    var found = node.children.flatMap { acts(in: $0) }
    var place = 0
    for kind in OperatorRow.byName[node.name]?.numbers ?? [] {
      switch kind {
      case .act:
        found.append(Act(node.numbers[place..<place + 3]))
        place += 3
      default: place += 1
      }
    }
    return found
  }

  /// The number of values that each channel has to deliver to a pipeline until its end; `nil` if that is not known.
  func expected(at index: Int) -> [Int: Int]? {
    let pipeline = pipelines[index]
    let subjects = subjects(below: pipeline.node)
    let acts = acts
    guard pipeline.startsFirst, [.counting, .sink].contains(pipeline.terminal.kind), pipeline.terminal.demand == nil,
      all(.conserving, in: pipeline.node), fed.isDisjoint(with: subjects), ending == .finish,
      !acts.contains(where: { [.finish, .fail].contains($0.kind) && subjects.contains($0.target) }),
      !acts.contains(where: { $0.kind == .cancel && $0.target == index }),
      // Shared streams may be used by subscribers that come and go, or connected too late.
      !sharedBelow(pipeline.node).contains(where: { shared[$0].kind != .share }),
      !subjects.contains(where: { self.subjects[$0] == .announcing || self.subjects[$0] == .published }),
      // Subscribers that got a newer value, nested, do not get the older one after it.
      !subjects.contains(where: { subject in
        self.subjects[subject] == .current && acts.contains { $0.kind == .send && $0.target == subject }
      })
    else { return nil }
    var counts: [Int: Int] = [:]
    for (producer, actor) in actors.enumerated() {
      for case .send(let subject, let count, _, _, _) in actor.steps {
        let times = subjects.count { $0 == subject }
        if times > 0, count > 0 { counts[producer * World.subjectLimit + subject, default: 0] += count * times }
      }
    }
    return counts
  }

  private func sharedBelow(_ node: Node) -> [Int] {
    node.name == "shared"
      ? [node.numbers[0]] + sharedBelow(shared[node.numbers[0]].node) : node.children.flatMap { sharedBelow($0) }
  }
}
