// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

// See JustOperatorsTests.swift for why results have names.

private typealias Maybe<Wrapped> = Wrapped?
private typealias Source<Elements: Sequence> = Publishers.Sequence<Elements, TestError>

/// A sequence that is not a collection.
private struct Plain: Sequence {
  var numbers: [Int]
  func makeIterator() -> Array<Int>.Iterator { numbers.makeIterator() }
}

@Suite struct SequenceOperatorsTests {
  // MARK: Mapping

  @Test(arguments: [[], [1], [3, 1, 2]])
  func `Mapping gives a sequence of an array`(_ numbers: [Int]) {
    let mapped = Source(sequence: Set(numbers)).map { $0 * 2 }
    #expect(Set(mapped.sequence) == Set(numbers.map { $0 * 2 }))
    let plain = Source(sequence: Plain(numbers: numbers)).map { "\($0)" }
    #expect(plain == Source(sequence: numbers.map { "\($0)" }))
  }

  @Test func `Scanning gives every result but the initial one`() {
    let scanned = (1...4).publisher.scan(0, +)
    #expect(scanned == [1, 3, 6, 10].publisher)
    let empty = [Int]().publisher.scan(0, +)
    #expect(empty == [].publisher)
  }

  @Test func `A replaced nil leaves the elements optional`() {
    let replaced = [1, nil, 3].publisher.replaceNil(with: 0)
    #expect(replaced == Publishers.Sequence<[Int?], Never>(sequence: [1, 0, 3]))
  }

  @Test func `Changing the failure type keeps the sequence`() {
    let typed = (1...3).publisher.setFailureType(to: TestError.self)
    #expect(typed == Source(sequence: 1...3))
    let again = typed.setFailureType(to: Never.self)
    #expect(again == (1...3).publisher)
  }

  // MARK: Filtering

  @Test func `Filtering gives a sequence of an array`() {
    let filtered = (1...5).publisher.filter { $0.isMultiple(of: 2) }
    #expect(filtered == [2, 4].publisher)
    let mapped = ["1", "x", "3"].publisher.compactMap { Int($0) }
    #expect(mapped == [1, 3].publisher)
    let prefix = (1...5).publisher.prefix { $0 != 3 }
    #expect(prefix == [1, 2].publisher)
  }

  @Test func `Ignoring the elements leaves an end`() {
    let ignored = Source(sequence: [1, 2]).ignoreOutput()
    #expect(ignored == Empty<Int, TestError>())
  }

  @Test(arguments: [([], []), ([1], [1]), ([1, 1, 2, 2, 1], [1, 2, 1])])
  func `Repeated elements are dropped`(_ numbers: [Int], _ expected: [Int]) {
    let unique = numbers.publisher.removeDuplicates()
    #expect(unique == expected.publisher)
  }

  @Test func `A first element that is nil is no repetition`() {
    let unique = [nil, nil, 1, 1, nil].publisher.removeDuplicates()
    #expect(unique == Publishers.Sequence<[Int?], Never>(sequence: [nil, 1, nil]))
  }

  // MARK: Beginning and end

  @Test(arguments: 0...4)
  func `Counting operators wrap the sequence`(_ count: Int) {
    let dropped = (1...3).publisher.dropFirst(count)
    #expect(type(of: dropped) == Publishers.Sequence<DropFirstSequence<ClosedRange<Int>>, Never>.self)
    #expect(delivered(by: dropped).values == Array((1...3).dropFirst(count)))
    let kept = (1...3).publisher.prefix(count)
    #expect(type(of: kept) == Publishers.Sequence<PrefixSequence<ClosedRange<Int>>, Never>.self)
    #expect(delivered(by: kept).values == Array((1...3).prefix(count)))
  }

  @Test func `One element is dropped unless the caller says otherwise`() {
    let dropped = (1...3).publisher.dropFirst()
    #expect(delivered(by: dropped).values == [2, 3])
  }

