// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The elements of a picture, and the areas that they cover.
internal struct MarbleShapes {
  private(set) var elements: [String] = []
  private(set) var boxes: [MarbleBox] = []
  /// The lines of streams, and where they are.
  var rows: [(row: MarbleRow, y: Int)] = []

  /// The colors of the marbles.
  var colors: Set<Int> = []

  mutating func add(_ element: String, covering box: MarbleBox? = nil) {
    elements.append(element)
    if let box { boxes.append(box) }
  }

  /// Adds a text; if it does not fit into a width, its middle is left out, and the whole text is shown to those who
  /// point at it.
  mutating func text(
    _ text: String, class name: String, x: Int, y: Int, upTo limit: Int = .max, size: Int = 14,
    covering box: MarbleBox? = nil
  ) {
    let shown = Self.shortened(text, size: size, upTo: limit)
    let whole = shown == text ? "" : "<title>\(Self.escaped(text))</title>"
    add("<text class=\"\(name)\" x=\"\(x)\" y=\"\(y)\">\(whole)\(Self.escaped(shown))</text>", covering: box)
  }

  /// Adds a text below a line, in its middle.
  mutating func caption(_ text: String, class name: String, x: Int, y: Int, upTo limit: Int) {
    let half = (Self.captionWidth(text, upTo: limit) + 1) / 2
    self.text(
      text, class: name, x: x, y: y, upTo: limit, size: 12,
      covering: MarbleBox(left: x - half, top: y - 9, right: x + half, bottom: y + 3))
  }

  static func captionWidth(_ text: String, upTo limit: Int) -> Int {
    width(of: shortened(text, size: 12, upTo: limit), size: 12)
  }

  /// About the width of a text, rather more than less.
  static func width(of text: some StringProtocol, size: Int) -> Int {
    let tenths = text.reduce(0) { sum, character in
      switch character {
      case "i", "l", "j", "t", "f", "r", "'", ".", ",", ":", ";", "|", "!", " ", "(", ")", "[", "]", "I": sum + 4
      case "m", "w", "M", "W", "…", "∞": sum + 9
      case _ where displayWidth(of: String(character)) == 2: sum + 14
      case _ where character.isUppercase: sum + 7
      default: sum + 6
      }
    }
    return (tenths * size + 5) / 10
  }

  /// A text without its middle, where it is wider than a limit.
  static func shortened(_ text: String, size: Int, upTo limit: Int) -> String {
    if limit == .max || width(of: text, size: size) <= limit { return text }
    let dots = width(of: "…", size: size)
    var (first, last) = (text.startIndex, text.endIndex)
    var isAtFront = true
    while true {
      // One more character, alternately at both ends.
      let next = isAtFront ? (text.index(after: first), last) : (first, text.index(before: last))
      let sum = width(of: text[..<next.0], size: size) + width(of: text[next.1...], size: size)
      if sum + dots > limit { return text[..<first] + "…" + text[last...] }
      (first, last) = next
      isAtFront.toggle()
    }
  }

  /// The width of a marble with a text in it.
  static func marbleWidth(_ symbol: String, radius: Int, upTo limit: Int) -> Int {
    let text = shortened(symbol, size: 15, upTo: limit)
    return max(2 * radius, width(of: text, size: 15) + (symbol.count > 1 ? 14 : 8))
  }

  static func escaped(_ text: String) -> String {
    text.reduce(into: "") { result, character in
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      default: result.append(character)
      }
    }
  }
}
