// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// Depths and lengths that must not use stack.
@Suite struct SequentialStackTests {
  private typealias Stream = AnyPublisher<Int, TestError>

  @Test func `A hundred thousand attempts that fail at once leave the stack as it was`() {
    let made = Locked(0)
    onSmallStack(kibibytes: 256) {
      let recorder = Recorder<Int, TestError>()
      Deferred {
        made.change { $0 += 1 }
        return Fail<Int, TestError>(error: .oops)
      }.retry(100_000).subscribe(recorder)
      if recorder.completions != [.failure(.oops)] { made.change { $0 = -1 } }
    }
    #expect(made.value == 100_001)
  }

  @Test func `A hundred thousand attempts that fail after a value leave the stack as it was`() {
    let values = Locked(0)
    onSmallStack(kibibytes: 256) {
      let recorder = Recorder<Int, TestError>(demand: .max(1), answering: .max(1))
      Record<Int, TestError>(output: [1], completion: .failure(.oops)).retry(100_000).subscribe(recorder)
      values.change { $0 = recorder.values.count }
    }
    #expect(values.value == 100_001)
  }

  enum Nesting: CaseIterable { case appended, prepended }

  enum Part: CaseIterable { case value, empty }

  /// A thousand levels are built, subscribed to, consumed and freed on a small stack.
  @Test(arguments: Nesting.allCases, Part.allCases)
  func `A thousand nested concatenations leave the stack as it was`(_ nesting: Nesting, _ part: Part) {
    let seen = Locked<[Int]>([])
    let ends = Locked(0)
    onSmallStack(kibibytes: 512) {
      let make = { (index: Int) -> Stream in
        part == .empty
          ? Empty().eraseToAnyPublisher() : Publishers.Sequence(sequence: [index]).eraseToAnyPublisher()
      }
      for answer in [Subscribers.Demand.none, .max(1)] {
        var stream = make(0)
        for index in 1...1_000 {
          stream =
            nesting == .appended
            ? stream.append(make(index)).eraseToAnyPublisher() : stream.prepend(make(index)).eraseToAnyPublisher()
        }
        let recorder = Recorder<Int, TestError>(demand: answer == .none ? .unlimited : .max(1), answering: answer)
        stream.subscribe(recorder)
        seen.change { $0 = recorder.values }
        ends.change { $0 += recorder.completions.count }
      }
    }
    let expected = nesting == .appended ? Array(0...1_000) : Array((0...1_000).reversed())
    #expect(seen.value == (part == .empty ? [] : expected))
    #expect(ends.value == 2)
  }

  @Test func `A cancel and a failure of a thousand nested concatenations leave the stack as it was`() {
    let ends = Locked(0)
    onSmallStack(kibibytes: 512) {
      for fails in [false, true] {
        let source = PassthroughSubject<Int, TestError>()
        var stream = source.eraseToAnyPublisher()
        for index in 1...1_000 { stream = stream.append(index).eraseToAnyPublisher() }
        let recorder = Recorder<Int, TestError>()
        stream.subscribe(recorder)
        source.send(1)
        if fails { source.send(completion: .failure(.oops)) } else { recorder.cancel() }
        ends.change { $0 += recorder.completions.count + recorder.values.count }
      }
    }
    #expect(ends.value == 3)
  }
}
