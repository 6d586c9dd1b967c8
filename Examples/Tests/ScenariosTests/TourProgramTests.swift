// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import Scenarios
import Testing

/// The Tour as a program: its output, and its exit status.
@Suite struct TourProgramTests {
  private struct Result {
    let status: Int32
    let output: [String]
    let errors: String
  }

  /// Runs the program that was built with these tests.
  private func tour(_ arguments: String...) throws -> Result {
    let tests = Bundle.allBundles.map(\.bundleURL).first { $0.pathExtension == "xctest" }
    let products = try #require(tests ?? Bundle.main.executableURL).deletingLastPathComponent()
    let process = Process()
    process.executableURL = products.appending(path: "Tour")
    process.arguments = arguments
    let (output, errors) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    let complaint = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return Result(
      status: process.terminationStatus,
      output: text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init),
      errors: complaint)
  }

  @Test func `The fast tour prints the whole text`() throws {
    let result = try tour("--fast")
    #expect(result.status == 0)
    #expect(result.errors.isEmpty)
    #expect(try result.output.map(TourText.bare) == TourText.lines())
  }

  @Test func `Names choose systems, in the order given`() throws {
    let result = try tour("--fast", "fibonacci", "unwrap")
    #expect(result.status == 0)
    #expect(result.output.filter { $0.hasPrefix("——— ") }.map { $0.dropFirst(4).prefix(6) } == ["Fibona", "unwrap"])
    #expect(result.output.suffix(4) == (1...4).map { "Received value: \($0)" })
  }

  @Test func `In real time it prints the same`() throws {
    // A scenario that takes no time; check-tour runs the others.
    let result = try tour("unwrap")
    #expect(result.status == 0)
    #expect(Array(result.output.dropFirst()) == (1...4).map { "Received value: \($0)" })
  }

  @Test func `The list has a line for each system`() throws {
    let result = try tour("--list")
    #expect(result.status == 0)
    #expect(result.output.count == Scenario.all.count)
    for (line, scenario) in zip(result.output, Scenario.all) {
      #expect(line.hasPrefix(scenario.name + " "))
      #expect(line.hasSuffix(scenario.heading))
    }
  }

  @Test func `An unknown name gets the list, and exit status 64`() throws {
    let result = try tour("unwrap", "perpetuum-mobile")
    #expect(result.status == 64)
    #expect(result.output.isEmpty)
    #expect(result.errors.contains("There is no system called 'perpetuum-mobile'"))
    for scenario in Scenario.all { #expect(result.errors.contains(scenario.heading)) }
  }
}
