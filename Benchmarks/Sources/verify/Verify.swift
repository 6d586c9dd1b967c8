// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import ArgumentParser
import OpenCombineVerified
import PenstockVerified
import VerifiedRow

/// The rules of streams that OpenCombine and Penstock break, operator by operator, as PenstockTesting's verification finds
/// them.
@main struct Verify: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Prints which rules of streams the operators of OpenCombine and of Penstock break.")

  @Option(help: "Only what has this text in its name.")
  var filter: String?

  @Flag(help: "Prints the findings in full.")
  var full = false

  @Flag(help: "Fails if anything of Penstock's breaks a rule, or nothing of OpenCombine's does.")
  var check = false

  func run() throws {
    let (theirs, ours) = (verifyOpenCombine(named: filter), verifyPenstock(named: filter))
    print("| | OpenCombine 0.14.0 breaks | warnings | Penstock breaks | warnings |")
    print("|---|---|---|---|---|")
    for (their, our) in zip(theirs, ours) {
      let cells = [their.broken, their.warnings, our.broken, our.warnings].map { $0.joined(separator: " ") }
      print("| `\(their.name)` | \(cells.joined(separator: " | ")) |")
    }
    let counts = [theirs, ours].map { rows in
      "\(rows.count { !$0.broken.isEmpty }) of \(rows.count) break \(Set(rows.flatMap(\.broken)).count) rules"
    }
    print("\nOpenCombine: \(counts[0]). Penstock: \(counts[1]).")
    if full { for row in theirs + ours where !row.text.isEmpty { print("\n\(row.text)") } }
    guard check else { return }
    if let row = ours.first(where: { !$0.broken.isEmpty }) {
      throw Failure(text: "Penstock's \(row.name): \(row.text)")
    }
    if theirs.allSatisfy(\.broken.isEmpty) { throw Failure(text: "nothing was found in OpenCombine: is it verified?") }
  }

  struct Failure: Error, CustomStringConvertible {
    let text: String
    var description: String { text }
  }
}
