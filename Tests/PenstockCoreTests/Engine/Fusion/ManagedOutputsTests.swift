// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// A chain of a publisher and operators with state, as it is and where nothing of it is fused.
private struct ManagedChain: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let play: @Sendable (_ isHidden: Bool) -> [String]

  init<P: Publisher & SendableMetatype>(_ description: String, _ make: @escaping @Sendable (Happenings) -> P) {
    testDescription = description
    play = { isHidden in
      let happenings = Happenings()
      if isHidden {
        Self.sink(Hidden(make(happenings)), happenings)
      } else {
        Self.sink(make(happenings), happenings)
      }
      return happenings.log
    }
  }

  private static func sink(_ publisher: some Publisher, _ happenings: Happenings) {
    let cancellable = publisher.sink(
      receiveCompletion: { happenings.note("completion \($0)") }, receiveValue: { happenings.note("value \($0)") })
    happenings.note("subscribed")
    cancellable.cancel()
  }
}

extension ManagedChain {
  static let all: [ManagedChain] = [
    chains("an array") { _ in Publishers.Sequence<[Int], TestError>(sequence: [1, 1, 2, 3, 3, 4, 5]) },
    chains("no element") { _ in Publishers.Sequence<[Int], TestError>(sequence: []) },
    chains("a range and map") { happenings in
      Publishers.Sequence<Range<Int>, TestError>(sequence: 0..<7).map { told(happenings, "map", $0 / 2) }
    },
    chains("a record") { _ in Record<Int, TestError>(output: [2, 2, 4], completion: .finished) },
    chains("a record that fails") { _ in Record<Int, TestError>(output: [1, 2, 3], completion: .failure(.oops)) },
    chains("a record whose failure is mapped") { happenings in
      Record<Int, TestError>(output: [1, 2, 3], completion: .failure(.oops))
        .mapError { told(happenings, "mapError", TestError("mapped \($0)")) }
    },
  ].flatMap(\.self)

  private static func chains<P: Publisher<Int, TestError> & SendableMetatype>(
    _ name: String, _ make: @escaping @Sendable (Happenings) -> P
  ) -> [ManagedChain] { managed(name, make) + queued(name, make) + deciding(name, make) + pairs(name, make) }

  private static func managed<P: Publisher<Int, TestError> & SendableMetatype>(
    _ name: String, _ make: @escaping @Sendable (Happenings) -> P
  ) -> [ManagedChain] {
    [
      ManagedChain("\(name), removeDuplicates") { log in
        make(log).removeDuplicates { told(log, "same", $0 == $1) }
      },
      ManagedChain("\(name), tryRemoveDuplicates") { log in
        make(log).tryRemoveDuplicates { try refusing(4, log, $1, $0 == $1) }
      },
      ManagedChain("\(name), tryFilter") { log in make(log).tryFilter { try refusing(3, log, $0, $0 != 1) } },
      ManagedChain("\(name), tryCompactMap") { log in
        make(log).tryCompactMap { try refusing(3, log, $0, $0 == 1 ? nil : $0) }
      },
      ManagedChain("\(name), drop(while:)") { log in make(log).drop { told(log, "drop", $0 < 2) } },
      ManagedChain("\(name), tryDrop(while:)") { log in make(log).tryDrop { try refusing(2, log, $0, $0 < 3) } },
      ManagedChain("\(name), prefix(while:)") { log in make(log).prefix { told(log, "prefix", $0 < 3) } },
      ManagedChain("\(name), tryPrefix(while:)") { log in
        make(log).tryPrefix { try refusing(2, log, $0, $0 < 3) }
      },
      ManagedChain("\(name), prefix(0)") { make($0).prefix(0) },
      ManagedChain("\(name), prefix(2)") { make($0).prefix(2) },
      ManagedChain("\(name), prefix(20)") { make($0).prefix(20) },
      ManagedChain("\(name), output(in:)") { make($0).output(in: 1...2) },
      ManagedChain("\(name), output(at:)") { make($0).output(at: 1) },
    ]
  }

