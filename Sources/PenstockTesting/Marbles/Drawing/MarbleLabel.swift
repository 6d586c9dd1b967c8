// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The box between what goes in and what comes out, with lines of code.
internal struct MarbleLabel {
  /// The lines; long ones are broken.
  let lines: [String]
  /// Whether it takes the whole width of a picture, since it does not fit beside the names.
  let isWide: Bool

  /// Between the code and the sides of the box, taken together.
  private static let padding = 24

  /// - Parameter left: Where the box begins, if its code fits there.
  init(_ text: String, left: Int) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let widest = MarbleColumns.pictureWidth - MarbleColumns.margin
    isWide = left + Self.codeWidth(lines) + Self.padding > widest
    // The length of the longest line of code that fits.
    let length = (widest - MarbleColumns.margin - Self.padding) * 2 / 17
    self.lines = isWide ? lines.flatMap { Self.broken($0, at: length) } : lines
  }

  /// The width of the box.
  var width: Int {
    isWide
      ? MarbleColumns.pictureWidth - 2 * MarbleColumns.margin : Self.codeWidth(lines) + Self.padding
  }

  var height: Int { 14 + 20 * lines.count }

  /// Draws the box; its code is centered as a whole, with the indentation of its lines.
  func draw(left: Int, right: Int, y: Int, in shapes: inout MarbleShapes) {
    shapes.add(
      """
      <rect class="o" x="\(left)" y="\(y)" width="\(right - left)" height="\(height)" rx="8"/>
      """)
    let x = (left + right - Self.codeWidth(lines)) / 2
    for (index, line) in lines.enumerated() {
      let indentation = String(line.prefix { $0 == " " })
      shapes.text(
        String(line.dropFirst(indentation.count)), class: "k", x: x + Self.codeWidth([indentation]),
        y: y + 22 + 20 * index)
    }
  }

  /// Breaks a line of code at spaces into lines of a length; the continuation is indented further.
  private static func broken(_ line: String, at length: Int) -> [String] {
    let indentation = min(line.prefix { $0 == " " }.count, length / 2)
    let further = String(repeating: " ", count: min(indentation + 2, length / 2))
    var (lines, rest) = ([String](), line)
    while displayWidth(of: rest) > length {
      var (end, width) = (rest.startIndex, 0)
      while width + displayWidth(of: String(rest[end])) <= length {
        width += displayWidth(of: String(rest[end]))
        end = rest.index(after: end)
      }
      // A space in the first half may be the indentation, and would leave a short line.
      let half = rest.index(rest.startIndex, offsetBy: rest.distance(from: rest.startIndex, to: end) / 2)
      if let space = rest[half..<end].lastIndex(of: " ") { end = rest.index(after: space) }
      lines.append(String(rest[..<end].reversed().drop { $0 == " " }.reversed()))
      rest = further + rest[end...].drop { $0 == " " }
    }
    return lines + [rest]
  }

  /// About the width of lines of code.
  private static func codeWidth(_ lines: [String]) -> Int {
    (lines.map { displayWidth(of: $0) }.max() ?? 0) * 17 / 2
  }
}
