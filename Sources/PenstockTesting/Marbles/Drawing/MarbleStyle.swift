// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The style of pictures.
internal struct MarbleStyle {
  private let ink: String
  private let line: String
  private let faint: String
  private let box: String
  private let failure: String
  private let demand: String
  /// Fill and outline of the marbles.
  private let marbles: [(fill: String, outline: String)]

  /// The number of colors of marbles.
  static let colorCount = light.marbles.count

  private static let light = MarbleStyle(
    ink: "#1d1d1f", line: "#6e6e76", faint: "#c9c9d0", box: "#f3f4f7", failure: "#cf222e", demand: "#5b4bc4",
    marbles: [
      ("#cfe3ff", "#2f6fd0"), ("#ffdcb8", "#b85c08"), ("#c9efd0", "#23813d"), ("#ffd0e0", "#bd2a63"),
      ("#fdeaa8", "#8f6b00"), ("#c3eef0", "#107a81"), ("#e2d5ff", "#7243c9"), ("#e2e4e8", "#5f6570"),
    ])

  private static let dark = MarbleStyle(
    ink: "#f5f5f7", line: "#a1a1aa", faint: "#4b4b52", box: "#26272b", failure: "#ff7b72", demand: "#b8adff",
    marbles: [
      ("#1d3f73", "#7fb2ff"), ("#663708", "#ffb066"), ("#1a5129", "#72d68a"), ("#6e1f3f", "#ff8fb5"),
      ("#594500", "#f0cf5a"), ("#0e4b50", "#63d5dc"), ("#43297d", "#bfa1ff"), ("#3c4049", "#a8b0bd"),
    ])

  /// The style sheet of an appearance, with those colors of marbles that are used.
  static func sheet(_ appearance: MarbleAppearance, colors: Set<Int>) -> String {
    switch appearance {
    case .light: shapes + light.rules(colors)
    case .dark: shapes + dark.rules(colors)
    case .automatic:
      shapes + light.rules(colors) + "@media(prefers-color-scheme:dark){\(dark.rules(colors))}"
    }
  }

  private static let shapes = """
    text{font:14px -apple-system,system-ui,"Segoe UI",Roboto,"Helvetica Neue",sans-serif;text-anchor:middle}\
    .n{text-anchor:end;font-size:13px}.d{text-anchor:end;font-size:12px}.v{font-weight:600}.s{font-size:12px}\
    .k{text-anchor:start;font:600 14px ui-monospace,"SF Mono",Menlo,Consolas,"DejaVu Sans Mono",monospace}\
    .l,.e,.x,.c{fill:none;stroke-width:2;stroke-linecap:round}.e{stroke-width:3}.x{stroke-width:3}\
    .g{fill:none;stroke-dasharray:1 5;stroke-linecap:round;stroke-width:2}.c{stroke-dasharray:3 4}\
    .o,.m,.r{stroke-width:1.5}.f{opacity:.35}
    """

  private func rules(_ colors: Set<Int>) -> String {
    var sheet = "text{fill:\(ink)}.n,.d,.s{fill:\(line)}.l,.e,.c{stroke:\(line)}.e{stroke:\(ink)}.a{fill:\(line)}"
    sheet += ".g{stroke:\(faint)}.x{stroke:\(failure)}.y{fill:\(failure)}.o{fill:\(box);stroke:\(faint)}"
    sheet += ".r{fill:\(box);stroke:\(demand)}.q,.d{fill:\(demand)}"
    for color in colors.sorted() {
      sheet += ".m\(color){fill:\(marbles[color].fill);stroke:\(marbles[color].outline)}"
    }
    return sheet
  }
}
