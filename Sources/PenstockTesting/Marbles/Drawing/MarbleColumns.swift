// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The places of the steps of a diagram in a picture.
internal struct MarbleColumns {
  /// The width of the widest pictures.
  static let pictureWidth = 700
  static let margin = 10

  /// Where lines begin and end.
  let left: Int
  /// What the first step is moved by, so that a wide marble does not stand before the line.
  private let lead: Int
  let right: Int
  /// The width of a step.
  let width: Int
  /// The steps at which nothing happens in any line for long, which take the place of two.
  let gaps: [Range<Int>]
  private let length: Int

  private static let shownGap = 2
  private static let longestGap = 8

  init(_ diagram: MarbleDiagram, labelWidth: Int) {
    length = diagram.length
    let used = Set(diagram.lanes.flatMap(\.marks).map(\.step))
    var gaps: [Range<Int>] = []
    var step = 0
    while step < length {
      var end = step
      while end < length, !used.contains(end) { end += 1 }
      if end - step > Self.longestGap { gaps.append(step..<end) }
      step = max(end, step + 1)
    }
    self.gaps = gaps
    let count = length - gaps.reduce(0) { $0 + $1.count - Self.shownGap }
    left = Self.margin + (labelWidth == 0 ? 0 : labelWidth + 12)
    let firstMarbles = diagram.lanes.flatMap { $0.events(at: 0) }.compactMap(\.symbol).map {
      MarbleShapes.marbleWidth($0, radius: 16)
    }
    let half = (firstMarbles.max() ?? 0) / 2
    let room = Self.pictureWidth - left - Self.margin - 18
    let narrow = min(56, room / max(1, count))
    lead = max(0, half + 2 - narrow / 2)
    width = min(56, (room - lead) / max(1, count))
    let boxWidth = diagram.label.isEmpty ? 0 : Self.codeWidth(diagram.label) + 24
    right = max(left + lead + width * count + 18, left + boxWidth)
  }

  /// About the width of lines of code.
  static func codeWidth(_ code: some StringProtocol) -> Int {
    (code.split(separator: "\n").map { displayWidth(of: $0) }.max() ?? 0) * 17 / 2
  }

  /// The center of a step.
  func x(_ step: Int) -> Int {
    var column = step
    for gap in gaps where gap.lowerBound < step {
      column -= step >= gap.upperBound ? gap.count - Self.shownGap : step - gap.lowerBound
    }
    return left + lead + width * column + width / 2
  }

  /// The radius of a marble.
  var radius: Int { max(8, min(16, width / 2 - 1)) }
}
