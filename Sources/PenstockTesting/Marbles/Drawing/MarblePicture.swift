// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A diagram as a picture: sources above, a box with the label, results below.
internal struct MarblePicture {
  private let diagram: MarbleDiagram
  private let slots: MarbleSlots
  private let rows: [MarbleRow]
  private let columns: MarbleColumns
  private let label: MarbleLabel?

  private static let longestName = 140

  init(_ diagram: MarbleDiagram) {
    self.diagram = diagram
    let slots = MarbleSlots(diagram)
    let names = diagram.lanes.map { MarbleRow.nameWidth($0, upTo: Self.longestName) }
    let left = MarbleColumns.left(besides: names.max() ?? 0)
    let label = diagram.label.isEmpty ? nil : MarbleLabel(diagram.label, left: left)
    let boxWidth = label.map { $0.isWide ? MarbleColumns.pictureWidth - MarbleColumns.margin - left : $0.width } ?? 0
    let arrangement = MarbleArrangement(diagram, slots, left: left, boxWidth: boxWidth)
    (self.slots, rows, columns, self.label) = (slots, arrangement.rows, arrangement.columns, label)
  }

  func svg(title: String, appearance: MarbleAppearance) -> String {
    var shapes = MarbleShapes()
    var (y, guides) = (8, [String]())
    for (number, system) in columns.systems.enumerated() {
      if number > 0 { y += 14 }
      shapes.rows = []
      draw(system, isFirst: number == 0, at: &y, in: &shapes)
      guides += self.guides(shapes.rows, system)
    }
    let (width, height) = (max(columns.right + MarbleColumns.margin, shapes.boxes.right), y + 4)
    return """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" viewBox="0 0 \(width) \(height)" \
      role="img">
      <title>\(MarbleShapes.escaped(title))</title>
      <style>\(MarbleStyle.sheet(appearance, colors: shapes.colors))</style>
      \((guides + shapes.elements).joined(separator: "\n"))
      </svg>

      """
  }

  // MARK: One system

  private func draw(_ system: Range<Int>, isFirst: Bool, at y: inout Int, in shapes: inout MarbleShapes) {
    for row in rows where row.lane.isOfSource { draw(row, system, isFirst: isFirst, at: &y, in: &shapes) }
    if isFirst, let label {
      y = max(y + 5, shapes.boxes.bottom)
      label.draw(
        left: label.isWide ? MarbleColumns.margin : columns.left, right: columns.right, y: y, in: &shapes)
      y += label.height + 7
    }
    for row in rows where !row.lane.isOfSource { draw(row, system, isFirst: isFirst, at: &y, in: &shapes) }
    if diagram.step != .seconds(1) { drawTimes(system, at: &y, in: &shapes) }
    y = max(y, shapes.boxes.bottom)
  }

  private func draw(
    _ row: MarbleRow, _ system: Range<Int>, isFirst: Bool, at y: inout Int, in shapes: inout MarbleShapes
  ) {
    let runs = row.runs(in: system, slots, columns)
    let boxes = row.boxes(slots).filter { system.contains($0.key) }
    guard isFirst || !runs.isEmpty || !boxes.isEmpty else { return }
    // Below everything, if it is higher than its row.
    let top = boxes.values.map(\.top).min() ?? 0
    let center = max(y + row.middle, shapes.boxes.bottom - top)
    shapes.text(
      MarbleRow.name(of: row.lane), class: row.nameClass, x: columns.left - 10, y: center + 4, upTo: Self.longestName,
      size: 13)
    if row.track != nil { shapes.rows.append((row, center)) }
    row.draw(runs, system, slots, columns, y: center, in: &shapes)
    y = center - row.middle + row.height
  }

  /// Lines from the first row to the results, which show what happens at the same time.
  private func guides(_ rows: [(row: MarbleRow, y: Int)], _ system: Range<Int>) -> [String] {
    var bottoms: [Int: Int] = [:]
    for (row, y) in rows where row.lane.isExpected {
      for mark in row.lane.marks where mark.event != .subscribed {
        bottoms[mark.step] = max(bottoms[mark.step] ?? 0, y)
      }
    }
    guard let (row, top) = rows.first else { return [] }
    return bottoms.sorted { $0.key < $1.key }.filter { $0.value > top }.compactMap { step, bottom in
      guard let place = slots.place(of: step), system.contains(place) else { return nil }
      // The text below the first row stays readable.
      let start = row.track?.caption(at: step).map { top + $0 + 6 } ?? top
      return start < bottom ? "<path class=\"g\" d=\"M\(columns.centers[place]) \(start)V\(bottom)\"/>" : nil
    }
  }

  /// The times of some steps, below everything.
  private func drawTimes(_ system: Range<Int>, at y: inout Int, in shapes: inout MarbleShapes) {
    let every = [1, 2, 5, 10, 20, 50, 100].first { $0 * columns.width >= 52 } ?? 100
    y = max(y, shapes.boxes.bottom)
    var end = Int.min
    for place in system {
      guard case .step(let step) = slots.all[place], step.isMultiple(of: every) else { continue }
      let (x, text) = (columns.centers[place], step == 0 ? "0" : MarbleDuration.text(diagram.step * step))
      let half = (MarbleShapes.width(of: text, size: 12) + 1) / 2
      guard x - half >= end, x - half >= 0, x + half <= MarbleColumns.pictureWidth else { continue }
      end = x + half
      shapes.add("<path class=\"l\" d=\"M\(x) \(y)v4\"/>")
      shapes.caption(text, class: "s", x: x, y: y + 17, upTo: .max)
    }
    y += 22
  }
}
