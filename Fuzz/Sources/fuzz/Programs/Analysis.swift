// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// What a program promises, from the operators that it is made of.
extension Program {
  /// The subjects below a node, each as often as it is subscribed to.
  func subjects(below node: Node) -> [Int] {
    switch node.name {
    case "subject": [node.numbers[0]]
    case "shared": subjects(below: shared[node.numbers[0]].node)
    default: node.children.flatMap { subjects(below: $0) }
    }
  }

  /// Whether a property of operators holds for all of them.
  func all(_ trait: Traits, in node: Node) -> Bool {
    guard OperatorRow.byName[node.name]?.traits.contains(trait) == true else { return false }
    if node.name == "shared" {
      let stream = shared[node.numbers[0]]
      // A second connection brings everything twice.
      let isConnectable = [.multicast, .multicastCurrent, .makeConnectable].contains(stream.kind)
      return !isConnectable && all(trait, in: stream.node)
    }
    return node.children.allSatisfy { all(trait, in: $0) }
  }

  func contains(_ name: String, in node: Node) -> Bool {
    if node.name == name { return true }
    if node.name == "shared" { return contains(name, in: shared[node.numbers[0]].node) }
    return node.children.contains { contains(name, in: $0) }
  }

  /// The subjects that a pipeline feeds: what they send may come twice.
  var fed: Set<Int> { Set(pipelines.filter { $0.terminal.kind == .feeding }.map(\.terminal.target)) }

  /// What a checkpoint below a node looks at.
  func checks(of node: Node) -> Checks {
    let subjects = subjects(below: node)
    var checks: Checks = []
    // `ObservableObjectPublisher` counts no demand, as in Combine.
    if !subjects.contains(where: { self.subjects[$0] == .announcing }) { checks.insert(.demand) }
    let areOnce = Set(subjects).count == subjects.count && fed.isDisjoint(with: subjects)
    if areOnce, all(.ordered, in: node) { checks.insert(.order) }
    return checks
  }

  /// Whether the subscription has come when `subscribe` returns.
  func introducesAtOnce(_ node: Node) -> Bool { !contains("subscribe(on:)", in: node) }

  /// Whether a present value, too.
  func presentsAtOnce(_ node: Node) -> Bool {
    switch node.name {
    case "subject":
      let kind = subjects[node.numbers[0]]
      return kind == .current || kind == .published
    case "shared", "Deferred": return false
    case "merge", "Merge3", "Merge4", "MergeMany", "zip", "Zip3", "Zip4", "combineLatest", "CombineLatest3",
      "CombineLatest4":
      // One that has ended without a value leaves the others waiting, and so does one behind a subscriber of a user's, who
      // does not know that an introduction has to be kept open.
      if contains("check", in: node), !node.name.lowercased().hasPrefix("merge") { return false }
      return node.children.allSatisfy { presentsAtOnce($0) } && mayEnd.isDisjoint(with: subjects(below: node))
    case "replaceEmpty": return false
    default:
      let traits = OperatorRow.byName[node.name]?.traits ?? []
      return node.children.count == 1 && traits.contains(.presenting) && presentsAtOnce(node.children[0])
    }
  }

  /// Whether a closure or a value's end may end a stream while an operator without state is at work on a value: that
  /// value comes behind the end then, as in Combine.
  var nestsEnds: Bool {
    // By itself, or by a value that is delivered nested: to a subscriber who ends something, an operator that has enough.
    nested.contains { [.finish, .fail, .send].contains($0.kind) }
  }

  /// The same of cancels.
  var nestsCancels: Bool { nested.contains { [.cancel, .send].contains($0.kind) } }

  /// What closures and values do while an operator is at work on a value.
  private var nested: [Act] {
    let inNodes = (pipelines.map(\.node) + shared.map(\.node)).flatMap { acts(in: $0) }
    let inValues = actors.flatMap(\.steps).compactMap { step -> Act? in
      if case .send(_, _, _, let act, _) = step { act } else { nil }
    }
    return inNodes + inValues
  }

  /// The subjects that something in the program ends.
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
      case .act, .harmlessAct:
        found.append(Act(node.numbers[place..<place + 3]))
        place += 3
      default: place += 1
      }
    }
    return found
  }

  /// What each channel has to bring to a pipeline until its end; `nil` if that is not known.
  func expected(at index: Int) -> [Int: Int]? {
    let pipeline = pipelines[index]
    let subjects = subjects(below: pipeline.node)
    let acts = acts
    guard pipeline.startsFirst, [.counting, .sink].contains(pipeline.terminal.kind), pipeline.terminal.demand == nil,
      all(.conserving, in: pipeline.node), fed.isDisjoint(with: subjects), ending == .finish,
      !acts.contains(where: { [.finish, .fail].contains($0.kind) && subjects.contains($0.target) }),
      !acts.contains(where: { $0.kind == .cancel && $0.target == index }),
      // What is subscribed to is shared with others that come and go, or connected too late.
      !sharedBelow(pipeline.node).contains(where: { shared[$0].kind != .share }),
      !subjects.contains(where: { self.subjects[$0] == .announcing || self.subjects[$0] == .published }),
      // Subscribers who have been given a newer value, nested, are not given the older one behind it.
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
