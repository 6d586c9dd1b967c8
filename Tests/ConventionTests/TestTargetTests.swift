// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import Testing

/// Every test runs in `swift test` or in a step of `.ci/run`: the manifest says which, and no test is in neither.
@Suite struct TestTargetTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
  private static let manifest = text("Package.swift")
  private static let script = text(".ci/run")

  private static func text(_ path: String) -> String {
    (try? String(contentsOf: root.appending(path: path), encoding: .utf8)) ?? ""
  }

  /// The names of the test targets in the manifest.
  private static let targets = Set(
    manifest.matches(of: /\.testTarget\(\s*name: "(\w+)"/).map { String($0.output.1) })

  /// The test targets that `swift test` leaves out, and the step that runs each.
  private static let steps: [String: String] = {
    guard let list = manifest.firstMatch(of: /let stepsOfTests = \[\n((?:  .*\n)+)\]/) else { return [:] }
    let pairs = list.output.1.matches(of: /"(\w+)": "([\w-]+)"/)
    return Dictionary(uniqueKeysWithValues: pairs.map { (String($0.output.1), String($0.output.2)) })
  }()

  /// The steps that `.ci/run` runs without an argument.
  private static let run = Set(
    script.matches(of: /(?m)^(?:in_front|beside)=\(([^)]*)\)/).flatMap {
      $0.output.1.split(whereSeparator: \.isWhitespace).map(String.init)
    })

  @Test func `A folder with tests is a test target, and a test target has a folder with tests`() {
    let folders = SourceFile.tests.filter { $0.text.contains(/(?m)^ *@Test\b/) }
      .map { String($0.path.split(separator: "/")[1]) }
    #expect(Set(folders).subtracting(Self.targets).sorted() == [])
    #expect(Self.targets.subtracting(folders).sorted() == [])
    #expect(Self.targets.count > 15, "Hardly any targets were found: the expression is broken")
  }

  @Test func `A step of the whole run names each test target that swift test leaves out`() throws {
    #expect(Self.steps.count > 5, "Hardly any targets were found: the expression is broken")
    #expect(Self.run.isSuperset(of: ["test", "build"]))
    for (target, step) in Self.steps {
      #expect(Self.targets.contains(target), "\(target) is no test target")
      #expect(Self.run.contains(step), ".ci/run does not run \(step)")
      let function = Self.script.split(separator: "\n\(step)() {\n", maxSplits: 1).dropFirst().first
      let body = try #require(function?.split(separator: "\n}\n", maxSplits: 1).first, "no function for \(step)")
      // The name must not be part of a longer name, nor in a comment.
      let code = body.split(separator: "\n").filter { !$0.contains(/^ *#/) }.joined(separator: "\n")
      let names = code.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
      #expect(names.contains(Substring(target)), "\(step) does not run \(target)")
    }
  }

  // `.ci/run lists` finds the suites by their files.
  @Test func `A suite that takes a sample of a long list has the name of its file`() {
    let sampling = SourceFile.tests.filter {
      $0.text.contains(".sampled(oneIn") && !$0.path.contains("/ConventionTests/")
    }
    for file in sampling {
      let name = file.path.split(separator: "/").last?.replacing(".swift", with: "") ?? ""
      #expect(file.text.contains("struct \(name) {"), "\(file.path) has no suite \(name)")
    }
    #expect(sampling.count > 3)
  }

  @Test func `swift test runs every other target, and CI runs swift test without a filter`() throws {
    let removals = Self.manifest.matches(of: /package\.targets\.removeAll \{ (stepsOfTests\[\$0\.name\] != nil) \}/)
    #expect(removals.count == 1, "what swift test leaves out is not what the list says")
    let test = try #require(Self.script.firstMatch(of: /\ntest_\(\) \{\n(.*)\n\}/))
    #expect(test.output.1 == "  PENSTOCK_WARNINGS_AS_ERRORS=1 tests")
  }
}
