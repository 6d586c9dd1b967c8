// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The rows of a picture, with the places of their steps.
///
/// Steps have one width as long as nothing overlaps. Otherwise they are moved apart, or nearer to each other where they
/// need less room; finally, what does not fit continues below.
internal struct MarbleArrangement {
  let rows: [MarbleRow]
  let columns: MarbleColumns

  /// The greatest width of a value, or of a text below a line; the first one that fits is taken.
  private static let textLimits = [240, 120, 60, 30]
  /// The shortest distance of steps that is tried before a picture continues below, and the distance that steps have
  /// then.
  private static let (shortestStep, continuedStep) = (12, 26)
  /// With more steps, trying to fit them in one line is useless.
  private static let longestLine = 200

  init(_ diagram: MarbleDiagram, _ slots: MarbleSlots, left: Int, boxWidth: Int) {
    let lanes = Self.order(diagram)
    let colors = MarbleColors(diagram)
    let rows = { (width: Int, limit: Int) in
      let measures = MarbleMeasures(radius: MarbleColumns.radius(width), textLimit: limit)
      return lanes.map { MarbleRow($0, colors: colors, measures: measures) }
    }
    let firstMarbles = diagram.lanes.flatMap { $0.events(at: 0) }.compactMap(\.symbol).map {
      MarbleShapes.marbleWidth($0, radius: 16, upTo: Self.textLimits[0])
    }
    let even = MarbleColumns.even(slots.count, left: left, widestFirst: firstMarbles.max() ?? 0)
    let plain = rows(even.width, Self.textLimits[0])
    let plainColumns = MarbleColumns(
      even: slots.count, width: even.width, lead: even.lead, left: left, boxWidth: boxWidth,
      rows: plain.map { $0.boxes(slots) }, goingOn: plain.map(\.goesOn))
    if let plainColumns {
      (self.rows, columns) = (plain, plainColumns)
      return
    }

    let arrange = { (choice: (width: Int, limit: Int, isContinued: Bool)) in
      let rows = rows(choice.width, choice.limit)
      let columns = MarbleColumns(
        apart: slots.count, width: choice.width, left: left, boxWidth: boxWidth, rows: rows.map { $0.boxes(slots) },
        isContinued: choice.isContinued)
      return (rows, columns)
    }
    let widths = Array(stride(from: even.width, through: min(Self.shortestStep, even.width), by: -2))
    let choices = Self.textLimits.flatMap { limit in
      (slots.count > Self.longestLine ? [] : widths).map { ($0, limit, false) } + [(Self.continuedStep, limit, true)]
    }
    var result = arrange(choices[0])
    for choice in choices.dropFirst() where !result.1.fits { result = arrange(choice) }
    (self.rows, columns) = result
  }

  /// The lines as they are drawn: each demand below the line to which it belongs, whatever the order in the text.
  private static func order(_ diagram: MarbleDiagram) -> [MarbleLane] {
    let (sources, results) = (diagram.lanes.filter(\.isOfSource), diagram.lanes.filter { !$0.isOfSource })
    var order: [MarbleLane] = []
    for lane in sources where lane.role == .source {
      order.append(lane)
      order += sources.filter { $0.role == .requests(source: lane.name) }
    }
    for subscriber in diagram.subscribers {
      for role in [MarbleRole.expected(subscriber: subscriber), .demand(subscriber: subscriber)] {
        order += results.filter { $0.role == role }
      }
    }
    return order
  }
}
