// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// Elements of a picture.
internal struct MarbleShapes {
  private(set) var elements: [String] = []
  /// The lines of streams, and where they are.
  var rows: [(lane: MarbleLane, y: Int)] = []

  /// The colors of the marbles.
  var colors: Set<Int> = []
  /// How far marbles reach.
  var right = 0

  mutating func add(_ element: String) { elements.append(element) }

  mutating func text(_ text: String, class name: String, x: Int, y: Int) {
    add("<text class=\"\(name)\" x=\"\(x)\" y=\"\(y)\">\(Self.escaped(text))</text>")
  }

  /// About the width of a text, rather more than less.
  static func width(of text: String, size: Int) -> Int {
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

  /// The width of a marble with a text in it.
  static func marbleWidth(_ symbol: String, radius: Int) -> Int {
    max(2 * radius, width(of: symbol, size: 15) + (symbol.count > 1 ? 14 : 8))
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
