// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import ArgumentParser
import Foundation
import Scenarios

@main
struct Tour: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Shows what Penstock does, system by system.",
    discussion: "Without a name the whole tour runs: 40 seconds, or no time at all with --fast.")

  @Flag(help: "List the names of the systems, and show none.")
  var list = false

  @Flag(help: "Let time pass without waiting for it.")
  var fast = false

  @Argument(help: "The systems to show.")
  var names: [String] = []

  private static let listOfSystems = Scenario.all.map { "\($0.name.padded(to: 10)) \($0.heading)" }

  func validate() throws {
    let known = Set(Scenario.all.map(\.name))
    if let unknown = names.first(where: { !known.contains($0) }) {
      throw ValidationError(
        "There is no system called '\(unknown)'. There are:\n" + Self.listOfSystems.joined(separator: "\n"))
    }
  }

  func run() {
    if list { return Self.listOfSystems.forEach(Self.show) }
    let chosen = names.isEmpty ? Scenario.all : names.compactMap { name in Scenario.all.first { $0.name == name } }
    for (index, scenario) in chosen.enumerated() {
      if index > 0 { Self.show("") }
      Self.show("——— \(scenario.heading) ———")
      scenario.run(in: fast ? .fast : .real, print: Self.show)
    }
  }

  /// Prints a line at once, even if the output is a pipe.
  private static func show(_ line: String) {
    print(line)
    fflush(nil)
  }
}

extension String {
  fileprivate func padded(to length: Int) -> String {
    self + String(repeating: " ", count: max(0, length - count))
  }
}
