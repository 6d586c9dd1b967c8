// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Penstock
import PenstockOperators
import PenstockTesting

/// An operator with its reference: a function of timelines.
struct ModelOperator: Sendable {
  typealias Stream = AnyPublisher<Int, ModelError>
  typealias Clock = VirtualTimeScheduler<VirtualTime, Never>

  let name: String
  /// The number of upstreams.
  let arity: Int
  /// The source text: `{0}` and `{1}` are upstreams, `#` is the number.
  let swift: String
  /// The timeline, for the subscription at a time.
  let model: @Sendable (_ upstreams: [@Sendable (Int) -> Timeline], _ number: Int, _ time: Int) -> Timeline
  let build: @Sendable (_ upstreams: [Stream], _ number: Int, _ clock: Clock) -> Stream

  init<P: Publisher<Int, ModelError> & SendableMetatype>(
    _ name: String, _ swift: String, _ model: @escaping @Sendable (Timeline, Int) -> Timeline,
    _ build: @escaping @Sendable (Stream, Int, Clock) -> P
  ) {
    self.name = name
    arity = 1
    self.swift = swift
    self.model = { model($0[0]($2), $1) }
    self.build = { build($0[0], $1, $2).eraseToAnyPublisher() }
  }

  init<P: Publisher<Int, ModelError> & SendableMetatype>(
    two name: String, _ swift: String, _ model: @escaping @Sendable (Timeline, Timeline) -> Timeline,
    _ build: @escaping @Sendable (Stream, Stream) -> P
  ) {
    self.name = name
    arity = 2
    self.swift = swift
    self.model = { upstreams, _, time in model(upstreams[0](time), upstreams[1](time)) }
    self.build = { upstreams, _, _ in build(upstreams[0], upstreams[1]).eraseToAnyPublisher() }
  }

  /// The second upstream is subscribed to when the first has ended.
  init<P: Publisher<Int, ModelError> & SendableMetatype>(
    successive name: String, _ swift: String,
    _ model: @escaping @Sendable (Timeline, (Int) -> Timeline) -> Timeline,
    _ build: @escaping @Sendable (Stream, Stream) -> P
  ) {
    self.name = name
    arity = 2
    self.swift = swift
    self.model = { upstreams, _, time in model(upstreams[0](time), upstreams[1]) }
    self.build = { upstreams, _, _ in build(upstreams[0], upstreams[1]).eraseToAnyPublisher() }
  }

  static let all: [ModelOperator] = values + ends + timed + several
  static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

  private static let values: [ModelOperator] = [
    .init("map", "{0}.map { $0 &* 3 &+ # }", { line, n in line.mapped { $0 &* 3 &+ n } }) { s, n, _ in
      s.map { $0 &* 3 &+ n }
    },
    .init("filter", "{0}.filter { $0 % # != 0 }", { line, n in line.compacted { $0 % n != 0 ? $0 : nil } }) { s, n, _ in
      s.filter { $0 % n != 0 }
    },
    .init(
      "compactMap", "{0}.compactMap { $0 % # == 0 ? $0 / # : nil }",
      { line, n in line.compacted { $0 % n == 0 ? $0 / n : nil } }
    ) { s, n, _ in s.compactMap { $0 % n == 0 ? $0 / n : nil } },
    .init(
      "scan", "{0}.scan(#) { $0 &+ $1 }",
      { line, n in
        var sum = n
        return line.mapped { value in
          sum = sum &+ value
          return sum
        }
      }
    ) { s, n, _ in s.scan(n) { $0 &+ $1 } },
    .init(
      "removeDuplicates", "{0}.removeDuplicates { $0 / # == $1 / # }",
      { line, n in
        var last: Int?
        return line.compacted { value in
          if let last, last / n == value / n { return nil }
          last = value
          return value
        }
      }
    ) { s, n, _ in s.removeDuplicates { $0 / n == $1 / n } },
    .init("dropFirst", "{0}.dropFirst(#)", { line, n in line.with(Array(line.moments.dropFirst(n))) }) { s, n, _ in
      s.dropFirst(n)
    },
    .init(
      "drop(while:)", "{0}.drop { $0 < # }", { line, n in line.with(Array(line.moments.drop { $0.value < n })) }
    ) { s, n, _ in s.drop { $0 < n } },
    .init(
      "pairwise", "{0}.pairwise().map { $0 &- $1 &* # }",
      { line, n in
        line.with(
          zip(line.moments, line.moments.dropFirst()).map { .init(time: $1.time, value: $0.value &- $1.value &* n) })
      }
    ) { s, n, _ in s.pairwise().map { $0 &- $1 &* n }.eraseToAnyPublisher() },
    .init(
      "intersperse", "{0}.intersperse(#)",
      { line, n in
        line.with(
          line.moments.enumerated().flatMap { place, moment in
            place == 0 ? [moment] : [.init(time: moment.time, value: n), moment]
          })
      }
    ) { s, n, _ in s.intersperse(n).eraseToAnyPublisher() },
    .init("share", "{0}.share()", { line, _ in line }) { s, _, _ in s.share() },
    .init("buffer", "{0}.buffer(size: 99, prefetch: .byRequest, whenFull: .dropNewest)", { line, _ in line }) {
      s, _, _ in
      s.buffer(size: 99, prefetch: .byRequest, whenFull: .dropNewest)
    },
    .init("materialize, dematerialize", "{0}.materialize().dematerialize()", { line, _ in line }) { s, _, _ in
      s.materialize().dematerialize().eraseToAnyPublisher()
    },
    .init(
      "collect(n)", "{0}.collect(#).map { $0.reduce(0, &+) }",
      { line, n in
        var (sums, open) = ([Timeline.Moment](), [Timeline.Moment]())
        for moment in line.moments {
          open.append(moment)
          if open.count == n {
            sums.append(.init(time: moment.time, value: open.reduce(0) { $0 &+ $1.value }))
            open = []
          }
        }
        if let end = line.end, !end.isFailure, !open.isEmpty {
          sums.append(.init(time: end.time, value: open.reduce(0) { $0 &+ $1.value }))
        }
        return line.with(sums)
      }
    ) { s, n, _ in s.collect(n).map { $0.reduce(0, &+) } },
  ]

