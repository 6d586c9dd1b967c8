// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import TestSupport
import Testing

@Suite struct PrefixWhileBehaviorTests {
  @Test(arguments: [(PrefixWhileBehavior.inclusive, [1, 2, 30]), (.exclusive, [1, 2])])
  func `The value that does not satisfy the predicate is the last, or left out`(
    _ behavior: PrefixWhileBehavior, _ expected: [Int]
  ) {
    let recorder = Recorder<Int, TestError>()
    let publisher = ManualPublisher<Int, TestError>()
    publisher.prefix(while: { $0 < 10 }, behavior: behavior).subscribe(recorder)
    for value in [1, 2, 30, 4] { publisher.send(value) }
    publisher.send(completion: .failure(.oops))
    #expect(recorder.values == expected && recorder.completions == [.finished])
    #expect(publisher.calls == [.requested(.unlimited), .cancelled])
  }

  @Test func `Demand passes, and an earlier end is forwarded`() {
    let recorder = Recorder<Int, TestError>(demand: .max(1), answering: .max(2))
    let publisher = ManualPublisher<Int, TestError>()
    publisher.prefix(while: { $0 < 10 }, behavior: .inclusive).subscribe(recorder)
    #expect(publisher.send(1) == .max(2))
    publisher.send(completion: .failure(.oops))
    #expect(recorder.completions == [.failure(.oops)])
    #expect(publisher.calls == [.requested(.max(1))])
  }

  @Test func `A cancel during the last value is the end`() {
    let recorder = Recorder<Int, Never>()
    recorder.onValue = { [unowned recorder] value in
      if value == 3 { recorder.cancel() }
      return .none
    }
    (1...5).publisher.prefix(while: { $0 < 3 }, behavior: .inclusive).subscribe(recorder)
    #expect(recorder.values == [1, 2, 3] && recorder.completions.isEmpty)
  }

  @Test func `Without a behaviour it is Combine's operator`() {
    let prefix: Publishers.PrefixWhile = [1].publisher.eraseToAnyPublisher().prefix { $0 < 10 }
    #expect("\(type(of: prefix))".contains("PrefixWhile"))
  }
}
