// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// Writes programs as source text, with one statement for each operator, which takes the compiler less time than a long
/// expression.
struct DifferPrinter {
  let form: DifferForm
  private var lines: [String] = []

  init(_ form: DifferForm) { self.form = form }

  /// A function that makes the pipelines of a program.
  static func function(_ name: String, _ program: DifferProgram, _ form: DifferForm) -> String {
    var text = "func \(name)(_ w: World) {\n"
    for (number, pipeline) in program.pipelines.enumerated() {
      var printer = DifferPrinter(form)
      let publisher = printer.chain(pipeline.chain)
      let end = DifferEnd.named(pipeline.end).text.replacing("{}", with: publisher)
        .replacing("#F", with: (pipeline.chain.failure ?? .never).rawValue)
        .split(separator: "\n").map(String.init)
      let attach = ["w.pipeline(\(number)) {"] + (pipeline.isKept ? [] : printer.lines).map { "  " + $0 }
      let body =
        (pipeline.isKept ? printer.lines : []) + attach + (["let n = w.begin(\(number))"] + end).map { "  " + $0 } + [
          "}"
        ]
      text += body.map { "  \($0)\n" }.joined()
    }
    return text + "}\n"
  }

  /// Writes the statements of a chain, and returns the name of the publisher.
  private mutating func chain(_ chain: DifferChain) -> String {
    let source = DifferSource.named(chain.source)
    var name = "p\(chain.id)"
    var failure = source.failure
    lines.append("let \(name) = \(filled(source.text, chain.id, chain.number, failure))\(form.link)")
    for (place, link) in chain.links.enumerated() {
      var text = filled(link.row.text, link.id, link.number, failure)
      var given = link.row.gives ?? failure
      for (number, child) in link.children.enumerated() {
        text = text.replacing("{\(number + 1)}", with: self.chain(child))
        if case .giving = link.row.children[number] { given = child.failure ?? given }
      }
      let isComposed = place + 1 < chain.links.count && link.row.isComposed(with: chain.links[place + 1].row)
      lines.append("let p\(link.id) = \(name)\(text)\(isComposed ? "" : form.link)")
      name = "p\(link.id)"
      failure = given
    }
    return name
  }

  private func filled(_ text: String, _ id: Int, _ number: Int, _ failure: DifferOperator.Failure) -> String {
    guard text.contains("#") || text.contains("§") else { return text }
    return text.replacing("§", with: form.link).replacing("#n", with: "\(number)")
      .replacing("#F", with: failure.rawValue).replacing("#s", with: "\(id * 4)").replacing("#t", with: "\(id * 4 + 1)")
      .replacing("#u", with: "\(id * 4 + 2)").replacing("#v", with: "\(id * 4 + 3)")
  }
}

extension DifferProgram {
  /// A file with several programs, each in several forms.
  static func file(_ programs: [DifferProgram], _ forms: [DifferForm] = DifferForm.compared) -> String {
    var text = "import Examined\nimport Penstock\nimport PenstockOperators\nimport PenstockTesting\n\n"
    var cases = ""
    for (number, program) in programs.enumerated() {
      for form in forms {
        text += DifferPrinter.function("\(form)\(number)", program, form) + "\n"
        cases += "    case \(number * 10 + form.rawValue): \(form)\(number)(world)\n"
      }
    }
    return text + """
      @main struct Main {
        static func main() {
          examine { (program: Int, form: Int, world: World) in
            switch program &* 10 &+ form {
      \(cases)    default: fatalError("there is no such program")
            }
          }
        }
      }

      """
  }

  /// The text that is shown for a finding.
  var text: String { DifferPrinter.function("program", self, .written) }
}
