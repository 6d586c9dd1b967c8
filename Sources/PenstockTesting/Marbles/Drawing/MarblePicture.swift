// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import PenstockCore

/// A diagram as a picture: sources above, a box with the label, results below.
internal struct MarblePicture {
  private let diagram: MarbleDiagram
  private let columns: MarbleColumns
  private let colors: MarbleColors

  init(_ diagram: MarbleDiagram) {
    self.diagram = diagram
    let labels = diagram.lanes.map { MarbleShapes.width(of: Self.name(of: $0), size: 13) }
    columns = MarbleColumns(diagram, labelWidth: labels.max() ?? 0)
    colors = MarbleColors(diagram)
  }

  /// The text beside a line.
  private static func name(of lane: MarbleLane) -> String {
    switch lane.role {
    case .source: lane.name
    case .requests, .demand: "demand"
    case .expected(let subscriber): subscriber.isEmpty ? "output" : subscriber
    }
  }

  func svg(title: String, appearance: MarbleAppearance) -> String {
    var shapes = MarbleShapes()
    var y = 8
    let sources = diagram.lanes.filter(\.isOfSource)
    // A demand is drawn below the line that it belongs to, whatever the order of the text.
    for lane in sources where lane.role == .source {
      draw(lane, at: &y, in: &shapes)
      for demand in sources where demand.role == .requests(source: lane.name) { draw(demand, at: &y, in: &shapes) }
    }
    if !diagram.label.isEmpty { drawLabel(at: &y, in: &shapes) }
    let results = diagram.lanes.filter { !$0.isOfSource }
    for subscriber in diagram.subscribers {
      for role in [MarbleRole.expected(subscriber: subscriber), .demand(subscriber: subscriber)] {
        for lane in results where lane.role == role { draw(lane, at: &y, in: &shapes) }
      }
    }
    if diagram.step != .seconds(1) { drawTimes(at: &y, in: &shapes) }
    let (width, height) = (max(columns.right + MarbleColumns.margin, shapes.right + 4), y + 4)
    return """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" viewBox="0 0 \(width) \(height)" \
      role="img">
      <title>\(MarbleShapes.escaped(title))</title>
      <style>\(MarbleStyle.sheet(appearance, colors: shapes.colors))</style>
      \((guides(shapes) + shapes.elements).joined(separator: "\n"))
      </svg>

      """
  }

  /// Lines from the first row to the results, which show what happens at the same time.
  private func guides(_ shapes: MarbleShapes) -> [String] {
    var bottoms: [Int: Int] = [:]
    for row in shapes.rows where row.lane.isExpected {
      for mark in row.lane.marks where mark.event != .subscribed {
        bottoms[mark.step] = max(bottoms[mark.step] ?? 0, row.y)
      }
    }
    guard let (lane, top) = shapes.rows.first else { return [] }
    return bottoms.sorted { $0.key < $1.key }.filter { $0.value > top }.map { step, bottom in
      // What is written below the first row stays readable.
      let isWritten = lane.events(at: step).contains { $0 == .cancelled || $0.isFailure }
      return "<path class=\"g\" d=\"M\(columns.x(step)) \(isWritten ? top + 32 : top)V\(bottom)\"/>"
    }
  }

  // MARK: Rows

  private func draw(_ lane: MarbleLane, at y: inout Int, in shapes: inout MarbleShapes) {
    switch lane.role {
    case .source, .expected:
      let steps = Dictionary(grouping: lane.marks.filter { $0.event.symbol != nil }, by: \.step)
      let stack = max(1, steps.values.map(\.count).max() ?? 1)
      let height = stack * (2 * columns.radius + 3) + 13 + (lane.needsCaption ? 10 : 0)
      let center = y + (height - (lane.needsCaption ? 10 : 0)) / 2
      shapes.text(Self.name(of: lane), class: "n", x: columns.left - 10, y: center + 4)
      shapes.rows.append((lane, center))
      MarbleTrack(lane, columns: columns, colors: colors, y: center).draw(in: &shapes)
      y += height
    case .requests, .demand:
      let center = y + 10
      shapes.text(Self.name(of: lane), class: "d", x: columns.left - 10, y: center + 4)
      drawDemand(lane, at: center, in: &shapes)
      y += 30
    }
  }

  private func drawLabel(at y: inout Int, in shapes: inout MarbleShapes) {
    let lines = diagram.label.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let height = 14 + 20 * lines.count
    y += 5
    shapes.add(
      """
      <rect class="o" x="\(columns.left)" y="\(y)" width="\(columns.right - columns.left)" height="\(height)" rx="8"/>
      """)
    // In the middle as a whole, with the lines of code as they are indented.
    let x = (columns.left + columns.right - MarbleColumns.codeWidth(diagram.label)) / 2
    for (index, line) in lines.enumerated() {
      let indentation = line.prefix { $0 == " " }
      shapes.text(
        String(line.dropFirst(indentation.count)), class: "k", x: x + MarbleColumns.codeWidth(indentation),
        y: y + 22 + 20 * index)
    }
    y += height + 7
  }

  private func drawDemand(_ lane: MarbleLane, at y: Int, in shapes: inout MarbleShapes) {
    for (step, marks) in Dictionary(grouping: lane.marks, by: \.step).sorted(by: { $0.key < $1.key }) {
      let x = columns.x(step)
      let requests = marks.compactMap(\.event.demand)
      if marks.contains(where: { $0.event == .cancelled }) {
        shapes.text("cancel", class: "s", x: x, y: y + 4)
      } else if !requests.isEmpty {
        let text = "↑" + (requests.reduce(.none, +).max.map { "\($0)" } ?? "∞")
        let width = MarbleShapes.width(of: text, size: 14) + 12
        shapes.add(
          "<rect class=\"r\" x=\"\(x - width / 2)\" y=\"\(y - 10)\" width=\"\(width)\" height=\"20\" rx=\"6\"/>")
        shapes.text(text, class: "q", x: x, y: y + 5)
      }
    }
  }

  /// The times of some steps, below everything.
  private func drawTimes(at y: inout Int, in shapes: inout MarbleShapes) {
    let every = [1, 2, 5, 10, 20, 50, 100].first { $0 * columns.width >= 52 } ?? 100
    for step in stride(from: 0, to: diagram.length, by: every)
    where !columns.gaps.contains(where: { $0.contains(step) }) {
      let x = columns.x(step)
      shapes.add("<path class=\"l\" d=\"M\(x) \(y)v4\"/>")
      shapes.text(step == 0 ? "0" : MarbleDuration.text(diagram.step * step), class: "s", x: x, y: y + 17)
    }
    y += 22
  }
}

extension MarbleLane {
  /// Whether something is written below the line.
  internal var needsCaption: Bool {
    marks.contains { $0.event == .cancelled }
      || marks.contains { if case .failed(_?) = $0.event { true } else { false } }
  }
}
