// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// The particular behaviour of `min`, `max` and their twins, beyond `CollectingRules`.
@Suite struct ComparisonTests {
  /// A number to compare, and a letter that distinguishes equal numbers.
  private struct Entry: Comparable {
    let key: Int
    let name: String

    static func < (lhs: Entry, rhs: Entry) -> Bool { lhs.key < rhs.key }
    static func == (lhs: Entry, rhs: Entry) -> Bool { lhs.key == rhs.key }
  }

  /// The results of the eight ways to compare, by name.
  private func names(_ entries: [(Int, String)]) -> [String] {
    let subject = PassthroughSubject<Entry, Never>()
    var names: [String] = []
    var cancellables: Set<AnyCancellable> = []
    func note(_ publisher: some Publisher<Entry, any Error>) {
      publisher.sink(receiveCompletion: { _ in }, receiveValue: { names.append($0.name) }).store(in: &cancellables)
    }
    let failing = subject.setFailureType(to: (any Error).self)
    note(failing.min())
    note(failing.min(by: <))
    note(failing.tryMin(by: <))
    note(failing.max())
    note(failing.max(by: <))
    note(failing.tryMax(by: <))
    note(failing.max(by: >))
    note(failing.min(by: >))
    for (key, name) in entries { subject.send(Entry(key: key, name: name)) }
    subject.send(completion: .finished)
    return names
  }

  @Test func `The smallest and the largest are found wherever they stand`() {
    let least = Array(repeating: "low", count: 3)
    let most = Array(repeating: "high", count: 3)
    let expected = least + most + ["low", "high"]
    #expect(names([(1, "low"), (5, "middle"), (9, "high")]) == expected)
    #expect(names([(9, "high"), (5, "middle"), (1, "low")]) == expected)
    #expect(names([(5, "middle"), (1, "low"), (9, "high"), (6, "middle")]) == expected)
  }

  @Test func `Of equal ones the first is kept`() {
    #expect(names([(1, "first"), (1, "second"), (1, "third")]) == Array(repeating: "first", count: 8))
  }

  @Test func `A single value is the result without being compared`() {
    var calls = 0
    let recorder = Recorder<Int, Never>()
    let publisher = ManualPublisher<Int, Never>()
    publisher.max { _, _ in
      calls += 1
      return true
    }.subscribe(recorder)
    publisher.send(1)
    publisher.send(completion: .finished)
    #expect(recorder.values == [1])
    #expect(calls == 0)
  }

  @Test func `The closure gets the value so far and the new one; the other way round for the minimum`() throws {
    var calls: [[Int]] = []
    func note(_ a: Int, _ b: Int) -> Bool {
      calls.append([a, b])
      return false
    }
    #expect(
      !Publishers.Comparison(upstream: Empty<Int, Never>(), areInIncreasingOrder: note).areInIncreasingOrder(1, 2))
    let publisher = ManualPublisher<Int, Never>()
    for comparison in [publisher.max(by: note), publisher.min(by: note)] {
      comparison.subscribe(Recorder<Int, Never>())
      publisher.send(1)
      publisher.send(2)
    }
    for comparison in [publisher.tryMax(by: note), publisher.tryMin(by: note)] {
      comparison.subscribe(Recorder<Int, any Error>())
      publisher.send(1)
      publisher.send(2)
    }
    #expect(calls == [[1, 2], [1, 2], [2, 1], [1, 2], [2, 1]])
  }
}
