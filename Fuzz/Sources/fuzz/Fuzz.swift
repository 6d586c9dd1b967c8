// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import ArgumentParser
import Foundation

@main
struct Fuzz: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Random pipelines, run on several threads against the rules that every stream keeps.",
    subcommands: [
      Search.self, Replay.self, Show.self, List.self, Compare.self, Differ.self, Prove.self, ChildCommand.self,
    ],
    defaultSubcommand: Search.self)
}

/// Options that affect generation and judgement, for all commands.
struct Common: ParsableArguments {
  @Option(help: "The operators to use, separated by slashes; all if none.")
  var only = ""

  @Option(help: "Rules that are not checked, separated by slashes.")
  var waive = ""

  @Option(help: "Operators and kinds of subjects to leave out, separated by slashes; \"tasks\" for threads alone.")
  var without = ""

  var choice: Generator.Choice { Generator.Choice(only: set(only), without: set(without)) }
  var waived: [Rule] { waive.split(separator: "/").compactMap { Rule(rawValue: String($0)) } }
  var arguments: [String] { ["--only", only, "--without", without, "--waive", waive] }

  private func set(_ text: String) -> Set<String> { Set(text.split(separator: "/").map(String.init)) }
}

struct Search: ParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Runs the programs of seed after seed.")

  @Option(help: "The first seed; a random one if not given.")
  var seed: UInt64?

  @Option(help: "How long, in seconds.")
  var seconds = 20.0

  @Option(help: "How many processes at once.")
  var jobs = 2

  @Option(help: "Stops after so many findings.")
  var limit = 20

  @OptionGroup var common: Common

  func run() throws {
    let base = seed ?? UInt64.random(in: 0..<1_000_000_000)
    say("fuzz --seed \(base) --seconds \(Int(seconds))")
    let hunt = Hunt(
      base: base, seconds: seconds, jobs: jobs, handedOn: common.arguments, limit: limit, choice: common.choice)
    if !hunt.run() { throw ExitCode.failure }
  }
}

struct Replay: ParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Runs the program of one seed many times.")

  @Argument(help: "The seed.")
  var seed: UInt64

  @Option(help: "How often.")
  var times = 1000

  @Option(help: "How long at most, in seconds.")
  var seconds = 60.0

  @Option(help: "Stops after so many findings.")
  var limit = 1

  @OptionGroup var common: Common

  func run() throws {
    let hunt = Hunt(
      base: seed, seconds: seconds, jobs: 1, handedOn: common.arguments, limit: limit, choice: common.choice,
      replay: times)
    if !hunt.run() { throw ExitCode.failure }
  }
}

struct Show: ParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Prints the program of a seed.")

  @Argument(help: "The seed.")
  var seed: UInt64

  @OptionGroup var common: Common

  func run() { print(Generator.program(seed: seed, from: common.choice)) }
}

struct List: ParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Lists the operators and the rules.")

  func run() {
    for row in OperatorRow.sources + OperatorRow.operators { print(row.name) }
    print("")
    for rule in Rule.allCases { print("\(rule): \(rule.text)") }
  }
}

struct ChildCommand: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "child", shouldDisplay: false)

  @Option var seed: UInt64
  @Option var step: UInt64
  @Option var seconds: Double
  @Option var count: Int?
  @OptionGroup var common: Common

  func run() {
    Verdict.waive(common.waived)
    Child(first: seed, step: step, count: count, seconds: seconds, choice: common.choice).run()
  }
}
