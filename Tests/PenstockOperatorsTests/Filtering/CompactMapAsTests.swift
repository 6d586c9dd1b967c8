// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import TestSupport
import Testing

@Suite struct CompactMapAsTests {
  private class Animal {}
  private final class Cat: Animal {}

  @Test func `Values of the type pass, and others are skipped and replaced`() {
    let recorder = Recorder<Int, TestError>(demand: .max(1))
    let publisher = ManualPublisher<Any, TestError>()
    publisher.compactMap(as: Int.self).subscribe(recorder)
    #expect(publisher.send("one") == .max(1))
    #expect(publisher.send(2) == .none)
    #expect(publisher.send(3.0) == .max(1))
    publisher.send(completion: .failure(.oops))
    #expect(recorder.values == [2] && recorder.completions == [.failure(.oops)])
  }

  @Test func `A type is a class, a protocol or an optional, too`() {
    let animals = [Animal(), Cat()].publisher
    #expect(count(animals.compactMap(as: Cat.self)) == 1)
    #expect(count(animals.compactMap(as: (any AnyObject).self)) == 2)
    #expect(count([1, nil].publisher.compactMap(as: Int.self)) == 1)
  }

  private func count<P: Publisher>(_ publisher: P) -> Int where P.Failure == Never {
    var count = 0
    _ = publisher.sink { _ in count += 1 }
    return count
  }
}
