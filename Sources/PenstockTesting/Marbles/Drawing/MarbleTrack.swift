// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The drawing of a stream.
internal struct MarbleTrack {
  let lane: MarbleLane
  private let colors: MarbleColors
  private let measures: MarbleMeasures
  /// The contents of each step with an event.
  private let cells: [Int: MarbleCell]

  init(_ lane: MarbleLane, colors: MarbleColors, measures: MarbleMeasures) {
    (self.lane, self.colors, self.measures) = (lane, colors, measures)
    cells = Dictionary(grouping: lane.marks, by: \.step).mapValues { MarbleCell($0.map(\.event), measures) }
  }

  /// The area that the arrow of a stream that continues covers, relative to the end of its line.
  static let arrow = MarbleBox(left: -10, top: -5, right: 0, bottom: 5)

  /// The text below an event.
  static func caption(of event: MarbleEvent) -> String? {
    switch event {
    case .failed(let name): name
    case .cancelled: "cancel"
    default: nil
    }
  }

  /// The distance between the line and the text below it at a step; `nil` for no text.
  func caption(at step: Int) -> Int? {
    guard let cell = cells[step], cell.acts.contains(where: { $0.event == .cancelled || $0.event.isFailure }) else {
      return nil
    }
    return cell.caption
  }

  // MARK: The line

  /// A part of the line, from a subscription to an end.
  struct Run {
    /// A step, and the distance from its place; without one, the line comes from the left or continues to the right.
    var start: (step: Int, distance: Int)?
    var end: (step: Int, distance: Int)?
    /// Whether it follows the cancel of a source that continues, so that nobody hears it.
    var isUnheard = false
  }

  var runs: [Run] {
    var runs: [Run] = lane.has(.subscribed) ? [] : [Run()]
    for (step, cell) in cells.sorted(by: { $0.key < $1.key }) {
      for act in cell.acts {
        let place = (step, act.x)
        switch act.event {
        case .subscribed: runs.append(Run(start: place))
        case .finished, .failed: if !runs.isEmpty { runs[runs.count - 1].end = place }
        case .cancelled:
          if !runs.isEmpty { runs[runs.count - 1].end = place }
          if lane.role == .source, !lane.isCold { runs.append(Run(start: place, isUnheard: true)) }
        case .value, .requested: break
        }
      }
    }
    return runs
  }

  /// Draws a part of the line; with an arrow if the stream continues.
  func drawLine(
    from start: Int, to end: Int, goesOn: Bool, isUnheard: Bool, y: Int, in shapes: inout MarbleShapes
  ) {
    let name = isUnheard ? "c f" : "l"
    shapes.add("<path class=\"\(name)\" d=\"M\(start) \(y)H\(goesOn ? end - 8 : end)\"/>")
    if goesOn {
      shapes.add(
        "<path class=\"a\(isUnheard ? " f" : "")\" d=\"M\(end) \(y)l-10 -5v10z\"/>",
        covering: Self.arrow.moved(x: end, y: y))
    }
  }

  static func drawGap(x: Int, y: Int, in shapes: inout MarbleShapes) {
    shapes.add(
      "<path class=\"l\" d=\"M\(x - 6) \(y + 7)l5 -14M\(x + 1) \(y + 7)l5 -14\"/>",
      covering: MarbleBox(x: x, y: y, halfWidth: 6, halfHeight: 7))
  }

  // MARK: Events

  func draw(_ step: Int, x: Int, y: Int, in shapes: inout MarbleShapes) {
    guard let cell = cells[step] else { return }
    let isUnheard =
      lane.role == .source && !lane.isCold
      && lane.marks.contains { $0.event == .cancelled && $0.step < step }
    for marble in cell.marbles {
      draw(marble.symbol, at: step, isUnheard: isUnheard, x: x + marble.x, y: y + marble.y, in: &shapes)
    }
    if let omission = cell.omission {
      shapes.caption("+\(omission.count)", class: "s", x: x + omission.x, y: y + 5, upTo: .max)
    }
    for act in cell.acts { draw(act.event, x: x + act.x, y: y, caption: y + cell.caption, in: &shapes) }
  }

  private func draw(_ event: MarbleEvent, x: Int, y: Int, caption: Int, in shapes: inout MarbleShapes) {
    switch event {
    case .finished:
      shapes.add(
        "<path class=\"e\" d=\"M\(x) \(y - 14)v28\"/>", covering: MarbleBox(x: x, y: y, halfWidth: 2, halfHeight: 14))
    case .failed:
      shapes.add(
        "<path class=\"x\" d=\"M\(x - 8) \(y - 8)l16 16m0 -16l-16 16\"/>",
        covering: MarbleBox(x: x, y: y, halfWidth: 9, halfHeight: 9))
    case .cancelled:
      shapes.add(
        "<path class=\"c\" d=\"M\(x) \(y - 13)v26\"/>", covering: MarbleBox(x: x, y: y, halfWidth: 1, halfHeight: 13))
    case .subscribed:
      shapes.add(
        "<circle class=\"a\" cx=\"\(x)\" cy=\"\(y)\" r=\"4\"/>",
        covering: MarbleBox(x: x, y: y, halfWidth: 4, halfHeight: 4))
    case .value, .requested: break
    }
    guard let text = Self.caption(of: event) else { return }
    shapes.caption(text, class: event.isFailure ? "s y" : "s", x: x, y: caption, upTo: measures.textLimit)
  }

  private func draw(
    _ symbol: String, at step: Int, isUnheard: Bool, x: Int, y: Int, in shapes: inout MarbleShapes
  ) {
    let (width, radius, unheard) = (measures.width(of: symbol), measures.radius, isUnheard ? " f" : "")
    let color = colors.color(of: symbol, at: step)
    shapes.colors.insert(color)
    shapes.add(
      """
      <rect class="m m\(color)\(unheard)" x="\(x - width / 2)" y="\(y - radius)" width="\(width)" \
      height="\(2 * radius)" rx="\(radius)"/>
      """,
      covering: MarbleBox(left: x - width / 2, top: y - radius, right: x - width / 2 + width, bottom: y + radius))
    shapes.text(symbol, class: "v\(unheard)", x: x, y: y + 5, upTo: measures.textLimit, size: 15)
  }
}
