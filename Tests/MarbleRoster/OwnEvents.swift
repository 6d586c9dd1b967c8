// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import PenstockOperators
import PenstockTesting

extension OperatorPicture {
  static let ownEvents: [OperatorPicture] = [
    .init(
      "materialize", in: .operators, "The values and the failure are published as events. Then the output finishes.",
      """
      source    1---2---#'offline'
      > materialize()
      expected  'value 1'---'value 2'---['failure'|]
      """, values: { .shown { $0.text } }
    ) { $0.numbers().materialize() },
    .init(
      "dematerialize", in: .operators,
      "The values of events are published, and an event of a failure fails the output.",
      """
      source    -'value 1'--'value 2'--['failure'!]--
      > dematerialize()
      expected  -1--2--#'offline'
      """
    ) { $0.events().assertNoFailure().dematerialize() },
    .init(
      "values", in: .operators, "Of the events, the values are published.",
      """
      source    -'value 1'--'value 2'--'failure'--|
      > values()
      expected  -1--2-----|
      """
    ) { $0.events().values() },
    .init(
      "failures", in: .operators, "Of the events, the failures are published.",
      """
      source    -'value 1'--'value 2'--'failure'--|
      > failures()
      expected  -------'offline'--|
      """
    ) { $0.events().failures() },
    .init(
      "map-to-result", in: .operators, "The values and the failure are published as results. Then the output finishes.",
      """
      source    --1---2---#'offline'
      > mapToResult()
      expected  --'success 1'---'success 2'---['failure'|]
      """, values: { .shown { if case .success(let value) = $0 { "success \(value)" } else { "failure" } } }
    ) { $0.numbers().mapToResult() },
  ]

  static let ownErrors: [OperatorPicture] = [
    .init(
      "ignore-failure-open", in: .operators,
      "The values pass. After the failure nothing comes any more, not even the end.",
      """
      source    1-2---#'offline'
      > ignoreFailure(completeImmediately: false)
      expected  1-2---
      """
    ) { $0.numbers().ignoreFailure(completeImmediately: false) },
    .init(
      "ignore-failure", in: .operators, "The values pass. The failure is left out: the output finishes.",
      """
      source    1-2---#'offline'
      > ignoreFailure()
      expected  1-2---|
      """
    ) { $0.numbers().ignoreFailure() },
    .init(
      "ignore-failure-type", in: .operators,
      "The output finishes in place of the failure. It has the failure type of another publisher, so that can follow.",
      """
      source    1-2-#'offline'
      other     ----^-8-#'gone'
      > ignoreFailure(setFailureType: Failure.self)
      >   .append(other)
      expected  1-2---8-#'gone'
      """
    ) { $0.numbers().ignoreFailure(setFailureType: MarbleFailure.self).append($0.numbers("other")) },
    .init(
      "retry-delay", in: .operators, "300 milliseconds after the failure, upstream is subscribed to once more.",
      """
      step 100ms
      source    ^1-2-#'offline'--^1-2-3-|
      > retry(1, delay: .milliseconds(300), scheduler: scheduler)
      expected  -1-2-----1-2-3-|
      """
    ) { $0.numbers().retry(1, delay: .milliseconds(300), scheduler: $0.scheduler) },
    .init(
      "retry-delay-when", in: .operators,
      "After a failure that is transient, upstream is subscribed to again. Another failure is published.",
      """
      step 100ms
      source    ^1-#'offline'--^1--#'gone'
      > retry(3, delay: .milliseconds(300), scheduler: scheduler)
      >   { $0.isTransient }
      expected  -1-----1--#'gone'
      """
    ) {
      $0.numbers().retry(3, delay: .milliseconds(300), scheduler: $0.scheduler) { $0.name == "offline" }
    },
    .init(
      "retry-policy", in: .operators, "After each failure, the time until the next attempt is twice as long.",
      """
      step 100ms
      source    ^#-^#---^#-------^1|
      > retry(
      >   .exponential(3, initial: .milliseconds(200), ceiling: .seconds(1)),
      >   scheduler: scheduler)
      expected  ------------------1|
      """
    ) {
      $0.numbers().retry(
        .exponential(3, initial: .milliseconds(200), ceiling: .seconds(1)), scheduler: $0.scheduler)
    },
    .init(
      "retry-decide", in: .operators,
      "The first failure names a wait of 500 milliseconds; the second, which names none, is that of the policy.",
      """
      step 100ms
      source    ^#'busy'----^#'gone'-^1-|
      > retry(.fixed(3, delay: .milliseconds(200)), scheduler: scheduler)
      >   { $0.isBusy ? .after(.milliseconds(500)) : .byPolicy }
      expected  ----------1-|
      """
    ) {
      $0.numbers().retry(.fixed(3, delay: .milliseconds(200)), scheduler: $0.scheduler) {
        $0.name == "busy" ? .after(.milliseconds(500)) : .byPolicy
      }
    },
    .init(
      "circuit-breaker", in: .operators, "After two failures, a third subscription fails without reaching upstream.",
      """
      step 100ms
      source    ^#'one'^#'two'
      > circuitBreaker(
      >   CircuitBreaker(failures: 2, resetAfter: 60, scheduler: scheduler))
      >   .retry(2, delay: .milliseconds(100), scheduler: scheduler)
      expected  ----#'open'
      """
    ) {
      $0.numbers().circuitBreaker(CircuitBreaker(failures: 2, resetAfter: 60, scheduler: $0.scheduler))
        .mapError { if case .failed(let failure) = $0 { failure } else { MarbleFailure("open") } }
        .retry(2, delay: .milliseconds(100), scheduler: $0.scheduler)
    },
    .init(
      "checkpoint", in: .operators, "The values pass. The failure gets the name of the checkpoint.",
      """
      source    1-2-#'offline'
      > checkpoint("search")
      expected  1-2-#'offline, at search'
      """
    ) { $0.numbers().checkpoint("search").named() },
    .init(
      "checkpoint-again", in: .operators, "The failure gets the name of this checkpoint, too.",
      """
      source    1-2-#'offline'
      > checkpoint("request")
      >   .checkpoint("search")
      expected  1-2-#'offline, at request, search'
      """
    ) { $0.numbers().checkpoint("request").checkpoint("search").named() },
    .init(
      "retry-when", in: .operators,
      "The failures go to a publisher of the closure's. Whenever that delivers, upstream is subscribed to again.",
      """
      source    ^1-2-#--^-1-2-3-|
      online    --------▶-----
      > retryWhen { failures in failures.flatMap { _ in online } }
      expected  -1-2------1-2-3-|
      """
    ) { bench in
      bench.numbers().retryWhen { $0.flatMap { _ in bench.source("online", failures: .none).first() } }
    },
  ]

