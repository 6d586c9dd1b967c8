// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The steps of a diagram, one beside the other: a long run of steps at which nothing happens in any line takes the
/// place of two.
internal struct MarbleSlots {
  enum Slot: Hashable {
    case step(Int)
    /// The first half of a long pause, which stays empty.
    case pause
    /// The other half, in which lines that continue are broken.
    case gap(Range<Int>)
  }

  private(set) var all: [Slot] = []
  private var places: [Int: Int] = [:]

  private static let longestGap = 8

  init(_ diagram: MarbleDiagram) {
    let length = diagram.length
    let used = Set(diagram.lanes.flatMap(\.marks).map(\.step))
    var step = 0
    while step < length {
      var end = step
      while end < length, !used.contains(end) { end += 1 }
      if end - step > Self.longestGap {
        all += [.pause, .gap(step..<end)]
        step = end
      } else {
        for shown in step...min(end, length - 1) {
          places[shown] = all.count
          all.append(.step(shown))
        }
        step = end + 1
      }
    }
  }

  var count: Int { all.count }

  /// The place of a step among the others; `nil` in a long pause.
  func place(of step: Int) -> Int? { places[step] }
}
