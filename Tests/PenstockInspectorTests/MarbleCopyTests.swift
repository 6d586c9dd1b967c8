// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import Penstock
import PenstockInspector
import PenstockOperators
import PenstockTesting
import TestSupport
import Testing

/// A stream whose signals are recorded, and the test that the page copies.
private struct Copied {
  let name: String
  /// When the signals are said to have passed, in milliseconds: a test that is compared letter by letter does not depend
  /// on the machine.
  let times: [Int]
  /// Makes a stream from a subject, and returns what keeps it alive.
  let stream: (PassthroughSubject<String, TestError>) -> Any
  /// What is done with the subject.
  let act: (PassthroughSubject<String, TestError>) -> Void

  init(
    _ name: String, at times: [Int],
    stream: @escaping (PassthroughSubject<String, TestError>) -> Any,
    act: @escaping (PassthroughSubject<String, TestError>) -> Void
  ) {
    (self.name, self.times, self.stream, self.act) = (name, times, stream, act)
  }

  init(_ name: String, at times: [Int], act: @escaping (PassthroughSubject<String, TestError>) -> Void) {
    self.init(
      name, at: times,
      stream: {
        $0.inspected(name, describing: \.self).sink(receiveCompletion: { _ in }, receiveValue: { _ in })
      },
      act: act)
  }

  static var all: [Copied] {
    [
      Copied("values", at: [0, 50, 200]) { for word in ["g", "ga", "gate"] { $0.send(word) } },
      Copied("several at once", at: [0, 10, 20, 410, 424]) { for word in ["a", "b", "c", "d", "e"] { $0.send(word) } },
      Copied("completion", at: [0, 100]) {
        $0.send("a")
        $0.send(completion: .finished)
      },
      Copied("failure", at: [0, 100, 101]) {
        $0.send("a")
        $0.send("b")
        $0.send(completion: .failure(.oops))
      },
      Copied("failure alone", at: [0]) { $0.send(completion: .failure(.oops)) },
      // The stream is let go when everything has been sent.
      Copied("cancel", at: [0, 300, 301]) {
        $0.send("a")
        $0.send("b")
      },
      Copied("cancel alone", at: [0]) { _ in },
      Copied("a long pause", at: [0, 8 * 3_600_000, 8 * 3_600_000 + 900]) {
        for word in ["a", "b", "c"] { $0.send(word) }
      },
      Copied(
        "requests", at: [0, 100, 200, 300],
        stream: { subject in
          let recorder = Recorder<String, TestError>(demand: .max(1), answering: .max(1))
          subject.buffer(size: 9, prefetch: .keepFull, whenFull: .dropNewest).inspected("requests", describing: \.self)
            .subscribe(recorder)
          return recorder
        },
        act: {
          for word in ["a", "b", "c", "d"] { $0.send(word) }
        }),
      Copied("earlier", at: Array(repeating: 0, count: 32)) {
        for letter in "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMN" { $0.send(String(letter)) }
      },
      Copied(#"a`b\(c) " "#, at: Array(repeating: 0, count: 10)) {
        let texts = [
          "\"\"\"", "it's", "\\(x)", "two\nlines", "\u{301}accent", "", " ", "\u{202E}back", "👩‍👩‍👧 é",
          "{\"a\": [1, \"b\"]}",
        ]
        for text in texts { $0.send(text) }
      },
    ]
  }

  /// Runs the stream, and returns what an endpoint has kept of the link.
  func record() async throws -> Inspector.Recording {
    let subject = PassthroughSubject<String, TestError>()
    var kept: Any? = stream(subject)
    let endpoint = Inspector.Endpoint()
    let link = try #require(Inspector.snapshot()[name]?[name]?.id)
    #expect(await endpoint.recording(of: link) != nil)
    act(subject)
    if name.hasPrefix("cancel") { kept = nil }
    withExtendedLifetime(kept) {}
    let recording = try #require(await endpoint.recording(of: link))
    kept = nil
    return recording
  }

  /// The test that is copied when the signals have passed at the ``times``.
  func test() async throws -> String {
    let recording = try await record()
    try #require(recording.signals.count == times.count, "\(name): \(recording.signals)")
    let start = ContinuousClock.now
    let signals = zip(recording.signals, times).map { signal, time in
      Inspector.Recording.Signal(signal.kind, at: start + .milliseconds(time))
    }
    return Inspector.Recording(signals: signals, earlier: recording.earlier).marbleTest(of: name)
  }
}

extension InspectorTests {
  /// Tests of the test that is copied from a link.
  @Suite struct MarbleCopyTests {
    /// `CopiedTests` has what is copied here, and is compiled and run as any other file.
    @Test func `What is copied is what the file of copied tests has`() async {
      await #expect(processExitsWith: .success) { () async throws in
        var expected = """
          // SPDX-License-Identifier: MIT
          // Part of Penstock: Combine for everywhere Swift runs.

          import PenstockTesting
          import Testing

          /// What the inspector's page copies as marble tests: `MarbleCopyTests` makes this file, and compares it.
          @Suite struct CopiedTests {

          """
        var tests: [String] = []
        for copied in Copied.all {
          tests.append(
            try await copied.test().split(separator: "\n", omittingEmptySubsequences: false)
              .map { $0.isEmpty ? "" : "  \($0)" }.joined(separator: "\n"))
        }
        expected += tests.joined(separator: "\n\n") + "\n}\n"
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "CopiedTests.swift")
        if ProcessInfo.processInfo.environment["PENSTOCK_COPY"] != nil {
          try expected.write(to: file, atomically: true, encoding: .utf8)
        }
        let found = try String(contentsOf: file, encoding: .utf8)
        #expect(found == expected, "PENSTOCK_COPY=1 writes the file anew")
      }
    }

    @Test func `What is copied passes with the times at which the signals have passed`() async {
      await #expect(processExitsWith: .success) { () async throws in
        for copied in Copied.all {
          let test = try await copied.record().marbleTest(of: copied.name)
          try copiedDiagram(test).verify { $0.source() }
        }
      }
    }

    @Test func `A copied test fails when its source is changed`() async {
      await #expect(processExitsWith: .success) { () async throws in
        let test = try await Copied.all[0].record().marbleTest(of: "values")
        #expect(throws: MarbleMismatch.self) { try copiedDiagram(test).verify { $0.source().dropFirst() } }
      }
    }

    @Test func `Nothing recorded is a test, too`() throws {
      let test = Inspector.Recording(signals: [], earlier: 0).marbleTest(of: "nothing")
      try copiedDiagram(test).verify { $0.source() }
    }
  }
}

/// The diagram in the source text of a test.
private func copiedDiagram(_ test: String) throws -> MarbleDiagram {
  let parts = test.components(separatedBy: "\"\"\"")
  try #require(parts.count == 3, "\(test)")
  return try MarbleDiagram(parts[1].split(separator: "\n").map { $0.drop { $0 == " " } }.joined(separator: "\n"))
}
