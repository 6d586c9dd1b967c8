// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The drawing of what a stream does.
internal struct MarbleTrack {
  private let lane: MarbleLane
  private let columns: MarbleColumns
  private let colors: MarbleColors
  private let y: Int

  init(_ lane: MarbleLane, columns: MarbleColumns, colors: MarbleColors, y: Int) {
    (self.lane, self.columns, self.colors, self.y) = (lane, columns, colors, y)
  }

  /// A part of the line, from a subscription to an end.
  private struct Run {
    var start: Int
    var end: Int?
    /// What follows the cancel of a source that goes on, which nobody hears.
    var isUnheard = false
  }

  func draw(in shapes: inout MarbleShapes) {
    for run in runs { draw(run, in: &shapes) }
    for gap in columns.gaps where gap.lowerBound < lane.length { drawGap(gap, in: &shapes) }
    let steps = Dictionary(grouping: lane.marks, by: \.step).sorted { $0.key < $1.key }
    for (step, marks) in steps { draw(marks.map(\.event), at: step, in: &shapes) }
  }

  // MARK: The line

  private var runs: [Run] {
    var runs: [Run] = lane.has(.subscribed) ? [] : [Run(start: columns.left)]
    for mark in lane.marks {
      switch mark.event {
      case .subscribed: runs.append(Run(start: startX(at: mark.step)))
      case .finished, .failed: runs[runs.count - 1].end = endX(at: mark.step)
      case .cancelled:
        runs[runs.count - 1].end = endX(at: mark.step)
        if lane.role == .source, !lane.isCold { runs.append(Run(start: endX(at: mark.step), isUnheard: true)) }
      case .value, .requested: break
      }
    }
    return runs
  }

  private func draw(_ run: Run, in shapes: inout MarbleShapes) {
    let end = run.end ?? columns.right
    let name = run.isUnheard ? "c f" : "l"
    shapes.add("<path class=\"\(name)\" d=\"M\(run.start) \(y)H\(run.end == nil ? end - 8 : end)\"/>")
    if run.end == nil {
      // The stream goes on.
      shapes.add("<path class=\"a\(run.isUnheard ? " f" : "")\" d=\"M\(end) \(y)l-10 -5v10z\"/>")
    }
  }

  private func drawGap(_ gap: Range<Int>, in shapes: inout MarbleShapes) {
    let x = (columns.x(gap.lowerBound) + columns.x(gap.upperBound)) / 2
    shapes.add("<path class=\"l\" d=\"M\(x - 6) \(y + 7)l5 -14M\(x + 1) \(y + 7)l5 -14\"/>")
  }

  // MARK: Events

  /// Where the end of a stream is drawn: beside the values of the same step.
  private func endX(at step: Int) -> Int { columns.x(step) + (widestMarble(at: step).map { $0 / 2 + 7 } ?? 0) }

  /// Where a subscription is drawn: before the values of the same step, and behind the end of the one before.
  private func startX(at step: Int) -> Int {
    let isAgain = lane.events(at: step).contains(where: \.isEnd)
    if isAgain { return endX(at: step) + 15 }
    return columns.x(step) - (widestMarble(at: step).map { $0 / 2 + 6 } ?? 0)
  }

  private func widestMarble(at step: Int) -> Int? {
    lane.events(at: step).compactMap(\.symbol).map(width).max()
  }

  private func isUnheard(at step: Int) -> Bool {
    guard lane.role == .source, !lane.isCold else { return false }
    return lane.marks.contains { $0.event == .cancelled && $0.step < step }
  }

  private func draw(_ events: [MarbleEvent], at step: Int, in shapes: inout MarbleShapes) {
    let x = columns.x(step)
    let symbols = events.compactMap(\.symbol)
    let distance = 2 * columns.radius + 3
    for (index, symbol) in symbols.enumerated() {
      let center = y - distance * (symbols.count - 1) / 2 + distance * index
      drawMarble(symbol, at: step, x: x, y: center, in: &shapes)
    }
    for event in events {
      let end = endX(at: step)
      switch event {
      case .finished: shapes.add("<path class=\"e\" d=\"M\(end) \(y - 14)v28\"/>")
      case .failed(let name):
        shapes.add("<path class=\"x\" d=\"M\(end - 8) \(y - 8)l16 16m0 -16l-16 16\"/>")
        if let name { shapes.text(name, class: "s y", x: end, y: y + 26) }
      case .cancelled:
        shapes.add("<path class=\"c\" d=\"M\(end) \(y - 13)v26\"/>")
        shapes.text("cancel", class: "s", x: end, y: y + 26)
      case .subscribed: shapes.add("<circle class=\"a\" cx=\"\(startX(at: step))\" cy=\"\(y)\" r=\"4\"/>")
      case .value, .requested: break
      }
    }
  }

  private func width(of symbol: String) -> Int {
    MarbleShapes.marbleWidth(symbol, radius: columns.radius)
  }

  private func drawMarble(_ symbol: String, at step: Int, x: Int, y: Int, in shapes: inout MarbleShapes) {
    let (width, radius) = (width(of: symbol), columns.radius)
    let unheard = isUnheard(at: step) ? " f" : ""
    shapes.right = max(shapes.right, x + width / 2)
    let color = colors.color(of: symbol, at: step)
    shapes.colors.insert(color)
    shapes.add(
      """
      <rect class="m m\(color)\(unheard)" x="\(x - width / 2)" y="\(y - radius)" width="\(width)" \
      height="\(2 * radius)" rx="\(radius)"/>
      """)
    shapes.text(symbol, class: "v\(unheard)", x: x, y: y + 5)
  }
}
