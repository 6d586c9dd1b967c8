// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockConcurrency
import PenstockCore
import PenstockInspector
import PenstockTesting
import TestSupport
import Testing

extension InspectorTests {
  /// Pipelines that are checked for data races.
  @Suite struct CheckedTests {
    @Test func `Places of a checked pipeline have names, and its recording is a test`() async {
      await #expect(processExitsWith: .success) { () async throws in
        let numbers = PassthroughSubject<Int, Never>()
        let cancellable = numbers.sendable.inspected("numbers").map { $0 * 2 }
          .inspected("doubled") { "\($0)" }.inspected("shown") { "\($0)" }.sink { _ in }
        for number in 1...2 { numbers.send(number) }
        let stream = try #require(Inspector.snapshot()["doubled"])
        #expect(stream["numbers"]?.counts?.values == 2)
        #expect(stream["doubled"]?.label?.file.hasSuffix("CheckedTests.swift") == true)
        #expect(try stream.marbleTest(from: "doubled", to: "shown").contains("[24]"))
        withExtendedLifetime(cancellable) {}
      }
    }

    @Test func `What is discarded in a checked pipeline is told`() async {
      await #expect(processExitsWith: .success) { () async throws in
        let numbers = PassthroughSubject<Int, Never>()
        let told = Locked<[String]>([])
        let recorder = Recorder<Int, Never>(demand: .max(1))
        numbers.sendable
          .handleDiscarded(of: Any.self) { value, reason in told.change { $0.append("all \(value) \(reason)") } }
          .handleDiscarded { value, reason in told.change { $0.append("\(value) \(reason)") } }
          .publisher.subscribe(recorder)
        for number in 1...2 { numbers.send(number) }
        #expect(told.value.sorted() == ["2 withoutDemand", "all 2 withoutDemand"])
        #expect(recorder.values == [1])
        recorder.cancel()
      }
    }
  }
}