  private static let ends: [ModelOperator] = [
    .init(
      "prefix", "{0}.prefix(#)",
      { line, n in
        line.moments.count < n
          ? line
          : Timeline(
            moments: Array(line.moments.prefix(n)), end: .init(time: line.moments[n - 1].time, isFailure: false))
      }
    ) { s, n, _ in s.prefix(n) },
    .init(
      "prefix(while:)", "{0}.prefix { $0 % # != 1 }",
      { line, n in line.finished(atFirst: { $0 % n == 1 }, keeps: false) }
    ) {
      s, n, _ in s.prefix { $0 % n != 1 }
    },
    .init(
      "first(where:)", "{0}.first { $0 % # == 1 }",
      { line, n in
        let found = line.finished(atFirst: { $0 % n == 1 }, keeps: true)
        return found.with(found.moments.filter { $0.value % n == 1 })
      }
    ) { s, n, _ in s.first { $0 % n == 1 } },
    .init("last", "{0}.last()", { line, _ in line.reduced { $0.suffix(1) } }) { s, _, _ in s.last() },
    .init("takeLast", "{0}.takeLast(#)", { line, n in line.reduced { $0.suffix(n) } }) { s, n, _ in
      s.takeLast(n).eraseToAnyPublisher()
    },
    .init("count", "{0}.count()", { line, _ in line.reduced { [$0.count] } }) { s, _, _ in s.count() },
    .init("reduce", "{0}.reduce(#) { $0 &+ $1 }", { line, n in line.reduced { [$0.reduce(n, &+)] } }) { s, n, _ in
      s.reduce(n) { $0 &+ $1 }
    },
    .init("max", "{0}.max()", { line, _ in line.reduced { $0.max().map { [$0] } ?? [] } }) { s, _, _ in s.max() },
    .init("ignoreOutput", "{0}.ignoreOutput().map { _ in 0 }", { line, _ in line.with([]) }) { s, _, _ in
      s.ignoreOutput().map(unreached)
    },
    .init(
      "contains(where:)", "{0}.contains { $0 % # == 1 }.map { $0 ? 1 : 0 }",
      { line, n in
        if let found = line.moments.first(where: { $0.value % n == 1 }) {
          return Timeline(moments: [.init(time: found.time, value: 1)], end: .init(time: found.time, isFailure: false))
        }
        return line.reduced { _ in [0] }
      }
    ) { s, n, _ in s.contains { $0 % n == 1 }.map { $0 ? 1 : 0 } },
    .init(
      "replaceEmpty", "{0}.replaceEmpty(with: #)",
      { line, n in
        guard let end = line.end, !end.isFailure, line.moments.isEmpty else { return line }
        return Timeline(moments: [.init(time: end.time, value: n)], end: end)
      }
    ) { s, n, _ in s.replaceEmpty(with: n) },
    .init(
      "replaceError", "{0}.replaceError(with: #).setFailureType(to: ModelError.self)",
      { line, n in
        line.recovered { Timeline(moments: [.init(time: $0, value: n)], end: .init(time: $0, isFailure: false)) }
      }
    ) { s, n, _ in s.replaceError(with: n).setFailureType(to: ModelError.self) },
    .init(
      "tryMap", "{0}.tryMap { if $0 % 7 == # { throw ModelError() }; return $0 }.mapError { _ in ModelError() }",
      { line, n in
        guard let place = line.moments.firstIndex(where: { $0.value % 7 == n }) else { return line }
        return Timeline(
          moments: Array(line.moments[..<place]), end: .init(time: line.moments[place].time, isFailure: true))
      }
    ) { s, n, _ in
      s.tryMap { if $0 % 7 == n { throw ModelError() } else { $0 } }.mapError { _ in ModelError() }
    },
    .init(
      "append values", "{0}.append(#, 8)",
      { line, n in
        line.followed { time in
          Timeline(
            moments: [n, 8].map { .init(time: time, value: $0) }, end: .init(time: time, isFailure: false))
        }
      }
    ) { s, n, _ in s.append(n, 8) },
  ]

