// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The area that a shape covers.
internal struct MarbleBox: Sendable {
  var left: Int
  var top: Int
  var right: Int
  var bottom: Int

  init(left: Int, top: Int, right: Int, bottom: Int) {
    (self.left, self.top, self.right, self.bottom) = (left, top, right, bottom)
  }

  /// Creates the area around a point.
  init(x: Int, y: Int, halfWidth: Int, halfHeight: Int) {
    self.init(left: x - halfWidth, top: y - halfHeight, right: x + halfWidth, bottom: y + halfHeight)
  }

  func moved(x: Int, y: Int) -> Self { Self(left: left + x, top: top + y, right: right + x, bottom: bottom + y) }

  /// Whether two shapes in one row are at the same height, and so need different places in it.
  func isBeside(_ other: Self) -> Bool { top < other.bottom && other.top < bottom }
}

extension [MarbleBox] {
  var left: Int { map(\.left).min() ?? 0 }
  var top: Int { map(\.top).min() ?? 0 }
  var right: Int { map(\.right).max() ?? 0 }
  var bottom: Int { map(\.bottom).max() ?? 0 }

  /// The least distance of the place of other shapes from that of these, if they come after them in the row.
  func distance(to others: Self, gap: Int) -> Int? {
    var distance: Int?
    for box in self {
      for other in others where box.isBeside(other) {
        distance = Swift.max(distance ?? .min, box.right + gap - other.left)
      }
    }
    return distance
  }
}
