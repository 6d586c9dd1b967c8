// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

// See JustOperatorsTests.swift for why results have names.

private typealias Outcome<Success> = Result<Success, TestError>

@Suite struct ResultOperatorsTests {
  private let success = Outcome.success(2).publisher
  private let failure = Outcome<Int>.failure(.oops).publisher

  @Test func `Mapping gives another value`() {
    let mapped = success.map { "\($0)" }
    #expect(mapped == Outcome.Publisher("2"))
    let scanned = success.scan(10, -)
    #expect(scanned == Outcome.Publisher(8))
    let reduced = success.reduce(10, -)
    #expect(reduced == Outcome.Publisher(8))
    let collected = success.collect()
    #expect(collected == Outcome.Publisher([2]))
    let count = success.count()
    #expect(count == Outcome.Publisher(1))
  }

  @Test func `Questions are answered with a value`() {
    let contains = success.contains(2)
    #expect(contains == Outcome.Publisher(true))
    let lacks = success.contains(3)
    #expect(lacks == Outcome.Publisher(false))
    let containsWhere = success.contains { $0 > 1 }
    #expect(containsWhere == Outcome.Publisher(true))
    let all = success.allSatisfy { $0 > 2 }
    #expect(all == Outcome.Publisher(false))
  }

  @Test func `A failure stays one, and no closure runs`() {
    let mapped = failure.map { _ -> String in fatalError() }
    #expect(mapped == Outcome.Publisher(.oops))
    let scanned = failure.scan(10) { _, _ -> Int in fatalError() }
    #expect(scanned == failure)
    let reduced = failure.reduce(10) { _, _ -> Int in fatalError() }
    #expect(reduced == failure)
    let collected = failure.collect()
    #expect(collected == Outcome.Publisher(.oops))
    let count = failure.count()
    #expect(count == failure)
    let contains = failure.contains(2)
    #expect(contains == Outcome.Publisher(.oops))
    let containsWhere = failure.contains { _ in fatalError() }
    #expect(containsWhere == Outcome.Publisher(.oops))
    let all = failure.allSatisfy { _ in fatalError() }
    #expect(all == Outcome.Publisher(.oops))
  }

  @Test func `What changes nothing about one result returns the publisher`() {
    for source in [success, failure] {
      let results = [
        source.min(), source.max(), source.first(), source.last(), source.removeDuplicates(),
        source.replaceEmpty(with: 9), source.retry(3),
        source.min { _, _ in fatalError() }, source.max { _, _ in fatalError() },
        source.removeDuplicates { _, _ in fatalError() },
      ]
      #expect(results == Array(repeating: source, count: 10))
    }
  }

  @Test func `Failures can be changed and replaced`() {
    let renamed = failure.mapError { TestError($0.text + "!") }
    #expect(renamed == Outcome.Publisher(TestError("oops!")))
    let untouched = success.mapError { _ -> TestError in fatalError() }
    #expect(untouched == success)
    let replaced = failure.replaceError(with: 9)
    #expect(replaced == Result<Int, Never>.Publisher(9))
    let kept = success.replaceError(with: 9)
    #expect(kept == Result<Int, Never>.Publisher(2))
    let typed = Result<Int, Never>.success(2).publisher.setFailureType(to: TestError.self)
    #expect(typed == success)
  }

  @Test func `Ignoring the value drops the failure as well`() {
    let ignored = success.ignoreOutput()
    #expect(ignored == Empty<Int, TestError>())
    let ignoredFailure = failure.ignoreOutput()
    #expect(ignoredFailure == Empty<Int, TestError>())
    #expect(delivered(by: ignoredFailure).completions == [.finished])
  }

  // MARK: Throwing

  @Test func `Throwing forms give the value`() {
    #expect(success.tryMap { $0 + 1 }.value == 3)
    #expect(success.tryScan(10) { $0 - $1 }.value == 8)
    #expect(success.tryReduce(10) { $0 - $1 }.value == 8)
    #expect(success.tryAllSatisfy { $0 > 2 }.value == false)
    #expect(success.tryContains { $0 > 1 }.value == true)
    #expect(success.tryRemoveDuplicates { _, _ in true }.value == 2)
    #expect(success.tryMin { _, _ in true }.value == 2)
    #expect(success.tryMax { _, _ in false }.value == 2)
  }

  @Test func `What a throwing form throws becomes the failure`() {
    func fail(_: Any...) throws -> Bool { throw TestError("thrown") }
    let thrown = TestError("thrown")
    #expect(success.tryMap { try fail($0) }.thrown == thrown)
    #expect(success.tryScan(10) { try fail($0, $1) ? 1 : 0 }.thrown == thrown)
    #expect(success.tryReduce(10) { try fail($0, $1) ? 1 : 0 }.thrown == thrown)
    #expect(success.tryAllSatisfy { try fail($0) }.thrown == thrown)
    #expect(success.tryContains { try fail($0) }.thrown == thrown)
    #expect(success.tryRemoveDuplicates { try fail($0, $1) }.thrown == thrown)
    #expect(success.tryMin { try fail($0, $1) }.thrown == thrown)
    #expect(success.tryMax { try fail($0, $1) }.thrown == thrown)
  }

  @Test func `A failure goes through a throwing form, and no closure runs`() {
    #expect(failure.tryMap { _ -> Int in fatalError() }.thrown == .oops)
    #expect(failure.tryScan(10) { _, _ -> Int in fatalError() }.thrown == .oops)
    #expect(failure.tryReduce(10) { _, _ -> Int in fatalError() }.thrown == .oops)
    #expect(failure.tryAllSatisfy { _ in fatalError() }.thrown == .oops)
    #expect(failure.tryContains { _ in fatalError() }.thrown == .oops)
    #expect(failure.tryRemoveDuplicates { _, _ in fatalError() }.thrown == .oops)
    #expect(failure.tryMin { _, _ in fatalError() }.thrown == .oops)
    #expect(failure.tryMax { _, _ in fatalError() }.thrown == .oops)
  }

  @Test func `One value is compared with itself once, where that may throw`() {
    var compared: [[Int]] = []
    let note = { (first: Int, second: Int) throws -> Bool in
      compared.append([first, second])
      return true
    }
    _ = success.tryRemoveDuplicates(by: note)
    _ = success.tryMin(by: note)
    _ = success.tryMax(by: note)
    #expect(compared == [[2, 2], [2, 2], [2, 2]])
  }

  // MARK: When closures run

  @Test func `Closures run once, when the operator is applied`() {
    let (success, failure) = (success, failure)
    let counts = [
      runs { run in
        success.map { value in
          run(); return value
        }
      },
      runs { run in
        success.tryMap { value in
          run(); return value
        }
      },
      runs { run in
        success.scan(0) { _, value in
          run(); return value
        }
      },
      runs { run in
        success.tryScan(0) { _, value in
          run(); return value
        }
      },
      runs { run in
        success.reduce(0) { _, value in
          run(); return value
        }
      },
      runs { run in
        success.tryReduce(0) { _, value in
          run(); return value
        }
      },
      runs { run in
        success.allSatisfy { _ in
          run(); return true
        }
      },
      runs { run in
        success.tryAllSatisfy { _ in
          run(); return true
        }
      },
      runs { run in
        success.contains { _ in
          run(); return true
        }
      },
      runs { run in
        success.tryContains { _ in
          run(); return true
        }
      },
      runs { run in
        failure.mapError { error in
          run(); return error
        }
      },
    ]
    #expect(counts == Array(repeating: [1, 1], count: 11))
  }
}
