// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Penstock
import PenstockOperators

extension Law {
  /// Operators that Combine does not have, about the end of a stream and what follows it, and about dividing a stream.
  static let endings: [Law] = [
    .init(
      "The values of events are those that compactMap takes.", .demand,
      "{0}.materialize().values().setFailureType(to: ModelError.self)",
      "{0}.materialize().compactMap { if case .value(let value) = $0 { value } else { nil } }"
        + ".setFailureType(to: ModelError.self)",
      { $0[0].materialize().values().setFailureType(to: ModelError.self).eraseToAnyPublisher() },
      {
        $0[0].materialize().compactMap { if case .value(let value) = $0 { value } else { nil } }
          .setFailureType(to: ModelError.self).eraseToAnyPublisher()
      }),
    .init(
      "The failures of events are those that compactMap takes.", .demand,
      "{0}.materialize().failures().map { _ in #n }.setFailureType(to: ModelError.self)",
      "{0}.materialize().compactMap { if case .completion(.failure) = $0 { #n } else { nil } }"
        + ".setFailureType(to: ModelError.self)",
      { s in
        s[0].materialize().failures().map { [n = s.n] _ in n }.setFailureType(to: ModelError.self)
          .eraseToAnyPublisher()
      },
      { s in
        s[0].materialize().compactMap { [n = s.n] in if case .completion(.failure) = $0 { n } else { nil } }
          .setFailureType(to: ModelError.self).eraseToAnyPublisher()
      }),
    // `materialize` keeps the end until it is requested, and `ignoreFailure` does not.
    .init(
      "The values of events are those without a failure.", .unlimited,
      "{0}.materialize().values().setFailureType(to: ModelError.self)",
      "{0}.ignoreFailure(setFailureType: ModelError.self)",
      { $0[0].materialize().values().setFailureType(to: ModelError.self).eraseToAnyPublisher() },
      { $0[0].ignoreFailure(setFailureType: ModelError.self).eraseToAnyPublisher() }),
    .init(
      "The failures of events are what is replaced where no value is left.", .unlimited,
      "{0}.materialize().failures().map { _ in #n }.setFailureType(to: ModelError.self)",
      "{0}.filter { _ in false }.replaceError(with: #n).setFailureType(to: ModelError.self)",
      { s in
        s[0].materialize().failures().map { [n = s.n] _ in n }.setFailureType(to: ModelError.self)
          .eraseToAnyPublisher()
      },
      {
        $0[0].filter { _ in false }.replaceError(with: $0.n).setFailureType(to: ModelError.self).eraseToAnyPublisher()
      }),
    .init(
      "mapToResult is map, and a value in the place of the failure.", .demand,
      "{0}.mapToResult().map { number(of: $0) }.setFailureType(to: ModelError.self)",
      "{0}.map { $0 &* 2 }.replaceError(with: -2).setFailureType(to: ModelError.self)",
      { $0[0].mapToResult().map { number(of: $0) }.setFailureType(to: ModelError.self).eraseToAnyPublisher() },
      { $0[0].map { $0 &* 2 }.replaceError(with: -2).setFailureType(to: ModelError.self).eraseToAnyPublisher() }),
    .init(
      "mapToResult is map and catch.", .signals,
      "{0}.mapToResult().map { number(of: $0) }.setFailureType(to: ModelError.self)",
      "{0}.map { $0 &* 2 }.catch { _ in Just(-2).setFailureType(to: ModelError.self) }",
      { $0[0].mapToResult().map { number(of: $0) }.setFailureType(to: ModelError.self).eraseToAnyPublisher() },
      { $0[0].map { $0 &* 2 }.catch { _ in Just(-2).setFailureType(to: ModelError.self) }.eraseToAnyPublisher() }),
    .init(
      "To ignore a failure is to catch it with nothing.", .demand, "{0}.ignoreFailure(setFailureType: ModelError.self)",
      "{0}.catch { _ in Empty() }", { $0[0].ignoreFailure(setFailureType: ModelError.self).eraseToAnyPublisher() },
      { $0[0].catch { _ in Empty() }.eraseToAnyPublisher() }),
    .init(
      "Ignored output has any type.", .demand, "{0}.ignoreOutput(setOutputType: Int.self)",
      "{0}.ignoreOutput().map { _ in 0 }", { $0[0].ignoreOutput(setOutputType: Int.self).eraseToAnyPublisher() },
      { $0[0].ignoreOutput().map(unreached).eraseToAnyPublisher() }),
    .init(
      "What has no output has any type.", .demand, "{0}.ignoreOutput().setOutputType(to: Int.self)",
      "{0}.ignoreOutput(setOutputType: Int.self)",
      { $0[0].ignoreOutput().setOutputType(to: Int.self).eraseToAnyPublisher() },
      { $0[0].ignoreOutput(setOutputType: Int.self).eraseToAnyPublisher() }),
    // With one subscriber: the two share upstream, and values that are delivered at once are gone before a second one
    // comes.
    .init(
      "The matches of a partition are what a filter lets through.", .unlimited, "{0}.partition { $0 > #n }.matches",
      "{0}.filter { $0 > #n }",
      { s in s[0].partition { [n = s.n] in $0 > n }.matches.eraseToAnyPublisher() },
      { s in s[0].filter { [n = s.n] in $0 > n }.eraseToAnyPublisher() }),
    .init(
      "The others of a partition are what a filter holds back.", .unlimited,
      "{0}.partition { $0 > #n }.nonMatches", "{0}.filter { $0 <= #n }",
      { s in s[0].partition { [n = s.n] in $0 > n }.nonMatches.eraseToAnyPublisher() },
      { s in s[0].filter { [n = s.n] in $0 <= n }.eraseToAnyPublisher() }),
    .init(
      "Both halves of a partition are two filters.", .unordered, sources: .timed,
      "{ $0.matches.merge(with: $0.nonMatches.map { -$0 }) }({0}.partition { $0 > #n })",
      "{0}.filter { $0 > #n }.merge(with: {0}.filter { $0 <= #n }.map { -$0 })",
      { s in
        let (matches, others) = s[0].partition { [n = s.n] in $0 > n }
        return matches.merge(with: others.map { -$0 }).eraseToAnyPublisher()
      },
      { s in
        s[0].filter { [n = s.n] in $0 > n }.merge(with: s[0].filter { [n = s.n] in $0 <= n }.map { -$0 })
          .eraseToAnyPublisher()
      }),
    .init(
      "One value instead of none is a replacement.", .signals,
      "{0}.switchIfEmpty(Just(#n).setFailureType(to: ModelError.self))", "{0}.replaceEmpty(with: #n)",
      { $0[0].switchIfEmpty(Just($0.n).setFailureType(to: ModelError.self)).eraseToAnyPublisher() },
      { $0[0].replaceEmpty(with: $0.n).eraseToAnyPublisher() }),
    // `flatMap` asks for everything.
    .init(
      "Another publisher instead of none is that of a value that says so.", .unlimited, arity: 2,
      "{0}.switchIfEmpty({1})",
      "{0}.map { $0 as Int? }.replaceEmpty(with: nil)"
        + ".flatMap { $0.map { Just($0).setFailureType(to: ModelError.self).eraseToAnyPublisher() }"
        + " ?? {1}.eraseToAnyPublisher() }",
      { $0[0].switchIfEmpty($0[1]).eraseToAnyPublisher() },
      { s in
        s[0].map { $0 as Int? }.replaceEmpty(with: nil)
          .flatMap { $0.map { Just($0).setFailureType(to: ModelError.self).eraseToAnyPublisher() } ?? s[1] }
          .eraseToAnyPublisher()
      }),
    .init(
      "Instead of nothing comes the other.", .demand, "Empty<Int, ModelError>().switchIfEmpty({0})", "{0}",
      { Empty<Int, ModelError>().switchIfEmpty($0[0]).eraseToAnyPublisher() }, { $0[0] }),
    .init(
      "andThen appends to what has no values.", .demand, arity: 2, "{0}.andThen({1})",
      "{0}.filter { _ in false }.append({1})", { $0[0].andThen($0[1]).eraseToAnyPublisher() },
      { $0[0].filter { _ in false }.append($0[1]).eraseToAnyPublisher() }),
    // `ignoreOutput` asks for everything, and `andThen` only for the demand.
    .init(
      "andThen appends to ignored output.", .unlimited, arity: 2, "{0}.andThen({1})",
      "{0}.ignoreOutput(setOutputType: Int.self).append({1})", { $0[0].andThen($0[1]).eraseToAnyPublisher() },
      { $0[0].ignoreOutput(setOutputType: Int.self).append($0[1]).eraseToAnyPublisher() }),
    .init(
      "One run changes nothing.", .demand, "{0}.repeat(1)", "{0}", { $0[0].repeat(1).eraseToAnyPublisher() },
      { $0[0] }),
    .init(
      "No run is nothing.", .demand, "{0}.repeat(0)", "Empty<Int, ModelError>()",
      { $0[0].repeat(0).eraseToAnyPublisher() }, { _ in Empty<Int, ModelError>().eraseToAnyPublisher() }),
    .init(
      "Two runs are one appended to the other.", .demand, "{0}.repeat(2)", "{0}.append({0})",
      { $0[0].repeat(2).eraseToAnyPublisher() }, { $0[0].append($0[0]).eraseToAnyPublisher() }),
    .init(
      "Runs of runs are as many runs.", .demand, "{0}.repeat(#n).repeat(#m)", "{0}.repeat(#n * #m)",
      { $0[0].repeat($0.n).repeat($0.m).eraseToAnyPublisher() }, { $0[0].repeat($0.n * $0.m).eraseToAnyPublisher() }),
    .init(
      "A prefix of endless runs is one of many.", .signals, sources: .finishing,
      "{0}.append(#n).repeat().prefix(#m)", "{0}.append(#n).repeat(#m).prefix(#m)",
      { $0[0].append($0.n).repeat().prefix($0.m).eraseToAnyPublisher() },
      { $0[0].append($0.n).repeat($0.m).prefix($0.m).eraseToAnyPublisher() }),
    .init(
      "shareReplay changes nothing for one subscriber.", .unlimited, "{0}.shareReplay(capacity: #n)", "{0}",
      { $0[0].shareReplay(capacity: $0.n).eraseToAnyPublisher() }, { $0[0] }),
  ]
}