  @Test func `Dropping by a closure wraps the rest`() {
    let dropped = (1...5).publisher.drop { $0 < 3 }
    #expect(type(of: dropped) == Publishers.Sequence<DropWhileSequence<ClosedRange<Int>>, Never>.self)
    for _ in 0..<2 { #expect(delivered(by: dropped).values == [3, 4, 5]) }
  }

  @Test func `Operators that need not read everything work on endless sequences`() {
    let prefix = (1...).publisher.prefix(2)
    #expect(delivered(by: prefix).values == [1, 2])
    let rest = (1...).publisher.dropFirst(5)
    let recorder = Recorder<Int, Never>(demand: .max(2))
    rest.subscribe(recorder)
    #expect(recorder.values == [6, 7])
    let first = (1...).publisher.first { $0 > 9 }
    #expect(first == Maybe.Publisher(10))
    let contains = (1...).publisher.contains(9)
    #expect(contains == Result<Bool, Never>.Publisher(true))
    let all = (1...).publisher.allSatisfy { $0 < 9 }
    #expect(all == Result<Bool, Never>.Publisher(false))
  }

  // MARK: Folding and counting

  @Test(arguments: [[], [3], [3, 1, 2]])
  func `Folding gives one result`(_ numbers: [Int]) {
    let reduced = Source(sequence: numbers).reduce("") { "\($0)\($1)" }
    #expect(reduced == Result<String, TestError>.Publisher(numbers.reduce("") { "\($0)\($1)" }))
    let collected = Source(sequence: Plain(numbers: numbers)).collect()
    #expect(collected == Result<[Int], TestError>.Publisher(numbers))
    #expect(Source(sequence: numbers).tryReduce(0) { $0 + $1 }.value == numbers.reduce(0, +))
  }

  @Test func `How the elements are counted depends on the collection and the failure`() {
    let random = [1, 2, 3].publisher.count()
    #expect(random == Just(3))
    let forward = "héé".publisher.count()
    #expect(forward == Result<Int, Never>.Publisher(3))
    let randomFailing = Source(sequence: [1, 2, 3]).count()
    #expect(randomFailing == Result<Int, TestError>.Publisher(3))
    let forwardFailing = Source(sequence: Set([1, 2])).count()
    #expect(forwardFailing == Result<Int, TestError>.Publisher(2))
  }

  @Test(arguments: [([], nil, nil), ([3], 3, 3), ([2, 3, 1], 1, 3)])
  func `The smallest and the largest are found`(_ numbers: [Int], _ smallest: Int?, _ largest: Int?) {
    let min = numbers.publisher.min()
    #expect(min == smallest.publisher)
    let max = numbers.publisher.max()
    #expect(max == largest.publisher)
    let minBy = numbers.publisher.min { $0 > $1 }
    #expect(minBy == largest.publisher)
    let maxBy = numbers.publisher.max { $0 > $1 }
    #expect(maxBy == smallest.publisher)
  }

  @Test func `Of equal elements the first is the smallest, and the largest`() {
    let words = ["bb", "aa", "c", "d"].publisher
    let min = words.min { $0.count < $1.count }
    #expect(min == Maybe.Publisher("c"))
    let max = words.max { $0.count < $1.count }
    #expect(max == Maybe.Publisher("bb"))
  }

  // MARK: Asking and picking

  @Test func `Questions are answered with a result`() {
    let numbers = Source(sequence: [1, 2, 3])
    let contains = numbers.contains(2)
    #expect(contains == Result<Bool, TestError>.Publisher(true))
    let lacks = numbers.contains(4)
    #expect(lacks == Result<Bool, TestError>.Publisher(false))
    let containsWhere = numbers.contains { $0 > 2 }
    #expect(containsWhere == Result<Bool, TestError>.Publisher(true))
    let all = numbers.allSatisfy { $0 > 1 }
    #expect(all == Result<Bool, TestError>.Publisher(false))
    #expect(numbers.tryContains { $0 > 2 }.value == true)
    #expect(numbers.tryAllSatisfy { $0 > 1 }.value == false)
    let none = Source(sequence: [Int]())
    #expect(none.contains { _ in true } == Result<Bool, TestError>.Publisher(false))
    #expect(none.allSatisfy { _ in false } == Result<Bool, TestError>.Publisher(true))
  }

  @Test(arguments: [[], [5], [5, 6, 7]])
  func `The ends are picked`(_ numbers: [Int]) {
    let first = numbers.publisher.first()
    #expect(first == numbers.first.publisher)
    let last = numbers.publisher.last()
    #expect(last == numbers.last.publisher)
    let firstWhere = numbers.publisher.first { $0 > 5 }
    #expect(firstWhere == numbers.first { $0 > 5 }.publisher)
    let lastWhere = numbers.publisher.last { $0 < 7 }
    #expect(lastWhere == numbers.last { $0 < 7 }.publisher)
  }

  @Test(arguments: [(-1, nil), (0, nil), (1, 5), (2, 6), (3, nil), (Int.max, nil)])
  func `An element is picked by its index`(_ index: Int, _ expected: Int?) {
    // A slice, whose indices do not begin at 0.
    let picked = [4, 5, 6][1...].publisher.output(at: index)
    #expect(picked == expected.publisher)
  }

  @Test func `An element is picked by an index that is no number`() {
    let text = "ab"
    let second = text.publisher.output(at: text.index(after: text.startIndex))
    #expect(second == Maybe.Publisher("b"))
    let end = text.publisher.output(at: text.endIndex)
    #expect(end == Maybe.Publisher(nil))
  }

  @Test func `Elements are picked by a range of indices`() {
    let picked = Source(sequence: [4, 5, 6]).output(in: 1..<3)
    #expect(picked == Source(sequence: [5, 6]))
    let text = "abc"
    let letters = text.publisher.output(in: text.startIndex..<text.index(before: text.endIndex))
    #expect(letters == Array("ab").publisher)
    let none = [1].publisher.output(in: 1..<1)
    #expect(none == [].publisher)
  }

  @Test func `A range of indices that are not there traps`() async {
    await #expect(processExitsWith: .failure) {
      _ = [1].publisher.output(in: 0..<2)
    }
  }

