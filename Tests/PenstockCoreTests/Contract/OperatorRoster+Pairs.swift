// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import PenstockTesting
import TestSupport
import Testing

extension PairEntry {
  /// Every operator: those of the roster, the timed ones, and positions inside other operators.
  static let all = rostered + timed + placed

  /// Without the operator that asserts that there is no failure, and without those with a hundred thousand numbers.
  private static let rostered = (RosterEntry.all + RosterEntry.buffering)
    .filter { $0.name != "setFailureType" && !$0.name.hasPrefix("zip") }
    .map { entry in
      let isShared = RosterEntry.sharing.contains { $0.name == entry.name }
      return PairEntry(entry.name, varies: isShared ? "its subject drops what was not asked for" : nil) { stream, _ in
        entry.apply(stream)
      }
    }

  private static let timed: [PairEntry] = [
    .init("receive(on:), later") { $0.receive(on: $1) },
    .init("subscribe(on:), later") { $0.subscribe(on: $1) },
    .init("delay, later") { $0.delay(for: 1, scheduler: $1) },
    .init("timeout") { $0.timeout(1_000_000, scheduler: $1) },
    .init("debounce", varies: "it drops what is followed too soon") { $0.debounce(for: 0.3, scheduler: $1) },
    .init("throttle", varies: "it drops what comes too soon") { $0.throttle(for: 1, scheduler: $1, latest: true) },
    .init("collect by time") { stream, clock in
      stream.collect(.byTime(clock, 1)).flatMap(maxPublishers: .max(1)) { Self.numbers($0) }
    },
    .init("collect by time or count") { stream, clock in
      stream.collect(.byTimeOrCount(clock, 1, 3)).flatMap(maxPublishers: .max(1)) { Self.numbers($0) }
    },
    .init("sum by time", varies: "what is collected together depends on the time") { stream, clock in
      stream.collect(.byTime(clock, 1)).map { $0.reduce(0, +) }
    },
    .init("sum by time or count", varies: "what is collected together depends on the time") { stream, clock in
      stream.collect(.byTimeOrCount(clock, 1, 2)).map { $0.reduce(0, +) }
    },
    .init("drop(untilOutputFrom:), later", varies: "it drops what comes early", starves: true) { stream, clock in
      stream.drop(untilOutputFrom: Self.one.delay(for: 2, scheduler: clock))
    },
    .init("prefix(untilOutputFrom:), later", varies: "it drops what comes late") { stream, clock in
      stream.prefix(untilOutputFrom: Self.one.delay(for: 2, scheduler: clock))
    },
  ]

  /// Positions of one operator inside another.
  private static let placed: [PairEntry] = [
    .init("flatMap, one at a time") { stream, _ in
      stream.flatMap(maxPublishers: .max(1)) { Self.numbers([$0, -$0]) }
    },
    .init("flatMap, all at once", varies: "its streams take turns") { stream, _ in
      stream.flatMap { Self.numbers([$0, -$0]) }
    },
    .init("a stream of flatMap") { stream, _ in Just(stream).flatMap { $0 } },
    .init("the first of two streams of flatMap") { stream, _ in
      [stream, Self.numbers([100, 200]).eraseToAnyPublisher()].publisher
        .flatMap(maxPublishers: .max(1)) { $0 }
    },
    .init("switchToLatest, one after the other", varies: "it leaves a stream for the next") { stream, _ in
      stream.map { Self.numbers([$0, -$0]) }.switchToLatest()
    },
    .init("appended") { stream, _ in Self.numbers([100, 200]).append(stream) },
    .init("append, others behind") { stream, _ in stream.append(Self.numbers([100, 200]).eraseToAnyPublisher()) },
    .init("merged with itself", varies: "its streams take turns") { stream, _ in stream.merge(with: stream) },
    .init("zip") { stream, _ in stream.zip(Self.numbers(Array(0..<100))) { number, _ in number } },
    .init("zipped with itself") { stream, _ in stream.zip(stream) { $0 + $1 } },
    .init("combined with itself", varies: "it drops what was not asked for") { stream, _ in
      stream.combineLatest(stream) { $0 + $1 }
    },
    .init("caught") { stream, _ in Self.failing(stream).catch { _ in Self.numbers([100, 200]) } },
    .init("the replacement of catch") { stream, _ in Self.failing(Self.numbers([100, 200])).catch { _ in stream } },
    .init("retried") { stream, _ in
      Self.failing(stream).retry(1).catch { _ in Empty<Int, TestError>() }
    },
    .init("replaceError, at the end") { stream, _ in
      Self.failing(stream).replaceError(with: 100).setFailureType(to: TestError.self)
    },
    .init("multicast, latest value", varies: "its subject skips what was not asked for") { stream, _ in
      stream.multicast(subject: CurrentValueSubject(0)).autoconnect()
    },
    .init("a buffer of one") { stream, _ in
      stream.replaceError(with: 0).setFailureType(to: TestError.self)
        .buffer(size: 1, prefetch: .keepFull, whenFull: .dropOldest)
    },
    .init("collect(3), in numbers") { stream, _ in
      stream.collect(3).flatMap(maxPublishers: .max(1)) { Self.numbers($0) }
    },
  ]

  private static var one: Publishers.SetFailureType<Just<Int>, TestError> {
    Just(1).setFailureType(to: TestError.self)
  }

  private static func numbers(_ numbers: [Int]) -> Publishers.Sequence<[Int], TestError> { .init(sequence: numbers) }

  private static func failing(_ stream: some Publisher<Int, TestError>) -> AnyPublisher<Int, TestError> {
    stream.append(Fail<Int, TestError>(error: .oops)).eraseToAnyPublisher()
  }
}

@Suite struct OperatorPairTests {
  @Test(arguments: PairEntry.all)
  func `Behind every operator every other delivers the same, however it is asked`(_ first: PairEntry) {
    for second in PairEntry.all {
      for fault in PairRun.check(first, second) { Issue.record("\(fault)") }
    }
  }
}
