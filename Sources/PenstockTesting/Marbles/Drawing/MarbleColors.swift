// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The colors of the marbles in a diagram.
///
/// A symbol has the same color wherever it is. A symbol that no source sends has the color of the value that was sent
/// last before it, so that a reader can see what happens to a value.
internal struct MarbleColors {
  private var colors: [String: Int] = [:]
  private var sent: [(step: Int, color: Int)] = []

  init(_ diagram: MarbleDiagram) {
    // In the order of time, so that neighbours differ.
    let marks = diagram.lanes.filter { $0.role == .source }.enumerated().flatMap { index, lane in
      lane.marks.map { (step: $0.step, lane: index, event: $0.event) }
    }.sorted { ($0.step, $0.lane) < ($1.step, $1.lane) }
    for mark in marks {
      guard let symbol = mark.event.symbol else { continue }
      let color = colors[symbol] ?? colors.count % (MarbleStyle.colorCount - 1)
      colors[symbol] = color
      sent.append((mark.step, color))
    }
  }

  func color(of symbol: String, at step: Int) -> Int {
    colors[symbol] ?? sent.last { $0.step <= step }?.color ?? MarbleStyle.colorCount - 1
  }
}
