// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import TestSupport
import Testing

/// Every operator has a row in `fuzz differ`, which writes its programs as source text and so can't use an ``OperatorSpec``.
@Suite struct DifferRosterTests {
  /// Operators without a row, with the reason.
  private static let otherwise: [String: String] = [
    "encode": "what it publishes is made by an encoder of the user's", "decode": "as encode",
    "assign": "an end of a program", "sink": "an end of a program", "eraseToAnyPublisher": "a form of a program",
    "breakpointOnError": "a `breakpoint`",
    "pausableSink": "makes a subscriber, and no publisher", "mapAsync": "waits for tasks; here it is a stand-in",
  ]

  /// The names of the methods that the rows call.
  private static let called: Set<String> = {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Fuzz/Sources/fuzz/Differ/Operators").standardized
    let files = (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
    return files.reduce(into: []) { names, file in
      guard let text = try? String(contentsOf: file, encoding: .utf8) else { return }
      for call in text.matches(of: /\.(\w+)[( ]/) { names.insert(String(call.output.1)) }
    }
  }()

  @Test(arguments: ["PenstockCore", "PenstockOperators", "PenstockOperatorsFoundation"])
  func `Every operator has a row`(_ module: String) throws {
    let operators = try PublicNames.operators(in: module).filter { !$0.hasPrefix("_") }
    #expect(operators.subtracting(Self.called).subtracting(Self.otherwise.keys).sorted() == [])
  }

  @Test func `What has no row is an operator, and has none`() throws {
    let all = try PublicNames.operators(in: "PenstockCore").union(PublicNames.operators(in: "PenstockOperators"))
    #expect(Set(Self.otherwise.keys).subtracting(all).isEmpty)
    #expect(Self.called.intersection(Self.otherwise.keys).isEmpty)
    #expect(Self.called.count > 100, "Hardly any rows were found: the expression is broken")
  }
}
