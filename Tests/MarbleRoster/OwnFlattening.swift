// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import PenstockOperators
import PenstockTesting

extension OperatorPicture {
  static let ownFlattening: [OperatorPicture] = [
    .init(
      "concat-map", in: .operators,
      "The publisher of a letter is subscribed to when the one before has finished. The next letter is requested then.",
      """
      source         ^a-b------|
      source.demand  1-----1------
      a              -^-1-2|
      b              ------^-3-4|
      > concatMap { publishers[$0] }
      expected       ---1-2--3-4|
      """
    ) { bench in bench.source().concatMap { bench.source($0) } },
    .init(
      "flat-map-first", in: .operators, "A letter that comes while the publisher of another one runs is left out.",
      """
      source    a--b----c---|
      a         ^-1-2-3|
      c         --------^-7-8|
      > flatMapFirst { publishers[$0] }
      expected  --1-2-3---7-8|
      """
    ) { bench in bench.source().flatMapFirst { bench.source($0) } },
    .init(
      "flat-map-latest", in: .operators,
      "The values of the newest letter's publisher are published; the one before is cancelled.",
      """
      source    a---b----|
      a         --1-!-2-3|
      b         ----^-4-5|
      > flatMapLatest { publishers[$0] }
      expected  --1---4-5|
      """
    ) { bench in bench.source().flatMapLatest { bench.source($0) } },
    .init(
      "flat-map-sequential", in: .operators,
      "Both publishers run at the same time. The values of the second wait until the first has finished.",
      """
      source    a-b--|
      a         ^---1--2|
      b         --^3-4|
      > flatMapSequential { publishers[$0] }
      expected  ----1--2[34|]
      """
    ) { bench in bench.source().flatMapSequential { bench.source($0) } },
    .init(
      "expand", in: .operators,
      "Each letter is published, and then its publisher's values are, which become publishers as well.",
      """
      source    a|
      a         ^--b--c|
      b         ---^-d|
      c         ------^|
      d         -----^--|
      > expand { publishers[$0] }
      expected  a--b-dc-|
      """
    ) { bench in bench.source().expand { bench.source($0) } },
  ]

  static let ownDividing: [OperatorPicture] = [
    .init(
      "window-count", in: .operators, "A publisher is published for each two values; it publishes these.",
      """
      source    a-b-c-d-e-|
      > window(count: 2)
      expected  '1: a'-'1: b'-'2: c'-'2: d'-'3: e'-|
      """
    ) { windows($0.source().window(count: 2)) },
    .init(
      "grouped", in: .operators, "A publisher is published for each remainder; it publishes the numbers that have it.",
      """
      source    1-2-4-3---|
      > grouped { $0 % 2 }
      expected  '1: 1'-'0: 2'-'0: 4'-'1: 3'---|
      """
    ) {
      $0.numbers().grouped { $0 % 2 }.flatMap { group in group.map { "\(group.key): \($0)" } }
        .mapError { $0 as! MarbleFailure }
    },
  ]

  /// The values of windows, each with the number of its window.
  private static func windows<Windows: Publisher>(_ windows: Windows) -> some Publisher<String, Windows.Failure>
  where Windows.Output == AnyPublisher<String, Windows.Failure> {
    windows.enumerated().flatMap { window in window.element.map { "\(window.index + 1): \($0)" } }
  }

