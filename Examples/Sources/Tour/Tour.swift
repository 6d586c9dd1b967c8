// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import ArgumentParser
import Scenarios

@main
struct Tour: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Shows what Penstock does, system by system.",
    discussion: "Without a name the whole tour runs.")

  @Flag(help: "List the names of the systems.")
  var list = false

  @Argument(help: "The systems to show.")
  var names: [String] = []

  func validate() throws {
    let known = Scenario.all.map(\.name)
    if let unknown = names.first(where: { !known.contains($0) }) {
      throw ValidationError("There is no system called '\(unknown)'. There are: \(known.joined(separator: ", ")).")
    }
  }

  func run() {
    if list {
      for scenario in Scenario.all { print(scenario.name.padded(to: 10), scenario.heading) }
      return
    }
    let chosen = names.isEmpty ? Scenario.all : names.compactMap { name in Scenario.all.first { $0.name == name } }
    for (index, scenario) in chosen.enumerated() {
      if index > 0 { print() }
      print("——— \(scenario.heading) ———")
      scenario.run { print($0) }
    }
  }
}

extension String {
  fileprivate func padded(to length: Int) -> String {
    self + String(repeating: " ", count: max(0, length - count))
  }
}