  static let ownSharing: [OperatorPicture] = [
    .init(
      "share-replay", in: .operators,
      "Upstream is subscribed to once. A later subscriber gets the last two values, and then what comes.",
      """
      source           1-2-3---4-|
      source.demand    [^*]
      > shareReplay(capacity: 2)
      expected.first   1-2-3---4-|
      expected.second  ------[^23]-4-|
      """
    ) { $0.numbers().shareReplay(capacity: 2) },
    .init(
      "share-replay-count", in: .operators,
      "A later subscriber gets the last value. When nobody is left, upstream is cancelled, and the next begins again.",
      """
      source           ^-1-2---!-^-1-2-|
      > share(replay: 1)
      expected.first   --1-2---!
      expected.second  ------[^2]-!
      expected.third   ----------^-1-2-|
      """
    ) { $0.numbers().share(replay: 1) },
    .init(
      "share-buffering", in: .operators,
      "The second subscriber asks for one value, and later for all. With a bound of one, upstream waits for it.",
      """
      source           ^-1-2-------3-|
      source.demand    1-1-------1-1-
      > share(buffering: .bounded(1))
      expected.first   ^-1-2-------3-|
      demand.second    1---------*---
      expected.second  ^-1-------2-3-|
      """
    ) { $0.steadyNumbers().share(buffering: .bounded(1)) },
    .init(
      "share-keeping", in: .operators,
      "Nobody is left, and the next subscriber comes in time: upstream is still the same.",
      """
      source           ^-1-2-3-4-5-----!
      > share(keepingFor: 4, scheduler: scheduler)
      expected.first   --1-2!
      expected.second  -------^4-5-!
      """
    ) { $0.numbers().share(keepingFor: 4, scheduler: $0.scheduler) },
    .init(
      "share-replay-keeping", in: .operators,
      "Nobody is left, and the next subscriber comes in time: it gets the latest value.",
      """
      source           ^-1-2-3-4-5-----!
      > share(replay: 1, keepingFor: 4, scheduler: scheduler)
      expected.first   --1-2!
      expected.second  -------[^3]4-5-!
      """
    ) { $0.numbers().share(replay: 1, keepingFor: 4, scheduler: $0.scheduler) },
    .init(
      "autoconnect-at-least", in: .operators,
      "The second subscriber connects, so both get the first value.",
      """
      source           ---^-1-2-|
      > multicast(subject: subject).autoconnect(atLeast: 2)
      expected.first   ^----1-2-|
      expected.second  ---^-1-2-|
      """
    ) { $0.numbers().multicast(subject: PassthroughSubject()).autoconnect(atLeast: 2) },
    .init(
      "multicast-in", in: .operators,
      "The values and their number come of one subscription, which begins when both branches are there.",
      """
      source    -1-2-3-|
      > multicast { $0.merge(with: $0.count()) }
      expected  -1-2-3-[3|]
      """
    ) { $0.numbers().multicast { $0.merge(with: $0.count()) } },
    .init(
      "pausable-sink", in: .operators,
      "One value at a time is requested, and none while the sink is paused. What was requested before still comes.",
      """
      source         ^1-2-3-4-5-|
      source.demand  11-1------[111]
      control        ----'pause'-----'resume'-
      > pausableSink { show($0) }
      expected.show  -1-2-3----[45]
      """
    ) { bench in
      let shown = PassthroughSubject<Int, Never>()
      bench.subscribe("show", to: shown)
      let sink = Sinks()
      bench.at(0) {
        sink.sink = bench.steadyNumbers().pausableSink(receiveCompletion: { _ in }) {
          shown.send($0)
          return true
        }
      }
      sink.signal = bench.source("control").sink(
        receiveCompletion: { _ in },
        receiveValue: { if $0 == "pause" { sink.sink?.pause() } else { sink.sink?.resume() } })
      return shown.handleEvents(receiveOutput: { _ in withExtendedLifetime(sink) {} })
    },
  ]
}

private final class Sinks {
  var sink: (any Pausable & Cancellable)?
  var signal: AnyCancellable?
}

extension Subscribers.Event<Int, MarbleFailure> {
  /// Short names of events.
  fileprivate var text: String {
    switch self {
    case .value(let value): "value \(value)"
    case .completion(.finished): "finished"
    case .completion(.failure): "failure"
    }
  }
}

extension MarbleBench {
  /// A source of events, as ``Subscribers/Event/text`` names them.
  fileprivate func events() -> MarbleSource<Subscribers.Event<Int, MarbleFailure>, MarbleFailure> {
    source(
      values: MarbleValues(symbol: \.text) { text in
        switch text {
        case "failure": .completion(.failure(MarbleFailure("offline")))
        default: text.split(separator: " ").last.flatMap { Int($0) }.map { .value($0) }
        }
      })
  }
}
