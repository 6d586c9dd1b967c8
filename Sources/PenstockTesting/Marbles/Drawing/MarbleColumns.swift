// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The places of the steps of a diagram in a picture.
internal struct MarbleColumns {
  /// The width of the widest pictures.
  static let pictureWidth = 700
  static let margin = 10
  /// After the last step, for the arrow of a stream that continues.
  private static let tail = 18
  /// The distance of steps, where there is room.
  private static let widestStep = 56
  /// Between two shapes that have to be moved apart.
  private static let gap = 4

  /// A row: what it shows at each place among the steps.
  typealias Row = [Int: [MarbleBox]]

  /// Where lines begin and end.
  let left: Int
  let right: Int
  /// The distance of steps that have nothing wide.
  let width: Int
  /// The centers of the steps.
  let centers: [Int]
  /// The steps of each system: a long diagram is continued below, as music is.
  let systems: [Range<Int>]
  /// Whether all of them are within the width of a picture.
  let fits: Bool

  /// Where lines begin, beside names of a width.
  static func left(besides labelWidth: Int) -> Int { margin + (labelWidth == 0 ? 0 : labelWidth + 12) }

  /// The radius of a marble, for a distance of steps.
  static func radius(_ width: Int) -> Int { max(8, min(16, width / 2 - 1)) }

  // MARK: Steps of one width

  /// The distance of steps that share the width of a picture, and the offset of the first one, so that no marble stands
  /// before the line.
  static func even(_ count: Int, left: Int, widestFirst: Int) -> (width: Int, lead: Int) {
    let half = widestFirst / 2
    let room = pictureWidth - left - margin - tail
    let narrow = min(widestStep, room / max(1, count))
    let lead = max(0, half + 2 - narrow / 2)
    return (min(widestStep, (room - lead) / max(1, count)), lead)
  }

  /// Places all steps at one distance; `nil` where something would overlap.
  init?(even count: Int, width: Int, lead: Int, left: Int, boxWidth: Int, rows: [Row], goingOn: [Bool]) {
    // Steps that are closer together can no longer be told apart.
    guard width >= 3 else { return nil }
    centers = (0..<count).map { left + lead + width * $0 + width / 2 }
    systems = [0..<count]
    right = max(left + lead + width * count + Self.tail, left + boxWidth)
    (self.left, self.width, fits) = (left, width, true)
    for (row, goesOn) in zip(rows, goingOn) {
      let places = row.keys.sorted()
      for (index, place) in places.enumerated() {
        let boxes = row[place] ?? []
        guard centers[place] + boxes.left >= left - 10 else { return nil }
        let besideArrow = goesOn ? boxes.filter { $0.isBeside(MarbleTrack.arrow) } : []
        guard centers[place] + besideArrow.right <= right + MarbleTrack.arrow.left || besideArrow.isEmpty else {
          return nil
        }
        guard centers[place] + boxes.right <= Self.pictureWidth - 4 else { return nil }
        for before in places[..<index] {
          guard let distance = (row[before] ?? []).distance(to: boxes, gap: 0) else { continue }
          guard centers[place] - centers[before] >= distance else { return nil }
        }
      }
    }
    guard right + Self.margin <= Self.pictureWidth else { return nil }
  }

  // MARK: Steps that are moved apart

  /// Places steps at a distance, or at a greater one where they need it.
  ///
  /// - Parameter isContinued: Whether steps that do not fit beside the others are continued below.
  init(apart count: Int, width: Int, left: Int, boxWidth: Int, rows: [Row], isContinued: Bool) {
    let limit = Self.pictureWidth - Self.margin - Self.tail
    var (centers, systems, start, fits) = ([Int](), [Range<Int>](), 0, true)
    var place = 0
    while place < count {
      let here = rows.map { $0[place] ?? [] }
      let isFirst = place == start
      var center = isFirst ? left + width / 2 : centers[place - 1] + width
      center = max(center, left + 4 - here.left)
      for before in start..<place {
        for (row, boxes) in zip(rows, here) where !boxes.isEmpty {
          guard let other = row[before], let distance = other.distance(to: boxes, gap: Self.gap) else { continue }
          center = max(center, centers[before] + distance)
        }
      }
      if center + max(here.right, width / 2) > limit {
        if isContinued, !isFirst {
          systems.append(start..<place)
          start = place
          continue
        }
        fits = false
      }
      centers.append(center)
      place += 1
    }
    systems.append(start..<count)
    (self.left, self.width, self.centers, self.systems, self.fits) = (left, width, centers, systems, fits)
    let reach = (0..<count).map { place in
      centers[place] + max(width / 2, rows.map { $0[place]?.right ?? 0 }.max() ?? 0)
    }
    right =
      systems.count > 1
      ? Self.pictureWidth - Self.margin : max((reach.max() ?? left) + Self.tail, left + boxWidth)
  }
}

extension [[MarbleBox]] {
  /// The extent of all of them together.
  fileprivate var left: Int { map(\.left).min() ?? 0 }
  fileprivate var right: Int { map(\.right).max() ?? 0 }
}
