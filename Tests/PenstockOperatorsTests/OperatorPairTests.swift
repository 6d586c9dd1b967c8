// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import PenstockTesting
import TestSupport
import Testing

extension PairEntry {
  /// The operators that Combine does not have.
  static let beyond: [PairEntry] = [
    .init("shareReplay") { stream, _ in stream.shareReplay() },
    .init("share(replay:)") { stream, _ in stream.share(replay: 2) },
    .init("throttle(while:)", varies: "it keeps the latest value only") { stream, clock in
      stream.throttle(while: CurrentValueSubject<Bool, Never>(false), on: clock)
    },
    .init("throttle(while:), for a time", varies: "it keeps the latest value only") { stream, clock in
      stream.throttle(
        while: Just(false).delay(for: 2, scheduler: clock).prepend(true).eraseToAnyPublisher(), initialThrottle: true,
        on: clock)
    },
    .init("retry, later") { stream, clock in
      stream.append(Fail<Int, TestError>(error: .oops)).retry(1, delay: 1, scheduler: clock)
        .catch { _ in Empty<Int, TestError>() }
    },
    .init("withLatestFrom") { stream, _ in
      stream.withLatestFrom(Just(1).setFailureType(to: TestError.self)) { $0 + $1 }.eraseToAnyPublisher()
    },
    .init("sample", varies: "it keeps the latest sample only") { stream, _ in
      stream.sample(stream).eraseToAnyPublisher()
    },
    .init("flatMapFirst") { stream, _ in
      stream.flatMapFirst { Just($0).setFailureType(to: TestError.self) }.eraseToAnyPublisher()
    },
    .init("unwrap") { stream, _ in stream.map { $0.isMultiple(of: 3) ? nil : $0 }.unwrap() },
    .init("pairwise") { stream, _ in stream.pairwise().map { $0 + 10 * $1 }.eraseToAnyPublisher() },
    .init("takeLast") { stream, _ in stream.takeLast(3).eraseToAnyPublisher() },
    .init("materialize") { stream, _ in
      stream.materialize().map { if case .value(let number) = $0 { number } else { -1 } }
        .setFailureType(to: TestError.self).eraseToAnyPublisher()
    },
    .init("materialize, dematerialize") { stream, _ in
      stream.materialize().dematerialize().eraseToAnyPublisher()
    },
  ]

  /// One of each kind of Combine's operators: those that count, collect, queue, flatten and delay.
  static let kinds: [PairEntry] = [
    .init("map") { stream, _ in stream.map { $0 + 1 } },
    .init("tryFilter") { stream, _ in
      stream.tryFilter { !$0.isMultiple(of: 3) }.mapError { $0 as? TestError ?? .oops }
    },
    .init("dropFirst") { stream, _ in stream.dropFirst(2) },
    .init("collect") { stream, _ in stream.collect().map(\.count) },
    .init("collect(3)") { stream, _ in stream.collect(3).map { $0.reduce(0, +) } },
    .init("collect by time") { stream, clock in
      stream.collect(.byTime(clock, 1)).flatMap(maxPublishers: .max(1)) {
        Publishers.Sequence<[Int], TestError>(sequence: $0)
      }
    },
    .init("replaceError") { stream, _ in stream.replaceError(with: 0).setFailureType(to: TestError.self) },
    .init("catch") { stream, _ in stream.catch { _ in Empty<Int, TestError>() } },
    .init("append") { stream, _ in stream.append(100) },
    .init("buffer") { stream, _ in
      stream.replaceError(with: 0).setFailureType(to: TestError.self)
        .buffer(size: 2, prefetch: .keepFull, whenFull: .dropNewest)
    },
    .init("flatMap") { stream, _ in stream.flatMap(maxPublishers: .max(1)) { Just($0) } },
    .init("switchToLatest") { stream, _ in Just(stream).switchToLatest() },
    .init("merge") { stream, _ in stream.merge(with: Empty<Int, TestError>()) },
    .init("zip") { stream, _ in
      stream.zip(Publishers.Sequence<Range<Int>, TestError>(sequence: 0..<1_000)) { number, _ in number }
    },
    .init("receive(on:)") { stream, clock in stream.receive(on: clock) },
    .init("share", varies: "its subject drops what was not asked for") { stream, _ in stream.share() },
  ]
}

@Suite struct OperatorPairTests {
  @Test(arguments: PairEntry.beyond)
  func `Beside every kind of operator it delivers the same, however it is asked`(_ entry: PairEntry) {
    for other in PairEntry.kinds + PairEntry.beyond {
      let faults = PairRun.check(entry, other) + PairRun.check(other, entry)
      #expect(faults.isEmpty)
    }
  }
}