  /// Without `receive(on:)`: its hop takes no time, so the reference cannot distinguish its signals from others at the
  /// same time.
  ///
  /// The number is a time that no other operator of the program has, so that no two signals come at once.
  private static let timed: [ModelOperator] = [
    .init("delay", "{0}.delay(for: .nanoseconds(#), scheduler: clock)", { $0.shifted(by: $1) }) { s, n, clock in
      s.delay(for: .nanoseconds(n), scheduler: clock)
    },
    .init("debounce", "{0}.debounce(for: .nanoseconds(#), scheduler: clock)", { $0.debounced($1) }) { s, n, clock in
      s.debounce(for: .nanoseconds(n), scheduler: clock)
    },
    .init(
      "flatMap, delay", "{0}.flatMap { Just($0).delay(for: .nanoseconds(#), scheduler: clock) }",
      { $0.flattened(after: $1) }
    ) { s, n, clock in
      s.flatMap { Just($0).setFailureType(to: ModelError.self).delay(for: .nanoseconds(n), scheduler: clock) }
    },
    .init(
      "switchToLatest, delay",
      "{0}.map { Just($0).delay(for: .nanoseconds(#), scheduler: clock) }.switchToLatest()", { $0.switched(after: $1) }
    ) { s, n, clock in
      s.map { Just($0).setFailureType(to: ModelError.self).delay(for: .nanoseconds(n), scheduler: clock) }
        .switchToLatest()
    },
  ]

  /// The signals of the `until` operators come out of a buffer: only one is requested, and an operator above may have
  /// used up that demand for a value that it drops.
  private static let several: [ModelOperator] = [
    .init(two: "merge", "{0}.merge(with: {1})", { .merged([$0, $1]) }) { $0.merge(with: $1) },
    .init(two: "zip", "{0}.zip({1}) { $0 &* 5 &+ $1 }", { .zipped($0, $1) { $0 &* 5 &+ $1 } }) {
      $0.zip($1) { $0 &* 5 &+ $1 }
    },
    .init(two: "combineLatest", "{0}.combineLatest({1}) { $0 &* 5 &+ $1 }", { .combined($0, $1) { $0 &* 5 &+ $1 } }) {
      $0.combineLatest($1) { $0 &* 5 &+ $1 }
    },
    .init(
      two: "withLatestFrom", "{0}.withLatestFrom({1}) { $0 &* 5 &+ $1 }", { $0.withLatest($1) { $0 &* 5 &+ $1 } }
    ) { $0.withLatestFrom($1) { $0 &* 5 &+ $1 }.eraseToAnyPublisher() },
    .init(
      two: "prefix(untilOutputFrom:)",
      "{0}.prefix(untilOutputFrom: {1}.buffer(size: 99, prefetch: .byRequest, whenFull: .dropNewest))",
      { line, other in other.moments.first.map { line.cut(at: $0.time) } ?? line }
    ) { $0.prefix(untilOutputFrom: $1.buffer(size: 99, prefetch: .byRequest, whenFull: .dropNewest)) },
    .init(
      two: "drop(untilOutputFrom:)",
      "{0}.drop(untilOutputFrom: {1}.buffer(size: 99, prefetch: .byRequest, whenFull: .dropNewest))",
      { line, other in
        if let first = other.moments.first { return line.with(line.moments.filter { $0.time > first.time }) }
        guard let end = other.end else { return line.with([]) }
        if let mine = line.end, mine.time < end.time { return line.with([]) }
        return Timeline(end: end)
      }
    ) { $0.drop(untilOutputFrom: $1.buffer(size: 99, prefetch: .byRequest, whenFull: .dropNewest)) },
    .init(successive: "append", "{0}.append({1})", { $0.followed(by: $1) }) { $0.append($1) },
    .init(successive: "catch", "{0}.catch { _ in {1} }", { $0.recovered(by: $1) }) { first, second in
      first.catch { _ in second }
    },
  ]
}

/// The failure of a model's pipelines.
struct ModelError: Error, Equatable {}

/// A function that no value reaches: the compiler would warn that a closure is never executed.
func unreached(_ value: Never) -> Int {}
