// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

// See JustOperatorsTests.swift for why results have names.

private typealias Maybe<Wrapped> = Wrapped?

@Suite struct OptionalOperatorsTests {
  private let some = Optional(2).publisher
  private let none = Int?.none.publisher

  @Test func `Mapping gives another value, or still none`() {
    let mapped = some.map { "\($0)" }
    #expect(mapped == Maybe.Publisher("2"))
    let unmapped = none.map { "\($0)" }
    #expect(unmapped == Maybe.Publisher(nil))
    let scanned = some.scan(10, -)
    #expect(scanned == Maybe.Publisher(8))
    let unscanned = none.scan(10, -)
    #expect(unscanned == Maybe.Publisher(nil))
  }

  @Test(arguments: [1, 2])
  func `Filtering keeps the value or leaves none`(_ limit: Int) {
    let expected = Maybe.Publisher(limit < 2 ? 2 : nil)
    let kept = some.filter { $0 > limit }
    #expect(kept == expected)
    let mapped = some.compactMap { $0 > limit ? $0 : nil }
    #expect(mapped == expected)
    let first = some.first { $0 > limit }
    #expect(first == expected)
    let last = some.last { $0 > limit }
    #expect(last == expected)
    let prefix = some.prefix { $0 > limit }
    #expect(prefix == expected)
    let rest = some.drop { $0 <= limit }
    #expect(rest == expected)
  }

  @Test(arguments: [0, 1, 2, Int.max])
  func `Counting operators keep the value or leave none`(_ count: Int) {
    let dropped = some.dropFirst(count)
    #expect(dropped == Maybe.Publisher(count == 0 ? 2 : nil))
    let kept = some.prefix(count)
    #expect(kept == Maybe.Publisher(count > 0 ? 2 : nil))
    let picked = some.output(at: count)
    #expect(picked == Maybe.Publisher(count == 0 ? 2 : nil))
    #expect(none.dropFirst(count) == none)
    #expect(none.prefix(count) == none)
    #expect(none.output(at: count) == none)
  }

  @Test func `One value is dropped unless the caller says otherwise`() {
    let dropped = some.dropFirst()
    #expect(dropped == none)
  }

  @Test(arguments: [(0..<5, true), (0..<0, false), (1..<5, false), (0..<(Int.max - 2), true)])
  func `A range picks the value if 0 is in it`(_ range: Range<Int>, _ hasValue: Bool) {
    let picked = some.output(in: range)
    #expect(picked == Maybe.Publisher(hasValue ? 2 : nil))
    #expect(none.output(in: range) == none)
  }

  @Test func `A range without a lower bound begins at 0`() {
    let upTo0 = some.output(in: ..<0)
    #expect(upTo0 == none)
    let through0 = some.output(in: ...0)
    #expect(through0 == some)
  }

  @Test func `Questions about a value are answered with a value`() {
    let contains = some.contains(2)
    #expect(contains == Maybe.Publisher(true))
    let lacks = some.contains(3)
    #expect(lacks == Maybe.Publisher(false))
    let containsWhere = some.contains { $0 > 1 }
    #expect(containsWhere == Maybe.Publisher(true))
    let all = some.allSatisfy { $0 > 2 }
    #expect(all == Maybe.Publisher(false))
    let count = some.count()
    #expect(count == Maybe.Publisher(1))
    let collected = some.collect()
    #expect(collected == Maybe.Publisher([2]))
    let reduced = some.reduce(10, -)
    #expect(reduced == Maybe.Publisher(8))
  }

  @Test func `Without a value there is no answer, where a stream would give one`() {
    let contains = none.contains(2)
    #expect(contains == Maybe.Publisher(nil))
    let containsWhere = none.contains { _ in fatalError() }
    #expect(containsWhere == Maybe.Publisher(nil))
    let all = none.allSatisfy { _ in fatalError() }
    #expect(all == Maybe.Publisher(nil))
    let count = none.count()
    #expect(count == Maybe.Publisher(nil))
    let reduced = none.reduce(10) { _, _ -> Int in fatalError() }
    #expect(reduced == Maybe.Publisher(nil))
  }

  @Test func `Collecting no value gives an empty array`() {
    let collected = none.collect()
    #expect(collected == Maybe.Publisher([]))
    #expect(delivered(by: collected).values == [[]])
  }

  @Test func `Another value takes the place of none`() {
    let kept = some.replaceEmpty(with: 9)
    #expect(kept == Just(2))
    let replaced = none.replaceEmpty(with: 9)
    #expect(replaced == Just(9))
  }

  @Test(arguments: [nil, 2])
  func `What changes nothing about at most one value returns the publisher`(_ value: Int?) {
    let source = value.publisher
    let results = [
      source.min(), source.max(), source.first(), source.last(), source.removeDuplicates(),
      source.replaceError(with: 9), source.retry(3),
      source.min { _, _ in fatalError() }, source.max { _, _ in fatalError() },
      source.removeDuplicates { _, _ in fatalError() },
    ]
    #expect(results == Array(repeating: Maybe.Publisher(value), count: 10))
  }

  @Test func `Ignoring the value leaves an end`() {
    let ignored = some.ignoreOutput()
    #expect(ignored == Empty<Int, Never>())
    let nothing = none.ignoreOutput()
    #expect(nothing == Empty<Int, Never>())
  }

  @Test func `Closures run once, when the operator is applied`() {
    let some = some
    let counts = [
      runs { run in
        some.map { value in
          run(); return value
        }
      },
      runs { run in
        some.scan(0) { _, value in
          run(); return value
        }
      },
      runs { run in
        some.reduce(0) { _, value in
          run(); return value
        }
      },
      runs { run in
        some.filter { _ in
          run(); return true
        }
      },
      runs { run in
        some.compactMap { value -> Int? in
          run(); return value
        }
      },
      runs { run in
        some.allSatisfy { _ in
          run(); return true
        }
      },
      runs { run in
        some.contains { _ in
          run(); return true
        }
      },
      runs { run in
        some.first { _ in
          run(); return true
        }
      },
      runs { run in
        some.last { _ in
          run(); return true
        }
      },
      runs { run in
        some.prefix { _ in
          run(); return true
        }
      },
      runs { run in
        some.drop { _ in
          run(); return true
        }
      },
    ]
    #expect(counts == Array(repeating: [1, 1], count: 11))
  }

  @Test func `Without a value no closure runs`() {
    let none = none
    let counts = [
      runs { run in
        none.map { value in
          run(); return value
        }
      },
      runs { run in
        none.filter { _ in
          run(); return true
        }
      },
      runs { run in
        none.compactMap { value -> Int? in
          run(); return value
        }
      },
      runs { run in
        none.first { _ in
          run(); return true
        }
      },
      runs { run in
        none.drop { _ in
          run(); return true
        }
      },
    ]
    #expect(counts == Array(repeating: [0, 0], count: 5))
  }
}
