// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A diagram, and what happened when it ran.
internal struct MarbleRun {
  private let diagram: MarbleDiagram
  /// The diagram with what happened in place of what was expected.
  let recorded: MarbleDiagram
  private let outputs: [String: MarbleOutput]
  private let dropped: [MarbleDrop]
  /// A mistake that may follow from a difference, and so is reported only if there is none.
  let unused: MarbleUsageError?

  init<Time, Options, P: Publisher>(
    _ diagram: MarbleDiagram, on scheduler: VirtualTimeScheduler<Time, Options>, values: MarbleValues<P.Output>,
    _ publisher: (MarbleBench<Time, Options>) throws -> P
  ) throws {
    self.diagram = diagram
    let bench = MarbleBench(diagram, scheduler: scheduler)
    try bench.run(publisher(bench), values: values)
    outputs = bench.outputs
    dropped = bench.timeline.dropped
    unused = bench.unused.map { name in
      MarbleUsageError(
        """
        The line “\(name)” is not used. Use it by source("\(name)"), or remove it; what should be received is in a line \
        called “expected”.
        """)
    }
    recorded = Self.recorded(diagram, bench.timeline)
  }

  // MARK: What happened

  private static func recorded(_ diagram: MarbleDiagram, _ timeline: MarbleTimeline) -> MarbleDiagram {
    let length = diagram.length
    var lanes = diagram.lanes.map { lane in
      MarbleLane(name: lane.name, marks: marks(of: lane, timeline), length: lane.length)
    }
    for subscriber in diagram.subscribers where diagram.lane(.expected(subscriber: subscriber)) == nil {
      let name = MarbleDiagram.expectedName(of: subscriber)
      let marks = timeline.marks(of: name)
      // A stream that continues is shown to the end.
      let isOver = marks.last?.event.isEnd ?? false
      lanes.append(MarbleLane(name: name, marks: marks, length: isOver ? 0 : length))
    }
    return MarbleDiagram(lanes: lanes, step: diagram.step, label: diagram.label)
  }

  private static func marks(of lane: MarbleLane, _ timeline: MarbleTimeline) -> [MarbleLane.Mark] {
    switch lane.role {
    case .demand: return lane.marks
    case .expected:
      let script = lane.marks.filter { $0.event.isSubscriberAct }
      return merged(timeline.marks(of: lane.name), with: script)
    case .source:
      guard lane.marks.contains(where: { $0.event.isSubscriberAct }) else { return lane.marks }
      let acts = timeline.marks(of: lane.name).filter { $0.event.isCompared(in: lane) }
      return lane.isCold ? runs(of: lane, acts) : merged(lane.marks.filter { !$0.event.isSubscriberAct }, with: acts)
    case .requests(let source):
      return timeline.marks(of: source).filter { $0.event.isCompared(in: lane) }
    }
  }

  /// Merges the events of a subscriber's line with the actions of the subscriber: a subscription comes at the beginning
  /// of a step, and a cancel at its end.
  private static func merged(_ marks: [MarbleLane.Mark], with acts: [MarbleLane.Mark]) -> [MarbleLane.Mark] {
    let rank = { (mark: MarbleLane.Mark) in
      switch mark.event {
      case .subscribed: 0
      case .cancelled: 2
      default: 1
      }
    }
    return (marks + acts).enumerated().sorted {
      ($0.element.step, rank($0.element), $0.offset) < ($1.element.step, rank($1.element), $1.offset)
    }.map(\.element)
  }

  /// The runs of a source that begins with its subscriptions, each from its subscription up to a cancel.
  private static func runs(of lane: MarbleLane, _ acts: [MarbleLane.Mark]) -> [MarbleLane.Mark] {
    let written = lane.marks.split { $0.event == .subscribed }.map { $0.filter { $0.event != .cancelled } }
    let starts = lane.marks.filter { $0.event == .subscribed }.map(\.step)
    var marks: [MarbleLane.Mark] = []
    var number = 0
    for act in acts {
      marks.append(act)
      guard act.event == .subscribed else { continue }
      defer { number += 1 }
      guard number < written.count, number < starts.count else { continue }
      let end = acts.first { $0.event == .cancelled && $0.step >= act.step }?.step ?? .max
      for mark in written[number] {
        let step = act.step + mark.step - starts[number]
        if step <= end { marks.append(MarbleLane.Mark(step: step, event: mark.event)) }
      }
    }
    return marks.enumerated().sorted { ($0.element.step, $0.offset) < ($1.element.step, $1.offset) }.map(\.element)
  }

  // MARK: What is different

  /// The first difference between what was expected and what happened; `nil` if there is none.
  var mismatch: MarbleMismatch? {
    let differences = diagram.lanes.indices.compactMap { index in
      difference(index).map { (lane: index, step: $0.step, event: $0.event) }
    }
    guard let first = differences.min(by: { ($0.step, $0.lane) < ($1.step, $1.lane) }) else { return nil }
    return MarbleMismatch(
      expected: diagram, received: recorded, differing: differences.map(\.lane), lane: first.lane, step: first.step,
      event: first.event, dropped: dropped.filter { $0.step <= first.step })
  }

  private func difference(_ index: Int) -> (step: Int, event: Int)? {
    let (written, received) = (diagram.lanes[index], recorded.lanes[index])
    let expected = written.marks.filter { written.compares($0.event) }
    let actual = received.marks.filter { written.compares($0.event) }
    for step in Set(expected.map(\.step) + actual.map(\.step)).sorted() {
      let (wanted, got) = (expected.filter { $0.step == step }, actual.filter { $0.step == step })
      for event in 0..<max(wanted.count, got.count) {
        if event < wanted.count, event < got.count, isSame(wanted[event].event, got[event].event, in: written) {
          continue
        }
        return (step, event)
      }
    }
    return nil
  }

  private func isSame(_ expected: MarbleEvent, _ actual: MarbleEvent, in lane: MarbleLane) -> Bool {
    switch (expected, actual) {
    case (.value(let expected), .value(let actual)):
      guard case .expected(let subscriber) = lane.role, let output = outputs[subscriber] else {
        return expected == actual
      }
      return output.canonical(expected) == actual
    // A failure without a name matches any failure.
    case (.failed(nil), .failed): return true
    default: return expected == actual
    }
  }
}

extension MarbleLane {
  /// Whether an event of the line is an action of the pipeline, not of the test.
  internal func compares(_ event: MarbleEvent) -> Bool {
    switch role {
    case .demand: false
    case .expected: !event.isSubscriberAct
    case .source: event.isSubscriberAct
    case .requests: true
    }
  }

  internal var isExpected: Bool {
    if case .expected = role { true } else { false }
  }
}

extension MarbleEvent {
  /// Whether it is an event that a line of a source, or of its demand, shows.
  internal func isCompared(in lane: MarbleLane) -> Bool {
    switch (self, lane.role) {
    // A line that shows no subscription is about something else.
    case (.subscribed, _): lane.has(.subscribed)
    case (.cancelled, _): true
    case (.requested, .requests): true
    default: false
    }
  }
}
