// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockTesting
import Testing

/// A diagram that is hard to draw.
private struct Nasty: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let text: String

  init(_ name: String, _ text: String) { (testDescription, self.text) = (name, text) }

  private static let long = "a value with some fifty letters, as a description has"

  static let all = [
    Nasty("long values", "source  '\(long)'-'\(long)'b-'\(long)'|\nexpected  '\(long)''\(long)'b-'\(long)'|"),
    Nasty("a long value that is the last", "source  a-'\(long)'\nexpected  a-'\(long)'"),
    Nasty("a value of a whole page", "source  a'\(String(repeating: long, count: 40))'b|"),
    Nasty("an end in the step of a long value", "source  a-['\(long)'|]\nexpected  a-['\(long)'#'gone']"),
    Nasty("a marble where the line begins", "source  '\(long)'-a\nexpected  ^'\(long)'a"),
    Nasty("marbles of a few letters, close to each other", "source  'abcd''efgh''ijkl''mnop''qrst''uvwx''yz12''3456'|"),
    Nasty("a long name of a failure", "source  a-b-#'\(long)'\nexpected  a-b-#'\(long)'"),
    Nasty(
      "a name of a failure above other marbles", "source  ab#'no network'\nother  [abc]-[abc]\nexpected  [abc]bc#'x'"),
    Nasty("a failure below a pile of values", "source  [abcd#'no network']\nexpected  [abcd#'no network']"),
    Nasty("names of failures beside piles", "source  ^#'no network'^[abcd]#'no network'^[abcde]|"),
    Nasty("a wide box", "source  a-b|\n> \(String(repeating: "wide ", count: 22))\nexpected  a-b|"),
    Nasty("a box without a space", "source  a-b|\n>     \(String(repeating: "x", count: 400))\nexpected  a-b|"),
    Nasty("240 steps with a value in each", "source  \(String(repeating: "abcdefgh", count: 30))|\nexpected  a{239}|"),
    Nasty(
      "240 steps with a value in every second one",
      "source  \(String(repeating: "a-", count: 120))|\n> map\nexpected  -{240}|"),
    Nasty(
      "600 steps",
      "source  \(String(repeating: "a--", count: 200))|\nexpected  \(String(repeating: "--b", count: 200))|"),
    Nasty(
      "many steps with demand and time",
      """
      step 10ms
      source    \(String(repeating: "a-", count: 90))|
      demand    \(String(repeating: "1-", count: 90))*
      expected  \(String(repeating: "a-", count: 90))|
      """
    ),
    Nasty("times with many digits", "step 1234567ns\nsource  abcdefghijklmnopqrstuvwxyz|"),
    Nasty("a pile of forty", "source  [\(String(repeating: "a", count: 40))]-[\(String(repeating: "b", count: 40))!]"),
    Nasty("lives in one step", "source  ^a[#^#^#^b!^#'again'^]b|"),
    Nasty("many lives in one step", "source  [\(String(repeating: "^#'again'", count: 40))]-^|"),
    Nasty("a subscription that ends at once", "source  [^|][^#][^!]^[!^][|^]a|\nexpected  [^|]\nexpected.b  [^!]"),
    Nasty("cancels side by side", "source  ^!^!^!^!^!^!\nexpected  ----!\nexpected.b  -----!"),
    Nasty("cancels of a source that goes on", "source  a!b![c!d]|"),
    Nasty("a cancel behind the last step", "source  ^\(String(repeating: "abcdefghij", count: 3))!"),
    Nasty("demand of many digits", "source  abcdef\ndemand  '1234567890''1234567890''1234567890'!\nexpected  abc"),
    Nasty(
      "long names of lines",
      "thisIsTheNameOfASourceWithManyLetters  a-b|\nexpected.\(String(repeating: "w", count: 60))  a'\(long)'b|"),
    Nasty(
      "wide letters",
      """
      source    '日本語の値はとても広い''日本語の値はとても広い'#'日本語の値はとても広い日本語の値はとても広い'
      expected  🍎🍏🍐🍊🍋🍌🍉🍇🍓|
      """),
    Nasty("empty texts", "source  ''-''''''|"),
    Nasty(
      "a long pause at either side of a wide value", "source  a{300}'\(long)'{300}b|\nexpected  a{300}'\(long)'{300}b"),
  ]
}

@Suite struct MarbleOverlapTests {
  /// What a shape covers.
  private struct Box: Equatable {
    var name: String
    var left: Double
    var top: Double
    var right: Double
    var bottom: Double

    func overlaps(_ other: Self) -> Bool {
      left < other.right && other.left < right && top < other.bottom && other.top < bottom
    }
  }

