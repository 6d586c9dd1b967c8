// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

// Each result is bound to a name before it is compared, so that the compiler chooses the overload as it does for a
// user. The comparison then fails to compile if the chosen overload does not return a leaf publisher.

private typealias Maybe<Wrapped> = Wrapped?
private typealias Certain<Success> = Result<Success, Never>

@Suite struct JustOperatorsTests {
  // MARK: Values

  @Test func `Mapping gives another value`() {
    let mapped = Just(2).map { "\($0)" }
    #expect(mapped == Just("2"))
    let scanned = Just(2).scan(10, -)
    #expect(scanned == Certain.Publisher(8))
    let reduced = Just(2).reduce(10, -)
    #expect(reduced == Certain.Publisher(8))
  }

  @Test func `Changing the failure type keeps the value`() {
    let mapped = Just(2).mapError { (_: Never) -> TestError in }
    #expect(mapped == Result<Int, TestError>.Publisher(2))
    let typed = Just(2).setFailureType(to: TestError.self)
    #expect(typed == Result<Int, TestError>.Publisher(2))
  }

  @Test func `Filtering keeps the value or leaves none`() {
    let kept = Just(2).filter { $0 > 1 }
    #expect(kept == Maybe.Publisher(2))
    let dropped = Just(2).filter { $0 > 2 }
    #expect(dropped == Maybe.Publisher(nil))
    let mapped = Just("2").compactMap { Int($0) }
    #expect(mapped == Maybe.Publisher(2))
    let unmapped = Just("x").compactMap { Int($0) }
    #expect(unmapped == Maybe.Publisher(nil))
    let first = Just(2).first { $0 > 1 }
    #expect(first == Maybe.Publisher(2))
    let noFirst = Just(2).first { $0 > 2 }
    #expect(noFirst == Maybe.Publisher(nil))
    let last = Just(2).last { $0 > 1 }
    #expect(last == Maybe.Publisher(2))
    let noLast = Just(2).last { $0 > 2 }
    #expect(noLast == Maybe.Publisher(nil))
    let prefix = Just(2).prefix { $0 > 1 }
    #expect(prefix == Maybe.Publisher(2))
    let noPrefix = Just(2).prefix { $0 > 2 }
    #expect(noPrefix == Maybe.Publisher(nil))
    let rest = Just(2).drop { $0 > 2 }
    #expect(rest == Maybe.Publisher(2))
    let noRest = Just(2).drop { $0 > 1 }
    #expect(noRest == Maybe.Publisher(nil))
  }

  @Test(arguments: [0, 1, 2, Int.max])
  func `Counting operators keep the value or leave none`(_ count: Int) {
    let dropped = Just(7).dropFirst(count)
    #expect(dropped == Maybe.Publisher(count == 0 ? 7 : nil))
    let kept = Just(7).prefix(count)
    #expect(kept == Maybe.Publisher(count > 0 ? 7 : nil))
    let picked = Just(7).output(at: count)
    #expect(picked == Maybe.Publisher(count == 0 ? 7 : nil))
  }

  @Test func `One value is dropped unless the caller says otherwise`() {
    let dropped = Just(7).dropFirst()
    #expect(dropped == Maybe.Publisher(nil))
  }

  @Test(arguments: [(0..<5, true), (0..<0, true), (1..<5, false), (-1..<5, false), (-3 ..< -1, false)])
  func `A range picks the value if it begins at 0`(_ range: Range<Int>, _ hasValue: Bool) {
    let picked = Just(7).output(in: range)
    #expect(picked == Maybe.Publisher(hasValue ? 7 : nil))
  }

  @Test func `A range without a bound picks the value if it begins at 0`() {
    let from0 = Just(7).output(in: 0...)
    #expect(from0 == Maybe.Publisher(7))
    let from1 = Just(7).output(in: 1...)
    #expect(from1 == Maybe.Publisher(nil))
    let upTo0 = Just(7).output(in: ..<0)
    #expect(upTo0 == Maybe.Publisher(7))
    let through0 = Just(7).output(in: ...0)
    #expect(through0 == Maybe.Publisher(7))
    let closed = Just(7).output(in: 0...0)
    #expect(closed == Maybe.Publisher(7))
  }

  @Test func `Questions are answered with a value`() {
    let contains = Just(2).contains(2)
    #expect(contains == Just(true))
    let lacks = Just(2).contains(3)
    #expect(lacks == Just(false))
    let containsWhere = Just(2).contains { $0 > 1 }
    #expect(containsWhere == Just(true))
    let all = Just(2).allSatisfy { $0 > 2 }
    #expect(all == Just(false))
    let count = Just(2).count()
    #expect(count == Just(1))
    let collected = Just(2).collect()
    #expect(collected == Just([2]))
  }

  @Test func `What changes nothing about one value returns the publisher`() {
    let results = [
      Just(2).min(), Just(2).max(), Just(2).first(), Just(2).last(), Just(2).removeDuplicates(),
      Just(2).replaceEmpty(with: 9), Just(2).replaceError(with: 9), Just(2).retry(3), Just(2).retry(-1),
      Just(2).min { _, _ in fatalError() }, Just(2).max { _, _ in fatalError() },
      Just(2).removeDuplicates { _, _ in fatalError() },
    ]
    #expect(results == Array(repeating: Just(2), count: 12))
  }

