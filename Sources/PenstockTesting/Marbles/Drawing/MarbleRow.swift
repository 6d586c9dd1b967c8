// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A line of a diagram in a picture: a stream, or the demand for one.
internal struct MarbleRow {
  let lane: MarbleLane
  /// The stream; `nil` for demand.
  let track: MarbleTrack?
  private let measures: MarbleMeasures
  private let marks: [Int: [MarbleEvent]]

  init(_ lane: MarbleLane, colors: MarbleColors, measures: MarbleMeasures) {
    (self.lane, self.measures) = (lane, measures)
    marks = Dictionary(grouping: lane.marks, by: \.step).mapValues { $0.map(\.event) }
    switch lane.role {
    case .source, .expected: track = MarbleTrack(lane, colors: colors, measures: measures)
    case .requests, .demand: track = nil
    }
  }

  /// The text beside a line.
  static func name(of lane: MarbleLane) -> String {
    switch lane.role {
    case .source: lane.name
    case .requests, .demand: "demand"
    case .expected(let subscriber): subscriber.isEmpty ? "output" : subscriber
    }
  }

  static func nameWidth(_ lane: MarbleLane, upTo limit: Int) -> Int {
    MarbleShapes.width(of: MarbleShapes.shortened(name(of: lane), size: 13, upTo: limit), size: 13)
  }

  var nameClass: String { track == nil ? "d" : "n" }

  /// Whether the stream continues after the last step.
  var goesOn: Bool { track?.runs.contains { $0.end == nil } ?? false }

  // MARK: Its size

  var height: Int {
    guard track != nil else { return 30 }
    let stack = marks.values.map { $0.count { $0.symbol != nil } }.max() ?? 0
    return max(1, stack) * (2 * measures.radius + 3) + 13 + captionHeight
  }

  /// Where the line is, from the top of the row.
  var middle: Int { track == nil ? 10 : (height - captionHeight) / 2 }

  private var captionHeight: Int { lane.needsCaption ? 10 : 0 }

  /// The areas that its shapes cover, by the places of the steps and relative to them.
  func boxes(_ slots: MarbleSlots) -> MarbleColumns.Row {
    var row: MarbleColumns.Row = [:]
    for (place, slot) in slots.all.enumerated() {
      var shapes = MarbleShapes()
      draw(slot, x: 0, y: 0, in: &shapes)
      if !shapes.boxes.isEmpty { row[place] = shapes.boxes }
    }
    return row
  }

  // MARK: Its shapes

  /// A part of a line, in a system.
  typealias Run = (start: Int, end: Int, goesOn: Bool, isUnheard: Bool)

  /// The parts of the line that are in a system.
  func runs(in system: Range<Int>, _ slots: MarbleSlots, _ columns: MarbleColumns) -> [Run] {
    (track?.runs ?? []).compactMap { run in
      let start = run.start.flatMap { slots.place(of: $0.step) } ?? 0
      let end = run.end.flatMap { slots.place(of: $0.step) } ?? slots.count
      guard start < system.upperBound, end >= system.lowerBound else { return nil }
      let isFromHere = run.start != nil && system.contains(start)
      let isToHere = run.end != nil && system.contains(end)
      return (
        isFromHere ? columns.centers[start] + (run.start?.distance ?? 0) : columns.left,
        isToHere ? columns.centers[end] + (run.end?.distance ?? 0) : columns.right,
        run.end == nil && system.upperBound == slots.count, run.isUnheard
      )
    }
  }

  func draw(
    _ runs: [Run], _ system: Range<Int>, _ slots: MarbleSlots, _ columns: MarbleColumns, y: Int,
    in shapes: inout MarbleShapes
  ) {
    for run in runs {
      track?.drawLine(
        from: run.start, to: run.end, goesOn: run.goesOn, isUnheard: run.isUnheard, y: y, in: &shapes)
    }
    // First the places where lines are broken, and then the events.
    for isGap in [true, false] {
      for place in system {
        if case .gap = slots.all[place], !isGap { continue }
        if case .step = slots.all[place], isGap { continue }
        draw(slots.all[place], x: columns.centers[place], y: y, in: &shapes)
      }
    }
  }

  private func draw(_ slot: MarbleSlots.Slot, x: Int, y: Int, in shapes: inout MarbleShapes) {
    switch slot {
    case .step(let step):
      if let track { track.draw(step, x: x, y: y, in: &shapes) } else { drawDemand(step, x: x, y: y, in: &shapes) }
    case .gap(let gap): if track != nil, gap.lowerBound < lane.length { MarbleTrack.drawGap(x: x, y: y, in: &shapes) }
    case .pause: break
    }
  }

  private func drawDemand(_ step: Int, x: Int, y: Int, in shapes: inout MarbleShapes) {
    guard let events = marks[step] else { return }
    let requests = events.compactMap(\.demand)
    if events.contains(.cancelled) {
      shapes.caption("cancel", class: "s", x: x, y: y + 4, upTo: .max)
    } else if !requests.isEmpty {
      let text = "↑" + (requests.reduce(.none, +).max.map { "\($0)" } ?? "∞")
      let width = MarbleShapes.width(of: text, size: 14) + 12
      shapes.add(
        "<rect class=\"r\" x=\"\(x - width / 2)\" y=\"\(y - 10)\" width=\"\(width)\" height=\"20\" rx=\"6\"/>",
        covering: MarbleBox(left: x - width / 2, top: y - 10, right: x - width / 2 + width, bottom: y + 10))
      shapes.text(text, class: "q", x: x, y: y + 5)
    }
  }
}

extension MarbleLane {
  /// Whether something is written below the line.
  internal var needsCaption: Bool {
    marks.contains { $0.event == .cancelled }
      || marks.contains { if case .failed(_?) = $0.event { true } else { false } }
  }
}
