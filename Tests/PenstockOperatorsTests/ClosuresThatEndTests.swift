// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import PenstockTesting
import TestSupport
import Testing

/// A number whose comparisons call.
private struct CallingNumber: Hashable {
  let value: Int
  let call: () -> Void

  static func == (a: Self, b: Self) -> Bool {
    a.call()
    return a.value == b.value
  }

  func hash(into hasher: inout Hasher) {
    call()
    value.hash(into: &hasher)
  }
}

private let kept = Canary()

private func just(_ value: Int) -> Result<Int, TestError>.Publisher { .init(value) }

extension ClosureForm {
  static let all = splitting + mapping + flattening + combining + buffering + timing

  static let splitting: [ClosureForm] = [
    .init("collect(while:), ending none") { source, bench in
      source.collect { _ in
        bench.call()
        return true
      }
    },
    .init("collect(while:), ending all") { source, bench in
      source.collect { _ in
        bench.call()
        return false
      }
    },
    .init("chunked(by:), ending none") { source, bench in
      source.chunked(by: { _, _ in
        bench.call()
        return true
      })
    },
    .init("chunked(by:), ending all") { source, bench in
      source.chunked(by: { _, _ in
        bench.call()
        return false
      })
    },
    .init("chunked(on:)") { source, bench in
      source.chunked(on: { (value: Int) -> Int in
        bench.call()
        return value
      })
    },
    .init("chunked(on:), compared") { source, bench in
      source.chunked(on: { CallingNumber(value: $0, call: bench.call) })
    },
    .init("grouped, flattened") { source, bench in
      source.grouped { (value: Int) -> Int in
        bench.call()
        return value % 2
      }
      .flatMap { $0 }
    },
    .init("grouped, the groups") { source, bench in
      source.grouped { (value: Int) -> Int in
        bench.call()
        return value
      }
    },
    .init("grouped, dropping") { source, bench in
      source.grouped(
        by: { (value: Int) -> Int in
          bench.call()
          return value % 2
        }, whenFull: .dropOldest
      )
      .flatMap { $0 }
    },
    .init("partition, matches") { source, bench in
      source.partition { _ in
        bench.call()
        return true
      }.matches
    },
    .init("partition, the others") { source, bench in
      source.partition { _ in
        bench.call()
        return false
      }.nonMatches
    },
  ]

  static let mapping: [ClosureForm] = [
    .init("scan(into:)") { source, bench in
      source.scan(into: 0) {
        bench.call()
        $0 += $1
      }
    },
    .init("mapMany") { source, bench in
      source.map { [$0] }.mapMany { (value: Int) -> Int in
        bench.call()
        return value
      }
    },
    .init("filterMany") { source, bench in
      source.map { [$0] }.filterMany { _ in
        bench.call()
        return true
      }
    },
    .init("tryMap(skippingFailures:)") { source, bench in
      source.tryMap(skippingFailures: { _, _ in }) { (value: Int) throws -> Int in
        bench.call()
        return value
      }
    },
    .init("withUnretained") { source, bench in
      source.withUnretained(kept) { (_: Canary, value: Int) -> Int in
        bench.call()
        return value
      }
    },
    .init("removeAllDuplicates(by:)") { source, bench in
      source.removeAllDuplicates { (_: Int, _: Int) -> Bool in
        bench.call()
        return false
      }
    },
    .init("removeAllDuplicates") { source, bench in
      source.map { CallingNumber(value: $0, call: bench.call) }.removeAllDuplicates()
    },
    .init("prefix(while:behavior:)") { source, bench in
      source.prefix(
        while: { _ in
          bench.call()
          return true
        }, behavior: .exclusive)
    },
    .init("prefix(while:behavior:), with the last one") { source, bench in
      source.prefix(
        while: {
          bench.call()
          return $0 < 3
        }, behavior: .inclusive)
    },
  ]

  static let flattening: [ClosureForm] = [
    .init("concatMap") { source, bench in
      source.concatMap { (value: Int) -> Result<Int, TestError>.Publisher in
        bench.call()
        return just(value)
      }
    },
    .init("flatMapFirst") { source, bench in
      source.flatMapFirst { (value: Int) -> Result<Int, TestError>.Publisher in
        bench.call()
        return just(value)
      }
    },
    .init("flatMapSequential") { source, bench in
      source.flatMapSequential { (value: Int) -> Result<Int, TestError>.Publisher in
        bench.call()
        return just(value)
      }
    },
    .init("flatMapLatest") { source, bench in
      source.flatMapLatest { (value: Int) -> Result<Int, TestError>.Publisher in
        bench.call()
        return just(value)
      }
    },
    .init("expand") { source, bench in
      source.expand { (value: Int) -> Optional<Int>.Publisher in
        bench.call()
        return .init(value > 0 ? -value : nil)
      }
    },
    .init("expand, one at a time") { source, bench in
      source.expand(maxPublishers: .max(1)) { (value: Int) -> Optional<Int>.Publisher in
        bench.call()
        return .init(value > 0 ? -value : nil)
      }
    },
  ]

