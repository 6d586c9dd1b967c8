// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The program as readable Swift.
extension Program: CustomStringConvertible {
  var description: String {
    var lines = ["// seed \(seed)"]
    for (index, kind) in subjects.enumerated() { lines.append("let subject\(index) = \(kind.swift)") }
    for (index, kind) in lanes.enumerated() { lines.append("let lane\(index) = Lane(.\(kind.rawValue))") }
    for (index, stream) in shared.enumerated() {
      lines.append("let shared\(index) = \(stream.node.text(indent: 1))\n  .\(stream.call)")
    }
    for (index, pipeline) in pipelines.enumerated() {
      lines.append(
        "func pipeline\(index)() {\(pipeline.startsFirst ? "  // subscribed to before the threads start" : "")")
      lines.append("  \(pipeline.node.text(indent: 2))\n    .\(pipeline.terminal.text)\n}")
    }
    for (index, actor) in actors.enumerated() {
      lines.append("\(actor.isTask ? "group.addTask" : "threads.start") {  // channel \(index) * 8 + subject")
      for step in actor.steps { lines.append("  \(step.text(isTask: actor.isTask))") }
      lines.append("}")
    }
    lines.append("threads.join()")
    lines.append(ending.text)
    return lines.joined(separator: "\n")
  }
}

extension SubjectKind {
  fileprivate var swift: String {
    switch self {
    case .passthrough: "PassthroughSubject<Item, Fault>()"
    case .current: "CurrentValueSubject<Item, Fault>(item)"
    case .integers: "PassthroughSubject<Int, Never>()  // .map { Item($0) }"
    case .published: "Model()  // .$item"
    case .announcing: "Bare().objectWillChange  // .map { item }"
    }
  }
}

extension SharedStream {
  fileprivate var call: String {
    switch kind {
    case .share: "share()"
    case .multicast: "multicast(subject: PassthroughSubject())"
    case .multicastCurrent: "multicast(subject: CurrentValueSubject(item))"
    case .autoconnect: "multicast { PassthroughSubject() }.autoconnect()"
    case .makeConnectable: "replaceError(with: item).makeConnectable()"
    case .shareReplay: "shareReplay(capacity: \(capacity))"
    case .shareReplayCounted: "share(replay: \(capacity))"
    case .shareBounded: "share(buffering: .bounded(\(capacity + 1)))"
    case .shareNewest: "share(buffering: .newest(\(capacity)))"
    case .shareOldest: "share(buffering: .oldest(\(capacity)))"
    }
  }
}

extension Node {
  /// Each operator on a line of its own, below its upstream.
  func text(indent: Int) -> String {
    guard let row = OperatorRow.byName[name] else { return name }
    let margin = String(repeating: "  ", count: indent)
    var text = row.swift.replacing("\n", with: "\n\(margin)")
    for place in numbers.indices {
      if text.contains("!\(place)") {
        text = text.replacing("!\(place)", with: Act(numbers[place..<place + 3]).text)
      }
      text = text.replacing("#\(place)", with: "\(numbers[place])").replacing(
        "@\(place)", with: "lane\(numbers[place])")
    }
    let others = children.dropFirst().map { $0.text(indent: indent + 1) }
    text = text.replacing("{…}", with: others.joined(separator: ", "))
    for (place, child) in children.enumerated().reversed() {
      text = text.replacing("{\(place)}", with: child.text(indent: place == 0 ? indent : indent + 1))
    }
    return text
  }
}

extension Terminal {
  fileprivate var text: String {
    let acts = acts.sorted { $0.key < $1.key }.map { "at value \($0.key): \($0.value.text)" }
    let closure = acts.isEmpty ? "{ _ in }" : "{ \(acts.joined(separator: "; ")) }"
    let asked = demand.map { ".max(\($0))" } ?? ".unlimited"
    let dwelling = dwell > 0 ? "  // stays in a delivery for \(dwell) steps" : ""
    return switch kind {
    case .counting: "subscribe(Consumer(demand: \(asked), reply: \(reply)) \(closure))\(dwelling)"
    case .sink: "sink \(closure)\(dwelling)"
    case .values: "values  // in a task: for await \(closure)\(dwelling)"
    case .pausable: "pausableSink \(closure)  // pauses at each third\(dwelling)"
    case .feeding: "subscribe(subject\(target))\(dwelling)"
    }
  }
}

extension Act {
  var text: String {
    switch kind {
    case .send: "subject\(target).send(item)"
    case .finish: "subject\(target).send(completion: .finished)"
    case .fail: "subject\(target).send(completion: .failure(Fault()))"
    case .cancel: "latest[\(target)].cancel()"
    case .request: "latest[\(target)].request(.max(\(amount)))"
    case .visit: "subject\(target).sink { _ in }.cancel()"
    case .connect: "connections[\(target)] = shared\(target).connect()"
    case .disconnect: "connections[\(target)].cancel()"
    case .resume: "latest[\(target)].resume()"
    }
  }
}

extension Step {
  fileprivate func text(isTask: Bool) -> String {
    let pause = isTask ? "await Task.yield()" : "yield()"
    switch self {
    case .send(let subject, let count, let every, let act, let actEvery):
      let legacy = act.map { ", each \(actEvery). with deinit { \($0.text) }" } ?? ""
      let pausing = every > 0 ? "; if i % \(every) == 0 { \(pause) }" : ""
      return "for i in 1...\(count) { subject\(subject).send(item\(legacy))\(pausing) }"
    case .act(let act): return act.text
    case .subscribe(let pipeline): return "pipeline\(pipeline)()"
    case .advance(let milliseconds, let times):
      return "for _ in 1...\(times) { clocks.advance(by: .milliseconds(\(milliseconds))) }"
    case .pause(let times): return "for _ in 1...\(times) { \(pause) }"
    }
  }
}

extension Ending {
  fileprivate var text: String {
    switch self {
    case .finish: "subjects.forEach { $0.send(completion: .finished) }"
    case .fail: "subjects.forEach { $0.send(completion: .failure(Fault())) }"
    case .cancel: "all.forEach { $0.cancel() }"
    case .drop: "all = []"
    }
  }
}