  // MARK: Concatenating

  @Test func `Elements before and behind keep the type of the collection`() {
    let before = "cd".publisher.prepend("a", "b")
    #expect(before == "abcd".publisher)
    let sequenceBefore = [3].publisher.prepend(1...2)
    #expect(sequenceBefore == [1, 2, 3].publisher)
    let publisherBefore = [3].publisher.prepend([1, 2].publisher)
    #expect(publisherBefore == [1, 2, 3].publisher)
    let behind = "ab".publisher.append("c", "d")
    #expect(behind == "abcd".publisher)
    let sequenceBehind = Source(sequence: [1]).append(Set([2]))
    #expect(sequenceBehind == Source(sequence: [1, 2]))
    let publisherBehind = [1].publisher.append([2, 3].publisher)
    #expect(publisherBehind == [1, 2, 3].publisher)
    let nothing = [1].publisher.prepend().append()
    #expect(nothing == [1].publisher)
  }

  // MARK: Throwing, and when closures run

  @Test func `What a throwing form throws becomes the failure, and nothing is asked after that`() {
    var asked: [Int] = []
    func fail(_ value: Int) throws -> Bool {
      asked.append(value)
      if value == 2 { throw TestError.oops }
      return value > 2
    }
    let numbers = (1...4).publisher
    #expect(numbers.tryContains { try fail($0) }.thrown == .oops)
    #expect(numbers.tryAllSatisfy { try !fail($0) }.thrown == .oops)
    #expect(numbers.tryReduce(0) { try fail($1) ? $0 : $1 }.thrown == .oops)
    #expect(asked == [1, 2, 1, 2, 1, 2])
  }

  @Test func `Closures run over all elements once, when the operator is applied`() {
    let numbers = (1...3).publisher
    let counts = [
      runs { run in
        numbers.map { value in
          run(); return value
        }
      },
      runs { run in
        numbers.scan(0) { _, value in
          run(); return value
        }
      },
      runs { run in
        numbers.filter { _ in
          run(); return true
        }
      },
      runs { run in
        numbers.compactMap { value -> Int? in
          run(); return value
        }
      },
      runs { run in
        numbers.prefix { _ in
          run(); return true
        }
      },
      runs { run in
        numbers.drop { _ in
          run(); return true
        }
      },
      runs { run in
        numbers.reduce(0) { _, value in
          run(); return value
        }
      },
      runs { run in
        numbers.tryReduce(0) { _, value in
          run(); return value
        }
      },
      runs { run in
        numbers.allSatisfy { _ in
          run(); return true
        }
      },
      runs { run in
        numbers.tryAllSatisfy { _ in
          run(); return true
        }
      },
      runs { run in
        numbers.contains { _ in
          run(); return false
        }
      },
      runs { run in
        numbers.tryContains { _ in
          run(); return false
        }
      },
      runs { run in
        numbers.first { _ in
          run(); return false
        }
      },
      runs { run in
        numbers.last { _ in
          run(); return false
        }
      },
    ]
    #expect(counts == Array(repeating: [3, 3], count: 14))
  }

  @Test func `Once its type is forgotten, a sequence is worked on value by value`() {
    var count = 0
    let mapped = (1...).publisher.eraseToAnyPublisher().map { value in
      count += 1
      return value
    }
    #expect(count == 0)
    let recorder = Recorder<Int, Never>(demand: .max(2))
    mapped.subscribe(recorder)
    #expect(recorder.values == [1, 2])
    #expect(count == 2)
  }
}