  static let ownTiming: [OperatorPicture] = [
    .init(
      "sample", in: .operators, "At each signal, the latest value is published, if it is new.",
      """
      source    1-2---3-----|
      signal    ---x-x---x---
      > sample(signal)
      expected  ---2-----3--|
      """
    ) { $0.source().sample($0.source("signal")) },
    .init(
      "window-until", in: .operators,
      "A window begins with the first value after a signal, and finishes with the next signal.",
      """
      source    a-b---c-----d-|
      signal    ---x-x---x-----
      > window(until: signal)
      expected  '1: a'-'1: b'---'2: c'-----'3: d'-|
      """
    ) { windows($0.source().window(until: $0.source("signal"))) },
    .init(
      "window-for", in: .operators, "A window begins with a value, and finishes half a second later.",
      """
      step 100ms
      source    a-b----c-d----e-|
      > window(for: 0.5, scheduler: scheduler)
      expected  '1: a'-'1: b'----'2: c'-'2: d'----'3: e'-|
      """
    ) { windows($0.source().window(for: 0.5, scheduler: $0.scheduler)) },
    .init(
      "grouped-idle", in: .operators,
      "The group of a letter finishes three ticks after its last value, and begins again with the next.",
      """
      step 100ms
      source    a-a----b-a---|
      > grouped(by: { $0 }, idleAfter: 0.3, scheduler: scheduler)
      expected  -----'aa'----b-a|
      """, values: { .shown { $0.joined() } }
    ) {
      $0.source().grouped(by: { $0 }, idleAfter: 0.3, scheduler: $0.scheduler).flatMap { $0.collect() }
        .mapError { $0 as! MarbleFailure }
    },
    .init(
      "collect-until", in: .operators,
      "At each signal, what has been collected is published; at one without a value before it, nothing is.",
      """
      source    1-2-----3-----4-|
      signal    ---x-x---x------
      > collect(until: signal)
      expected  ---'[1, 2]'-----'[3]'------['[4]'|]
      """
    ) { $0.numbers().collect(until: $0.source("signal")) },
    .init(
      "collect-by-weight", in: .operators,
      """
      An array is published when it has three values or the weight 5, when the next value would make it heavier, or after \
      half a second.
      """,
      """
      step 100ms
      source    124-----111-|
      > collect(upTo: 3, weight: 5, within: 0.5, scheduler: scheduler) { $0 }
      expected  --'[1, 2]'----'[4]'--'[1, 1, 1]'-|
      """
    ) { $0.numbers().collect(upTo: 3, weight: 5, within: 0.5, scheduler: $0.scheduler) { $0 } },
    .init(
      "pace", in: .operators, "Two values come at once, then one every 200 milliseconds.",
      """
      step 100ms
      > (1...4).publisher
      >   .pace(5, per: .seconds(1), burst: 2, scheduler: scheduler)
      expected  [12]-3-[4|]
      """
    ) { (1...4).publisher.pace(5, per: .seconds(1), burst: 2, scheduler: $0.scheduler) },
    .init(
      "pace-cost", in: .operators, "A value that costs 2 waits until the bucket has two tokens.",
      """
      step 100ms
      source    2--2------1|
      > pace(5, per: .seconds(1), burst: 2, scheduler: scheduler) { $0 }
      expected  2---2-----1|
      """
    ) { $0.numbers().pace(5, per: .seconds(1), burst: 2, scheduler: $0.scheduler) { $0 } },
    .init(
      "receive-on-up-to", in: .operators, "The queue delivers what waits, two values at a time.",
      """
      step 100ms
      source    12--3-|
      > receive(on: scheduler, upTo: 2)
      expected  12--3-|
      """
    ) { $0.numbers().receive(on: $0.scheduler, upTo: 2) },
    .init(
      "delay-subscription", in: .operators,
      "Upstream is subscribed to after 300 milliseconds, and asked for what has been requested by then.",
      """
      step 100ms
      source    ---^1-2-3-|
      > delaySubscription(for: .milliseconds(300), scheduler: scheduler)
      expected  ----1-2-3-|
      """
    ) { $0.numbers().delaySubscription(for: .milliseconds(300), scheduler: $0.scheduler) },
    .init(
      "timeout-first", in: .operators, "A value has come within 400 milliseconds, so later silences are no matter.",
      """
      step 100ms
      source    ---1-------2-|
      > timeout(first: .milliseconds(400), scheduler: scheduler)
      expected  ---1-------2-|
      """
    ) { $0.numbers().timeout(first: .milliseconds(400), scheduler: $0.scheduler) },
    .init(
      "stalled", in: .operators,
      "One value is requested, and nothing comes for 400 milliseconds: upstream is cancelled, and the output finishes.",
      """
      step 100ms
      source    -----------!
      > stalled(after: .milliseconds(400), scheduler: scheduler)
      demand    -------1----
      expected  -----------|
      """
    ) { $0.numbers().stalled(after: .milliseconds(400), scheduler: $0.scheduler) },
    .init(
      "timestamp", in: .operators, "Each value is published with the time at which it has come.",
      """
      step 100ms
      source    --a---b------c--|
      > timestamp(using: scheduler)
      expected  --'a 0.2s'---'b 0.6s'------'c 1.3s'--|
      """
    ) { $0.source().timestamp(using: $0.scheduler).map { "\($0.value) \($0.time)" } },
    .init(
      "debounce-each", in: .operators,
      "A short text waits for 400 milliseconds without another value, a long one for 100.",
      """
      step 100ms
      source    'p'-'pen'----'s'-----|
      > debounce(
      >   for: { .milliseconds($0.count < 2 ? 400 : 100) },
      >   scheduler: scheduler)
      expected  ---'pen'-------'s'-|
      """
    ) { $0.source().debounce(for: { .milliseconds($0.count < 2 ? 400 : 100) }, scheduler: $0.scheduler) },
    .init(
      "throttle-leading", in: .operators,
      "The first value is published at once, and the others in the 300 milliseconds after it are dropped.",
      """
      step 100ms
      source    abcd----e-f---|
      > throttle(for: .milliseconds(300), scheduler: scheduler,
      >   leading: true, trailing: false)
      expected  a--d----e-----|
      """
    ) {
      $0.source().throttle(for: .milliseconds(300), scheduler: $0.scheduler, leading: true, trailing: false)
    },
    .init(
      "throttle-reducing", in: .operators,
      "The first value is published at once. At the end of each 300 milliseconds, the sum of their values follows.",
      """
      step 100ms
      source    122-----3-4---|
      > throttle(for: .milliseconds(300), scheduler: scheduler, reducing: +)
      expected  1--4----3--4--|
      """
    ) { $0.numbers().throttle(for: .milliseconds(300), scheduler: $0.scheduler, reducing: +) },
    .init(
      "coalesce", in: .operators,
      "While nothing is requested, the values are added up. The sum is published when it is requested.",
      """
      source    1-2-3-4---5-|
      > coalesce { $0 + $1 }
      demand    1-------*----
      expected  1-------9-5-|
      """
    ) { $0.numbers().coalesce { $0 + $1 } },
    .init(
      "coalesce-into", in: .operators,
      "Each request gets the values that have come since the one before, in an array.",
      """
      source    1-2-3-4---5-|
      > coalesce(into: []) { $0.append($1) }
      demand    1-------*----
      expected  '[1]'-------'[2, 3, 4]'-'[5]'-|
      """
    ) { $0.numbers().coalesce(into: []) { $0.append($1) } },
    .init(
      "limit-requests", in: .operators,
      "Two values at a time are requested. The next two follow when both have come.",
      """
      source         ^1-2-3-4-|
      source.demand  2--2---2--
      > limitRequests(to: 2, refillAt: 0)
      expected       -1-2-3-4-|
      """
    ) { $0.numbers().limitRequests(to: 2, refillAt: 0) },
    .init(
      "buffer-up-to", in: .operators,
      "Three values are requested and stored. More are requested when no more than one of them is left.",
      """
      source         ^123---45-|
      source.demand  3-----2--3-
      > buffer(upTo: 3, resumingAt: 1)
      demand         ----1-1--*-
      expected       ----1-2--[345]|
      """
    ) { $0.numbers().buffer(upTo: 3, resumingAt: 1) },
    .init(
      "buffer-weight", in: .operators,
      "A number is as heavy as it is large. No more are requested while 5 or more wait, until no more than 2 do.",
      """
      source         ^2-4---1-|
      source.demand  11----11--
      > buffer(weight: 5, resumingAt: 2) { $0 }
      demand         -----1*---
      expected       -----241-|
      """
    ) { $0.numbers().buffer(weight: 5, resumingAt: 2) { $0 } },
    .init(
      "pausable", in: .operators,
      """
      While the valve is closed, no values are requested. What was requested before is kept, and follows when it opens.
      """,
      """
      source    1-2-3-4---5-|
      valve     ---'false'----'true'------|
      > pausable(by: valve)
      expected  1-2-----[34]-5-|
      """
    ) { bench in
      bench.numbers().pausable(
        by: bench.source("valve", values: MarbleValues { Bool($0) }, failures: .none))
    },
    .init(
      "throttle-while", in: .operators,
      "While the condition is true, values are held back. When it turns false, the latest follows.",
      """
      source    1----2-3-----4-|
      busy      --'true'------'false'------|
      > throttle(while: busy, initialThrottle: false, on: scheduler)
      expected  1--------3---4-|
      """
    ) { bench in
      bench.numbers().throttle(
        while: bench.source("busy", values: MarbleValues { Bool($0) }, failures: .none), initialThrottle: false,
        on: bench.scheduler)
    },
    .init(
      "interval", in: .operators,
      "The time is published every 300 milliseconds. A tick that is not requested is dropped.",
      """
      step 100ms
      > Publishers.interval(.milliseconds(300), scheduler: scheduler)
      demand    2---------1--
      expected  ---'0.3s'--'0.6s'-----'1.2s'--
      """
    ) { Publishers.interval(.milliseconds(300), scheduler: $0.scheduler) },
    .init(
      "generate", in: .operators, "Each request makes as many values as it asks for.",
      """
      > Publishers.generate(state: 1) { state in
      >   state *= 2
      >   return state
      > }
      demand    2---1-----3--
      expected  [24]---8-----['16''32''64']--
      """
    ) { _ in
      Publishers.generate(state: 1) { state -> Int? in
        state *= 2
        return state
      }
    },
    .init(
      "try-generate", in: .operators, "Each request makes as many values as it asks for, until the closure throws.",
      """
      > Publishers.tryGenerate(state: 8) { state in
      >   state = try half(state)
      >   return state
      > }
      demand    1---1-----*
      expected  4---2-----[1#'odd']
      """
    ) { _ in
      Publishers.tryGenerate(state: 8) { state -> Int? in
        state = try half(state)
        return state
      }
    },
  ]
}