  private static func queued<P: Publisher<Int, TestError> & SendableMetatype>(
    _ name: String, _ make: @escaping @Sendable (Happenings) -> P
  ) -> [ManagedChain] {
    [
      ManagedChain("\(name), collect") { make($0).collect() },
      ManagedChain("\(name), collect(0)") { make($0).collect(0) },
      ManagedChain("\(name), collect(1)") { make($0).collect(1) },
      ManagedChain("\(name), collect(2)") { make($0).collect(2) },
      ManagedChain("\(name), collect(20)") { make($0).collect(20) },
      ManagedChain("\(name), count") { make($0).count() },
      ManagedChain("\(name), reduce") { log in make(log).reduce(0) { told(log, "reduce", $0 + $1) } },
      ManagedChain("\(name), tryReduce") { log in make(log).tryReduce(0) { try refusing(4, log, $1, $0 + $1) } },
      ManagedChain("\(name), max(by:)") { log in make(log).max { told(log, "max", $0 < $1) } },
      ManagedChain("\(name), tryMin(by:)") { log in make(log).tryMin { try refusing(3, log, $1, $0 < $1) } },
      ManagedChain("\(name), replaceEmpty") { make($0).replaceEmpty(with: 9) },
      ManagedChain("\(name), replaceError") { make($0).replaceError(with: 9) },
    ]
  }

  private static func deciding<P: Publisher<Int, TestError> & SendableMetatype>(
    _ name: String, _ make: @escaping @Sendable (Happenings) -> P
  ) -> [ManagedChain] {
    [
      ManagedChain("\(name), first") { make($0).first() },
      ManagedChain("\(name), first(where:)") { log in make(log).first { told(log, "first", $0 > 1) } },
      ManagedChain("\(name), tryFirst(where:)") { log in make(log).tryFirst { try refusing(3, log, $0, $0 > 3) } },
      ManagedChain("\(name), last") { make($0).last() },
      ManagedChain("\(name), last(where:)") { log in make(log).last { told(log, "last", $0 < 4) } },
      ManagedChain("\(name), tryLast(where:)") { log in make(log).tryLast { try refusing(5, log, $0, $0 < 4) } },
      ManagedChain("\(name), contains") { make($0).contains(2) },
      ManagedChain("\(name), tryContains(where:)") { log in
        make(log).tryContains { try refusing(2, log, $0, $0 == 3) }
      },
      ManagedChain("\(name), allSatisfy") { log in make(log).allSatisfy { told(log, "all", $0 < 4) } },
      ManagedChain("\(name), tryAllSatisfy") { log in make(log).tryAllSatisfy { try refusing(4, log, $0, true) } },
      ManagedChain("\(name), tryMap") { log in make(log).tryMap { try refusing(3, log, $0, $0 * 2) } },
      ManagedChain("\(name), tryScan") { log in make(log).tryScan(0) { try refusing(4, log, $1, $0 + $1) } },
    ]
  }

  private static func pairs<P: Publisher<Int, TestError> & SendableMetatype>(
    _ name: String, _ make: @escaping @Sendable (Happenings) -> P
  ) -> [ManagedChain] {
    [
      ManagedChain("\(name), removeDuplicates, collect(2), prefix(2)") {
        make($0).removeDuplicates().collect(2).prefix(2)
      },
      ManagedChain("\(name), prefix(3), collect(2)") { make($0).prefix(3).collect(2) },
      ManagedChain("\(name), collect(2), last, map") { log in
        make(log).collect(2).last().map { told(log, "map", $0.count) }
      },
      ManagedChain("\(name), tryFilter, replaceError, count") { log in
        make(log).tryFilter { try refusing(3, log, $0, true) }.replaceError(with: 7).count()
      },
      ManagedChain("\(name), tryMap, replaceError, last") { log in
        make(log).tryMap { try refusing(3, log, $0, $0) }.replaceError(with: 7).last()
      },
      ManagedChain("\(name), collect(2), prefix(1), replaceEmpty, first") {
        make($0).collect(2).prefix(1).replaceEmpty(with: [8]).first { $0.count == 2 }
      },
      ManagedChain("\(name), map, tryReduce, replaceError, contains") { log in
        make(log).map { told(log, "map", -$0) }.tryReduce(0) { try refusing(-3, log, $1, $0 + $1) }
          .replaceError(with: 6).contains { told(log, "contains", $0 < 0) }
      },
      ManagedChain("\(name), first, replaceEmpty, collect") { make($0).first().replaceEmpty(with: 8).collect() },
      ManagedChain("\(name), prefix(while:), scan, drop(while:)") { log in
        make(log).prefix { told(log, "prefix", $0 < 4) }.scan(0) { told(log, "scan", $0 + $1) }
          .drop { told(log, "drop", $0 < 3) }
      },
      ManagedChain("\(name), filter, contains(where:), mapError") { log in
        make(log).filter { told(log, "filter", $0 != 2) }.contains { told(log, "contains", $0 == 3) }
          .mapError { told(log, "mapError", $0) }
      },
      ManagedChain("\(name), print") { log in
        make(log).prefix(2).print("chain", to: Printed(log)).collect(2)
      },
    ]
  }