  @Test func `Ignoring the value leaves an end`() {
    let ignored = Just(2).ignoreOutput()
    #expect(ignored == Empty<Int, Never>())
  }

  @Test func `Values before and behind make a sequence`() {
    let before = Just(3).prepend(1, 2)
    #expect(before == [1, 2, 3].publisher)
    let sequenceBefore = Just(3).prepend(1...2)
    #expect(sequenceBefore == [1, 2, 3].publisher)
    let nothingBefore = Just(3).prepend()
    #expect(nothingBefore == [3].publisher)
    let behind = Just(1).append(2, 3)
    #expect(behind == [1, 2, 3].publisher)
    let sequenceBehind = Just(1).append(Set([2]))
    #expect(sequenceBehind == [1, 2].publisher)
    let nothingBehind = Just(1).append()
    #expect(nothingBehind == [1].publisher)
  }

  // MARK: Throwing

  @Test func `Throwing forms give the value`() {
    #expect(Just(2).tryMap { $0 + 1 }.value == 3)
    #expect(Just(2).tryScan(10) { $0 - $1 }.value == 8)
    #expect(Just(2).tryReduce(10) { $0 - $1 }.value == 8)
    #expect(Just(2).tryAllSatisfy { $0 > 2 }.value == false)
    #expect(Just(2).tryContains { $0 > 1 }.value == true)
    #expect(Just(2).tryRemoveDuplicates { _, _ in true }.value == 2)
    #expect(Just(2).tryRemoveDuplicates { _, _ in false }.value == 2)
  }

  @Test func `What a throwing form throws becomes the failure`() {
    func fail(_: Any...) throws -> Bool { throw TestError.oops }
    #expect(Just(2).tryMap { try fail($0) }.thrown == .oops)
    #expect(Just(2).tryScan(10) { try fail($0, $1) ? 1 : 0 }.thrown == .oops)
    #expect(Just(2).tryReduce(10) { try fail($0, $1) ? 1 : 0 }.thrown == .oops)
    #expect(Just(2).tryAllSatisfy { try fail($0) }.thrown == .oops)
    #expect(Just(2).tryContains { try fail($0) }.thrown == .oops)
    #expect(Just(2).tryRemoveDuplicates { try fail($0, $1) }.thrown == .oops)
    let recorder = Recorder<Bool, any Error>(demand: nil)
    Just(2).tryMap { try fail($0) }.subscribe(recorder)
    #expect(recorder.subscriptionTexts == ["Empty"])
    #expect(recorder.completions.count == 1)
  }

  @Test func `Whether one value repeats itself is asked once, with the value twice`() {
    var asked: [[Int]] = []
    _ = Just(2).tryRemoveDuplicates { first, second in
      asked.append([first, second])
      return true
    }
    #expect(asked == [[2, 2]])
  }

  // MARK: When closures run

  @Test func `Closures run once, when the operator is applied`() {
    let counts = [
      runs { run in
        Just(1).map { value in
          run(); return value
        }
      },
      runs { run in
        Just(1).tryMap { value in
          run(); return value
        }
      },
      runs { run in
        Just(1).scan(0) { _, value in
          run(); return value
        }
      },
      runs { run in
        Just(1).tryScan(0) { _, value in
          run(); return value
        }
      },
      runs { run in
        Just(1).reduce(0) { _, value in
          run(); return value
        }
      },
      runs { run in
        Just(1).tryReduce(0) { _, value in
          run(); return value
        }
      },
      runs { run in
        Just(1).filter { _ in
          run(); return true
        }
      },
      runs { run in
        Just(1).compactMap { value -> Int? in
          run(); return value
        }
      },
      runs { run in
        Just(1).allSatisfy { _ in
          run(); return true
        }
      },
      runs { run in
        Just(1).tryAllSatisfy { _ in
          run(); return true
        }
      },
      runs { run in
        Just(1).contains { _ in
          run(); return true
        }
      },
      runs { run in
        Just(1).tryContains { _ in
          run(); return true
        }
      },
      runs { run in
        Just(1).first { _ in
          run(); return true
        }
      },
      runs { run in
        Just(1).last { _ in
          run(); return true
        }
      },
      runs { run in
        Just(1).prefix { _ in
          run(); return true
        }
      },
      runs { run in
        Just(1).drop { _ in
          run(); return true
        }
      },
      runs { run in
        Just(1).tryRemoveDuplicates { _, _ in
          run(); return true
        }
      },
    ]
    #expect(counts == Array(repeating: [1, 1], count: 17))
  }

  @Test func `A chain of operators is one leaf in the end`() {
    let chain = Just(2).map { $0 * 2 }.filter { $0 > 1 }.map { "\($0)" }.replaceEmpty(with: "").count()
    #expect(chain == Just(1))
    let recorder = Recorder<Int, Never>(demand: nil)
    Just(2).map { $0 * 2 }.subscribe(recorder)
    #expect(recorder.subscriptionTexts == ["Just"])
  }

  // MARK: Misuse

  @Test(arguments: EagerMisuse.allCases)
  func `A count or position that cannot be traps when the operator is applied`(_ misuse: EagerMisuse) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [misuse] in
      misuse.commit()
    }
    expectMessage(result, misuse.message)
  }
}