  static let combining: [ClosureForm] = [
    .init("withLatestFrom") { source, bench in
      source.withLatestFrom(just(1)) { (value: Int, other: Int) -> Int in
        bench.call()
        return value + other
      }
    },
    .init("withLatestFrom, resultSelector") { source, bench in
      source.withLatestFrom(
        just(1),
        resultSelector: { (value: Int, other: Int) -> Int in
          bench.call()
          return value + other
        })
    },
    .init("withLatestFrom of several") { source, bench in
      source.withLatestFrom(just(1), just(2)) { (value: Int, others: (Int, Int)) -> Int in
        bench.call()
        return value + others.0
      }
    },
    .init("sequenceEqual(by:)") { source, bench in
      source.sequenceEqual(Publishers.Sequence<[Int], TestError>(sequence: [1, 2, 3, 3, 1])) {
        (a: Int, b: Int) -> Bool in
        bench.call()
        return a == b
      }
    },
    .init("single(failingWith:)") { source, bench in
      source.single { (_: SingleValueError) -> TestError in
        bench.call()
        return .oops
      }
    },
  ]

  static let buffering: [ClosureForm] = [
    .init("coalesce") { source, bench in
      source.coalesce { (a: Int, b: Int) -> Int in
        bench.call()
        return a + b
      }
    },
    .init("coalesce(into:)") { source, bench in
      source.coalesce(into: 0) { (sum: inout Int, value: Int) in
        bench.call()
        sum += value
      }
    },
    .init("buffer(weight:)") { source, bench in
      source.buffer(weight: 9, resumingAt: 3) { _ in
        bench.call()
        return 1
      }
    },
  ]

  static let timing: [ClosureForm] = [
    .init("collect(upTo:weight:)") { source, bench in
      source.collect(upTo: 2, weight: 9, within: 5, scheduler: bench.clock) { _ in
        bench.call()
        return 1
      }
    },
    .init("collect(upTo:weight:), at once") { source, bench in
      source.collect(upTo: 1, weight: 9, within: 5, scheduler: ImmediateScheduler.shared) { _ in
        bench.call()
        return 1
      }
    },
    .init("pace, by cost") { source, bench in
      source.pace(9, per: .seconds(1), burst: 9, scheduler: bench.clock) { _ in
        bench.call()
        return 1
      }
    },
    .init("debounce, by value") { source, bench in
      source.debounce(
        for: { _ in
          bench.call()
          return 0
        }, scheduler: ImmediateScheduler.shared)
    },
    .init("debounce, by value, later") { source, bench in
      source.debounce(
        for: { _ in
          bench.call()
          return .seconds(0.5)
        }, scheduler: bench.clock)
    },
    .init("throttle, reducing") { source, bench in
      source.throttle(for: 3, scheduler: bench.clock) { (a: Int, b: Int) -> Int in
        bench.call()
        return a + b
      }
    },
  ]
}

/// Rules 1 and 5 of the contract, at a subscriber that checks nothing itself; `sink` and `assign` do.
@Suite struct ClosuresThatEndTests {
  @Test(arguments: ClosureForm.all, ClosureForm.Interruption.allCases)
  func `Nothing follows when the closure that handles a value has ended the stream`(
    _ form: ClosureForm, _ interruption: ClosureForm.Interruption
  ) {
    #expect(form.complaints(interruption) == [])
  }

  @Test func `A closure of generate that cancels makes no further value`() {
    let recorder = Recorder<Int, Never>()
    Publishers.generate(state: 0) { (state: inout Int) -> Int? in
      state += 1
      if state == 3 { recorder.cancel() }
      return state
    }.subscribe(recorder)
    #expect(recorder.values == [1, 2])
    #expect(recorder.complaints.isEmpty)
  }
}

/// What else a stream delivers when a closure ends it.
@Suite struct EndDuringAValueTests {
  @Test func `A failure during the predicate of collect(while:) drops what has been collected`() {
    let subject = PassthroughSubject<Int, TestError>()
    let recorder = Recorder<[Int], TestError>()
    subject.collect { (value: Int) -> Bool in
      if value == 2 { subject.send(completion: .failure(.oops)) }
      return value < 2
    }.subscribe(recorder)
    subject.send(1)
    subject.send(2)
    #expect(recorder.values.isEmpty)
    #expect(recorder.completions == [.failure(.oops)])
  }

  @Test func `An end during the predicate of chunked(by:) publishes what has been collected, and no empty array`() {
    let subject = PassthroughSubject<Int, TestError>()
    let recorder = Recorder<[Int], TestError>()
    subject.chunked(by: { _, _ in
      subject.send(completion: .finished)
      return false
    }).subscribe(recorder)
    subject.send(1)
    subject.send(2)
    #expect(recorder.values == [[1]])
    #expect(recorder.completions == [.finished])
    #expect(recorder.complaints.isEmpty)
  }

  @Test func `A cancel during the closure of coalesce(into:) is final at any demand`() {
    for demand in [Subscribers.Demand.unlimited, .max(1), .max(2)] {
      let subject = PassthroughSubject<Int, TestError>()
      let recorder = Recorder<[Int], TestError>(demand: demand)
      subject.coalesce(into: [Int]()) { (all: inout [Int], value: Int) in
        if value == 2 { recorder.cancel() }
        all.append(value)
      }.subscribe(recorder)
      subject.send(1)
      subject.send(2)
      #expect(recorder.values == [[1]])
      recorder.dismiss()
    }
  }
}
