// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockTesting
import Testing

@Suite struct MarbleDrawingTests {
  private func svg(_ text: String, _ appearance: MarbleAppearance = .light) throws -> String {
    try MarbleDiagram(text).svg(title: "A picture", appearance: appearance)
  }

  @Test func `A picture shows marbles, the box, the ends and the demand`() throws {
    let svg = try svg("source a-b-|\n> buffer\ndemand 2--*\nexpected a-b-#'gone'")
    for part in [
      "<title>A picture</title>", ">buffer</text>", ">↑2</text>", ">↑∞</text>", ">gone</text>", ">output</text>",
    ] {
      #expect(svg.contains(part), "\(part) is missing")
    }
    #expect(svg.components(separatedBy: "<rect class=\"m m").count == 5)
    #expect(svg.components(separatedBy: "class=\"e\"").count == 2)
  }

  @Test func `The same diagram gives the same text`() throws {
    let text = "source a-b-{50}c|\nother --x\nexpected a-[bx]-{50}c|"
    #expect(try svg(text) == svg(text))
  }

  @Test func `What is text in a diagram is text in the picture`() throws {
    let svg = try MarbleDiagram("source '<&\"'-|\n> a < b && c").svg(title: "x < y")
    #expect(svg.contains(">&lt;&amp;&quot;</text>"))
    #expect(svg.contains(">a &lt; b &amp;&amp; c</text>"))
    #expect(svg.contains("<title>x &lt; y</title>"))
    #expect(!svg.contains("a < b"))
  }

  @Test func `Light and dark differ in their colors alone, and automatic has both`() throws {
    let (light, dark, both) = (
      try svg("source a|", .light), try svg("source a|", .dark), try svg("source a|", .automatic)
    )
    let body = { (text: String) in text.components(separatedBy: "</style>")[1] }
    #expect(body(light) == body(dark) && body(light) == body(both))
    #expect(light != dark && !light.contains("prefers-color-scheme"))
    #expect(both.contains("@media(prefers-color-scheme:dark)"))
  }

  @Test func `A value has the same color wherever it is, and a result that of its cause`() throws {
    let svg = try svg("source a-b-|\nexpected a-'20'-|")
    let colors = svg.matches(of: /rect class="m (m\d)"/).map(\.output.1)
    #expect(colors == ["m0", "m1", "m0", "m1"])
  }

  @Test(arguments: [5, 40, 400, 40_000])
  func `A long diagram is no wider than a page`(_ length: Int) throws {
    let svg = try svg("source a{\(length)}b{\(length)}|\nexpected a{\(length)}b{\(length)}|")
    let width = try #require(svg.firstMatch(of: /width="(\d+)"/).flatMap { Int($0.output.1) })
    #expect(width <= 700)
  }

  @Test func `Times are written below, if a step is no second`() throws {
    #expect(try svg("step 100ms\nsource a----b----c").contains(">400ms</text>"))
    #expect(try !svg("source a----b----c").contains("ms</text>"))
  }

  @Test func `What a source sends when nobody listens any more is faint`() throws {
    #expect(try svg("source a-!-b").contains("m1 f\""))
    #expect(try !svg("source a---b").contains(" f\""))
  }
}