  @Test(arguments: Nasty.all)
  private func `No shape covers another, and none is outside`(_ nasty: Nasty) throws {
    let svg = try MarbleDiagram(nasty.text).svg(title: "A picture", appearance: .light)
    let size = try #require(svg.firstMatch(of: /width="(\d+)" height="(\d+)"/))
    let (width, height) = (try #require(Double(size.output.1)), try #require(Double(size.output.2)))
    #expect(width <= 700)
    let boxes = Self.boxes(svg)
    #expect(boxes.count > 3)
    let outside = boxes.first { $0.left < 0 || $0.top < 0 || $0.right > width || $0.bottom > height }
    #expect(outside == nil, "\(width) × \(height)")
    let pair = boxes.indices.lazy.flatMap { index in
      boxes[..<index].lazy.filter { $0.overlaps(boxes[index]) }.map { [$0, boxes[index]] }
    }.first
    #expect(pair == nil)
  }

  @Test(arguments: Nasty.all)
  private func `A text is inside of its marble or its box`(_ nasty: Nasty) throws {
    let lines = try MarbleDiagram(nasty.text).svg().split(separator: "\n")
    for (marble, text) in zip(lines, lines.dropFirst()) where marble.hasPrefix("<rect class=\"m") {
      let width = try #require(marble.firstMatch(of: #/ width="(\d+)"/#).flatMap { Double($0.output.1) })
      #expect(Self.width(Self.shown(text), 14) <= width, "\(text)")
    }
    let box = lines.firstIndex { $0.hasPrefix("<rect class=\"o\"") }
    let code = lines.filter { $0.hasPrefix("<text class=\"k\"") }
    guard let box else { return }
    let edges = try #require(lines[box].firstMatch(of: /x="(\d+)" y="\d+" width="(\d+)"/))
    let (left, boxWidth) = (try #require(Double(edges.output.1)), try #require(Double(edges.output.2)))
    for line in code {
      let x = try #require(line.firstMatch(of: /x="(\d+)"/).flatMap { Double($0.output.1) })
      #expect(x >= left && x + Double(Self.shown(line).count) * 8.43 <= left + boxWidth, "\(line)")
    }
  }

  @Test func `A diagram that is too long for one line goes on below, with all of its values`() throws {
    let svg = try MarbleDiagram("source  \(String(repeating: "abcdefgh", count: 30))|").svg()
    #expect(svg.matches(of: /class="m m/).count == 240)
    #expect(svg.matches(of: />source</).count > 1)
    #expect(svg.matches(of: /class="e"/).count == 1)
  }

  @Test func `What is left out of a text is shown to those who point at it`() throws {
    let value = String(repeating: "from ", count: 30) + "to here"
    let svg = try MarbleDiagram("source  '\(value)'|").svg()
    #expect(svg.contains("<title>\(value)</title>from from"))
    #expect(svg.contains(/…[a-z ]*to here<\/text>/))
    #expect(try !MarbleDiagram("source  'a short value'|").svg(title: "x").contains("…"))
  }

  @Test func `A long line of code is broken at a space, and continued further in`() throws {
    let label =
      "  scan(Summary(count: 0, sum: 0)) { summary, value in summary.adding(value, weighted: true) } // as before"
    let svg = try MarbleDiagram("source  a|\n> first {\n> \(label)\n> }").svg()
    let lines = svg.matches(of: /<text class="k" x="(\d+)" y="\d+">([^<]*)</).map { ($0.output.1, $0.output.2) }
    #expect(lines.count == 4)
    #expect(lines.dropFirst().prefix(2).map(\.1).joined(separator: " ") == label.dropFirst(2))
    let columns = lines.compactMap { Int($0.0) }
    #expect(columns[0] < columns[1] && columns[1] < columns[2] && columns[3] == columns[0])
  }

  // MARK: What is in a picture

  /// The shapes of a picture, without the lines, and without the texts in marbles and boxes.
  private static func boxes(_ svg: String) -> [Box] {
    svg.split(separator: "\n").compactMap { line in
      let numbers = line.replacing(/>.*/, with: "").matches(of: /-?\d+/).compactMap { Double($0.output) }
      let name = String(line)
      func around(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> Box {
        Box(name: name, left: x - width, top: y - height, right: x + width, bottom: y + height)
      }
      if line.hasPrefix("<rect") {
        let frame = line.matches(of: /(?:x|y|width|height)="(-?\d+)"/).compactMap { Double($0.output.1) }
        return Box(
          name: name, left: frame[0], top: frame[1], right: frame[0] + frame[2], bottom: frame[1] + frame[3])
      }
      if let text = line.firstMatch(of: /<text class="([nds])[ y]*" x="(-?\d+)" y="(-?\d+)"/) {
        let (x, y) = (Double(text.output.2) ?? 0, Double(text.output.3) ?? 0)
        let width = Self.width(shown(line), text.output.1 == "n" ? 13 : 12)
        let left = text.output.1 == "s" ? x - width / 2 : x - width
        return Box(name: name, left: left, top: y - 9, right: left + width, bottom: y + 3)
      }
      if line.hasPrefix("<circle") { return around(numbers[0], numbers[1], 4, 4) }
      if line.hasPrefix("<path class=\"e\"") { return around(numbers[0], numbers[1] + 14, 1.5, 14) }
      if line.hasPrefix("<path class=\"x\"") { return around(numbers[0] + 8, numbers[1] + 8, 9, 9) }
      if line.contains("v26") { return around(numbers[0], numbers[1] + 13, 1, 13) }
      if line.contains("l-10 -5v10z") { return around(numbers[0] - 5, numbers[1], 5, 5) }
      if line.contains("l5 -14M") { return around(numbers[0] + 6, numbers[1] - 7, 6, 7) }
      return nil
    }
  }

  /// What a reader sees of an element of text.
  private static func shown(_ line: Substring) -> Substring {
    let text = line.replacing(/<title>.*<\/title>/, with: "").replacing(/&\w+;/, with: "x")
    return text.drop { $0 != ">" }.dropFirst().prefix { $0 != "<" }
  }

  /// The width of a text, by rules of its own.
  private static func width(_ text: Substring, _ size: Double) -> Double {
    text.reduce(0) { sum, character in
      switch character {
      case "i", "j", "l", "t", "f", "r", "I", " ", ",", ".", "'": sum + 0.36
      case "m", "w", "M", "W": sum + 0.86
      case _ where character.unicodeScalars.first!.value > 0x2E80: sum + 1.1
      case _ where character.isUppercase: sum + 0.68
      default: sum + 0.57
      }
    } * size
  }
}
