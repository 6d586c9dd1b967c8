// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import Penstock
import PenstockInspector
import PenstockOperators
import PenstockTesting
import TestSupport
import Testing

extension InspectorTests {
  /// Tests of the texts that a place keeps for the values that have passed it, and of the test that is made from two
  /// places.
  @Suite struct RecordingTests {
    @Test func `What has passed two places is a marble test that passes`() async {
      await #expect(processExitsWith: .success) { () async throws in
        let words = PassthroughSubject<String, TestError>()
        let cancellable = words.inspected("in", describing: \.self).removeDuplicates().map { $0 + "!" }
          .inspected("out") { $0 }
          .sink(receiveCompletion: { _ in }, receiveValue: { _ in })
        for word in ["g", "ga", "ga", "gate", "it's \\ two\nlines"] { words.send(word) }
        let stream = try #require(Inspector.snapshot()["in"])
        let test = try stream.marbleTest(from: "in", to: "out")
        try diagram(test).verify { $0.source().removeDuplicates().map { $0 + "!" } }
        #expect(test.contains("[g'ga''ga''gate''it�s � two�lines']"), "\(test)")
        #expect(throws: (any Error).self) { try diagram(test).verify { $0.source().map { $0 + "!" } } }
        withExtendedLifetime(cancellable) {}
      }
    }

    @Test func `The end is recorded, and which one`() async {
      await #expect(processExitsWith: .success) { () async throws in
        for (completion, end) in [(Subscribers.Completion<TestError>.finished, "|"), (.failure(.oops), "#")] {
          let numbers = CurrentValueSubject<Int, TestError>(7)
          // The chain after these places continues; otherwise the stream would not be shown any more.
          let cancellable = numbers.inspected("end", describing: String.init).catch { _ in Empty() }
            .append(Empty(completeImmediately: false)).inspected("after", describing: String.init).sink { _ in }
          let stage = try #require(Inspector.snapshot()["end"])
          numbers.send(completion: completion)
          #expect(try stage.marbleTest(from: "end", to: "after").contains("source    7\n"))
          #expect(Inspector.snapshot()["end"] == nil, "\(end): a link that has ended is not shown")
          withExtendedLifetime(cancellable) {}
        }
      }
    }

    @Test func `The latest 32 signals are kept, and how many went before them`() async {
      await #expect(processExitsWith: .success) { () async throws in
        let numbers = PassthroughSubject<Int, Never>()
        let cancellable = numbers.inspected("many", describing: String.init).sink { _ in }
        for number in 0..<40 { numbers.send(number) }
        let recording = try #require(Inspector.snapshot()["many"]?["many"]?.described)
        #expect(recording.signals.map(\.kind) == (8..<40).map { .value("\($0)") })
        #expect(recording.earlier == 8)
        withExtendedLifetime(cancellable) {}
      }
    }

    @Test func `A place without texts, or none of that name, is an error that says what to do`() async {
      await #expect(processExitsWith: .success) { () async throws in
        let numbers = PassthroughSubject<Int, Never>()
        let cancellable = numbers.inspected("plain").sink { _ in }
        let stream = try #require(Inspector.snapshot()["plain"])
        #expect {
          try stream.marbleTest(from: "plain", to: "plain")
        } throws: {
          "\($0)" == "“plain” keeps no texts of its values: use inspected(_:describing:) there"
        }
        #expect {
          try stream.marbleTest(from: "other", to: "plain")
        } throws: {
          "\($0)".hasPrefix("no link of the stream is called “other”")
        }
        withExtendedLifetime(cancellable) {}
      }
    }

    @Test func `Values are not described unless somebody asks for it`() async {
      await #expect(processExitsWith: .success) { () async throws in
        let numbers = PassthroughSubject<Int, Never>()
        let cancellable = numbers.inspected("private").sink { _ in }
        numbers.send(4_711)
        #expect(!Inspector.snapshot().json.contains("4711") && !"\(Inspector.snapshot())".contains("4711"))
        withExtendedLifetime(cancellable) {}
      }
    }
  }
}

/// The diagram in the source text of a test.
private func diagram(_ test: String) throws -> MarbleDiagram {
  let parts = test.components(separatedBy: "\"\"\"")
  try #require(parts.count == 3, "\(test)")
  return try MarbleDiagram(parts[1].split(separator: "\n").map { $0.drop { $0 == " " } }.joined(separator: "\n"))
}