  private static func told<Result>(_ happenings: Happenings, _ name: String, _ result: Result) -> Result {
    happenings.note("\(name) \(result)")
    return result
  }

  /// Notes the call, and throws at one of the values.
  private static func refusing<Result>(
    _ refused: Int, _ happenings: Happenings, _ value: Int, _ result: Result
  ) throws -> Result {
    happenings.note("asked \(value)")
    if value == refused { throw TestError("refused") }
    return result
  }
}

/// The lines of `print()`, among what happens.
private struct Printed: TextOutputStream {
  let happenings: Happenings

  init(_ happenings: Happenings) { self.happenings = happenings }

  mutating func write(_ string: String) { happenings.note(string) }
}

/// The values of a sequence pass through operators with state in one loop, and nobody can see it.
@Suite struct ManagedOutputsTests {
  @Test(arguments: ManagedChain.all)
  fileprivate func `Before a sink, a chain with state does what it does where nothing is fused`(_ chain: ManagedChain) {
    let expected = chain.play(true)
    #expect(expected.last == "subscribed")
    #expect(chain.play(false) == expected)
  }

  @Test func `An operator with state offers what a sequence, a record or a subject upstream of it offers`() {
    #expect(offer(of: [1].publisher.removeDuplicates()) == .elements)
    #expect(
      offer(of: Record(output: [1], completion: Subscribers.Completion<TestError>.finished).prefix(2)) == .elements)
    #expect(offer(of: [1].publisher.map { $0 }.tryFilter { _ in true }.prefix(1)) == .elements)
    #expect(offer(of: [1].publisher.map { $0 }.collect(2).map { $0 }.first().tryMap { $0 }) == .elements)
    #expect(offer(of: PassthroughSubject<Int, Never>().removeDuplicates()) == .chain)
    #expect(offer(of: PassthroughSubject<Int, Never>().prefix(2)) == .chain)
    #expect(offer(of: PassthroughSubject<Int, Never>().tryFilter { _ in true }.output(in: 1...2)) == .chain)
    #expect(offer(of: PassthroughSubject<Int, Never>().tryMap { $0 }) == .nothing)
    #expect(offer(of: PassthroughSubject<Int, Never>().collect(2)) == .nothing)
    #expect(offer(of: Just(1).eraseToAnyPublisher().removeDuplicates()) == .nothing)
    #expect(offer(of: [1].publisher.print().removeDuplicates()) == .nothing)
  }

  private func offer<P: Publisher>(of publisher: P) -> _Offer { P._offer }

  @Test func `A negative count traps where the elements of a sequence are collected in one loop`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Publishers.Sequence<[Int], TestError>(sequence: [1]).collect(-1).sink(
        receiveCompletion: { _ in }, receiveValue: { _ in })
    }
    expectMessage(result, "collect(_:) takes a count of 0 or more")
  }

  @Test func `What a stage has kept is freed when the sink has ended`() {
    weak var last: Tracked?
    do {
      let values = [Tracked(), Tracked(), Tracked()]
      last = values[2]
      var count = 0
      let cancellable = values.publisher.removeDuplicates { $0 === $1 }.drop { _ in false }.sink { _ in count += 1 }
      #expect(count == 3)
      withExtendedLifetime(cancellable) {}
    }
    #expect(last == nil)
  }
}

private final class Tracked {}
