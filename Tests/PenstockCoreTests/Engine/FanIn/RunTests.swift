// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// Numbers whose iterator the library does not know, so that it is asked for each only when the previous one has been
/// delivered.
private struct Unknown: Sequence, Sendable {
  let count: Int

  struct Iterator: IteratorProtocol {
    let count: Int
    var last = 0

    mutating func next() -> Int? {
      if last == count { return nil }
      last += 1
      return last
    }
  }

  func makeIterator() -> Iterator { Iterator(count: count) }
}

/// Sources that deliver many values to an operator with several upstreams while it is in its loop.
@Suite struct RunTests {
  private typealias Numbers = Publishers.Sequence<[Int], TestError>

  private static let known = Fusible("an array") { _ in Numbers(sequence: [1, 2, 3, 4]) }
  private static let unknown = Fusible("a sequence of the user's") { _ in
    Publishers.Sequence<Unknown, TestError>(sequence: Unknown(count: 4))
  }

  @Test(arguments: [JoiningScene.quiet, JoiningScene.interrupted])
  func `A run of values beside a subject or after it has the consequences of one value after the other`(
    _ scenes: [JoiningScene]
  ) {
    for scene in scenes {
      let expected = Self.unknown.happenings(in: scene, hidden: true)
      #expect(Self.known.happenings(in: scene, hidden: true) == expected, "\(scene)")
    }
  }

  @Test func `A run of values of an inner publisher has the consequences of one value after the other`() {
    for scene in FlatteningScene.all {
      let expected = Self.unknown.happenings(in: scene, hidden: true)
      #expect(Self.known.happenings(in: scene, hidden: true) == expected, "\(scene)")
    }
  }

  enum Kind: CaseIterable, Sendable {
    case merge, flatMap, fusedMerge
  }

  /// A thousand numbers, beside a subject that has been subscribed to before.
  private static func numbers(
    beside other: PassthroughSubject<Int, TestError>, _ kind: Kind, to recorder: Recorder<Int, TestError>
  ) {
    let numbers = Numbers(sequence: Array(1...1_000))
    switch kind {
    case .merge: other.merge(with: Hidden(numbers)).subscribe(recorder)
    case .fusedMerge: other.merge(with: numbers).subscribe(recorder)
    case .flatMap:
      let outer = [other.eraseToAnyPublisher(), Hidden(numbers).eraseToAnyPublisher()].publisher
      outer.setFailureType(to: TestError.self).flatMap { $0 }.subscribe(recorder)
    }
  }

  @Test(arguments: Kind.allCases)
  func `A value that another thread sends comes next, and not after the whole run`(_ kind: Kind) {
    let other = PassthroughSubject<Int, TestError>()
    let recorder = Recorder<Int, TestError>()
    recorder.onValue = { value in
      if value == 10 || value == 500 { elsewhere { other.send(-value) } }
      return .none
    }
    Self.numbers(beside: other, kind, to: recorder)
    other.send(completion: .finished)
    #expect(recorder.values == [Array(1...10), [-10], Array(11...500), [-500], Array(501...1_000)].flatMap(\.self))
    #expect(recorder.isFinished)
    #expect(recorder.isSerial)
    #expect(recorder.complaints.isEmpty)
  }

  @Test(arguments: Kind.allCases, [false, true])
  func `A cancel or a failure ends a run after the value that is being delivered`(_ kind: Kind, _ isFailing: Bool) {
    let other = PassthroughSubject<Int, TestError>()
    let recorder = Recorder<Int, TestError>()
    recorder.onValue = { value in
      if value == 3, isFailing { elsewhere { other.send(completion: .failure(.oops)) } }
      if value == 3, !isFailing { elsewhere { recorder.cancel() } }
      return .none
    }
    Self.numbers(beside: other, kind, to: recorder)
    #expect(recorder.values == [1, 2, 3])
    #expect(recorder.events.last == (isFailing ? .completion(.failure(.oops)) : .value(3)))
    #expect(recorder.complaints.isEmpty)
  }

  @Test(arguments: Kind.allCases)
  func `Each thread's values keep their order, and nothing is lost`(_ kind: Kind) {
    for _ in 1...20 {
      let other = PassthroughSubject<Int, TestError>()
      let recorder = Recorder<Int, TestError>()
      let started = Gate()
      recorder.onValue = { value in
        if value == 1 { started.open() }
        return .none
      }
      onThreads(2) { thread in
        if thread == 0 {
          Self.numbers(beside: other, kind, to: recorder)
        } else {
          started.wait()
          for number in 1...500 { other.send(-number) }
          other.send(completion: .finished)
        }
      }
      #expect(recorder.values.filter { $0 > 0 } == Array(1...1_000))
      #expect(recorder.values.filter { $0 < 0 } == (1...500).map { -$0 })
      #expect(recorder.isFinished)
      #expect(recorder.isSerial)
      #expect(recorder.complaints.isEmpty)
    }
  }
}
