// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockConcurrency
import PenstockTesting
import TestSupport

extension Twin {
  private static let other = Record<Int, TestError>(output: [10, 20], completion: .finished)

  static let combining = [
    Twin("merge", { $0.merge(with: other) }, checked: { $0.merge(with: other.sendable) }),
    Twin(
      "merge, three", { $0.merge(with: other, other) }, checked: { $0.merge(with: other.sendable, other.sendable) }),
    Twin("zip", { $0.zip(other) }, checked: { $0.zip(other.sendable) }),
    Twin("zip, transform", { $0.zip(other) { $0 * $1 } }, checked: { $0.zip(other.sendable) { $0 * $1 } }),
    Twin("combineLatest", { $0.combineLatest(other) }, checked: { $0.combineLatest(other.sendable) }),
    Twin(
      "combineLatest, transform", { $0.combineLatest(other, other) { $0 + $1 + $2 } },
      checked: { $0.combineLatest(other.sendable, other.sendable) { $0 + $1 + $2 } }),
    Twin("append, publisher", { $0.append(other) }, checked: { $0.append(other.sendable) }),
    Twin("append, sequence", { $0.append([8, 9]) }, checked: { $0.append([8, 9]) }),
    Twin("prepend, publisher", { $0.prepend(other) }, checked: { $0.prepend(other.sendable) }),
    Twin("share", { $0.share() }, checked: { $0.share() }),
    Twin(
      "multicast, autoconnect", { $0.multicast { PassthroughSubject() }.autoconnect() },
      checked: { $0.multicast { PassthroughSubject() }.autoconnect() }),
  ]

  static let handling = [
    Twin("catch", { $0.catch { _ in other } }, checked: { $0.catch { _ in other.sendable } }),
    Twin("tryCatch", { $0.tryCatch { _ in other } }, checked: { $0.tryCatch { _ in other.sendable } }),
    Twin("replaceError", { $0.replaceError(with: 5) }, checked: { $0.replaceError(with: 5) }),
    Twin("assertNoFailure", { $0.replaceError(with: 1).assertNoFailure() }) {
      $0.replaceError(with: 1).assertNoFailure()
    },
    Twin("retry", { $0.retry(0) }, checked: { $0.retry(0) }),
    Twin(
      "buffer", { $0.buffer(size: 1, prefetch: .byRequest, whenFull: .customError { .oops }) },
      checked: { $0.buffer(size: 1, prefetch: .byRequest, whenFull: .customError { .oops }) }),
    Twin(
      "buffer, dropping", { $0.buffer(size: 2, prefetch: .keepFull, whenFull: .dropNewest) },
      checked: { $0.buffer(size: 2, prefetch: .keepFull, whenFull: .dropNewest) }),
    Twin(
      "handleEvents", { $0.handleEvents(receiveOutput: { _ in }, receiveCancel: {}) },
      checked: { $0.handleEvents(receiveOutput: { _ in }, receiveCancel: {}) }),
    Twin("eraseToAny", { $0.eraseToAnyPublisher() }, checked: { $0.eraseToAnySendablePublisher() }),
  ]

  static let timed = [
    Twin("receive(on:)", timed: { $0.receive(on: $1) }, checked: { $0.receive(on: $1) }),
    Twin("subscribe(on:)", timed: { $0.subscribe(on: $1) }, checked: { $0.subscribe(on: $1) }),
    Twin("delay", timed: { $0.delay(for: 2, scheduler: $1) }, checked: { $0.delay(for: 2, scheduler: $1) }),
    Twin("debounce", timed: { $0.debounce(for: 2, scheduler: $1) }, checked: { $0.debounce(for: 2, scheduler: $1) }),
    Twin("throttle", timed: { $0.throttle(for: 2, scheduler: $1, latest: true) }) {
      $0.throttle(for: 2, scheduler: $1, latest: true)
    },
    Twin("timeout", timed: { $0.timeout(1, scheduler: $1, customError: { .oops }) }) {
      $0.timeout(1, scheduler: $1, customError: { .oops })
    },
    Twin("collect(byTime)", timed: { $0.collect(.byTimeOrCount($1, 2, 2)) }) {
      $0.collect(.byTimeOrCount($1, 2, 2))
    },
    Twin("measureInterval", timed: { $0.measureInterval(using: $1) }, checked: { $0.measureInterval(using: $1) }),
  ]

  static let beyond = [
    Twin("unwrap", { $0.map(Optional.some).unwrap() }, checked: { $0.map(Optional.some).unwrap() }),
    Twin("shareReplay", { $0.shareReplay(capacity: 2) }, checked: { $0.shareReplay(capacity: 2) }),
    Twin(
      "share(buffering:)", { $0.share(buffering: .bounded(2)) }, checked: { $0.share(buffering: .bounded(2)) }),
    Twin("share(keepingFor:)", timed: { $0.share(keepingFor: 1, scheduler: $1) }) {
      $0.share(keepingFor: 1, scheduler: $1)
    },
    Twin("share(replay:keepingFor:)", timed: { $0.share(replay: 1, keepingFor: 1, scheduler: $1) }) {
      $0.share(replay: 1, keepingFor: 1, scheduler: $1)
    },
    Twin(
      "autoconnect(atLeast:)", { $0.multicast { PassthroughSubject() }.autoconnect(atLeast: 1) },
      checked: { $0.multicast { PassthroughSubject() }.autoconnect(atLeast: 1) }),
    Twin(
      "multicast(in:)", { $0.multicast { $0.merge(with: $0.count()) }.eraseToAnyPublisher() },
      checked: { $0.multicast { $0.merge(with: $0.count()) }.eraseToAnySendablePublisher() }),
    Twin("retry(delay:)", timed: { $0.retry(0, delay: 1, scheduler: $1) }) { $0.retry(0, delay: 1, scheduler: $1) },
    Twin(
      "takeLast", { $0.takeLast(2).eraseToAnyPublisher() }, checked: { $0.takeLast(2).eraseToAnySendablePublisher() }),
    Twin("pairwise", { $0.pairwise().eraseToAnyPublisher() }, checked: { $0.pairwise().eraseToAnySendablePublisher() }),
    Twin(
      "intersperse", { $0.intersperse(0).eraseToAnyPublisher() },
      checked: { $0.intersperse(0).eraseToAnySendablePublisher() }),
    Twin(
      "materialize", { $0.materialize().eraseToAnyPublisher() },
      checked: { $0.materialize().eraseToAnySendablePublisher() }),
    Twin(
      "dematerialize", { $0.materialize().dematerialize().eraseToAnyPublisher() },
      checked: { $0.materialize().dematerialize().eraseToAnySendablePublisher() }),
    Twin(
      "withLatestFrom", { $0.withLatestFrom(other).eraseToAnyPublisher() },
      checked: { $0.withLatestFrom(other.sendable).eraseToAnySendablePublisher() }),
    Twin(
      "sample", { $0.sample(other).eraseToAnyPublisher() },
      checked: { $0.sample(other.sendable).eraseToAnySendablePublisher() }),
    Twin(
      "collect(upTo:weight:)",
      timed: { $0.collect(upTo: 2, weight: 5, within: 2, scheduler: $1) { abs($0) }.eraseToAnyPublisher() },
      checked: { $0.collect(upTo: 2, weight: 5, within: 2, scheduler: $1) { abs($0) }.eraseToAnySendablePublisher() }),
    Twin(
      "pace", timed: { $0.pace(1, per: .seconds(1), burst: 2, scheduler: $1).eraseToAnyPublisher() },
      checked: { $0.pace(1, per: .seconds(1), burst: 2, scheduler: $1).eraseToAnySendablePublisher() }),
    Twin(
      "pace, by cost",
      timed: { $0.pace(1, per: .seconds(1), burst: 2, scheduler: $1) { abs($0) }.eraseToAnyPublisher() },
      checked: { $0.pace(1, per: .seconds(1), burst: 2, scheduler: $1) { abs($0) }.eraseToAnySendablePublisher() }),
    Twin(
      "receive(on:upTo:)", timed: { $0.receive(on: $1, upTo: 2).eraseToAnyPublisher() },
      checked: { $0.receive(on: $1, upTo: 2).eraseToAnySendablePublisher() }),
    Twin(
      "delaySubscription", timed: { $0.delaySubscription(for: 1, scheduler: $1).eraseToAnyPublisher() },
      checked: { $0.delaySubscription(for: 1, scheduler: $1).eraseToAnySendablePublisher() }),
    Twin(
      "timeout(first:)", timed: { $0.timeout(first: 1, scheduler: $1) { .oops }.eraseToAnyPublisher() },
      checked: { $0.timeout(first: 1, scheduler: $1) { .oops }.eraseToAnySendablePublisher() }),
    Twin(
      "stalled", timed: { $0.stalled(after: 1, scheduler: $1) { .oops }.eraseToAnyPublisher() },
      checked: { $0.stalled(after: 1, scheduler: $1) { .oops }.eraseToAnySendablePublisher() }),
    Twin(
      "timestamp", timed: { $0.timestamp(using: $1).eraseToAnyPublisher() },
      checked: { $0.timestamp(using: $1).eraseToAnySendablePublisher() }),
    Twin(
      "debounce, by value", timed: { $0.debounce(for: { .seconds(abs($0)) }, scheduler: $1).eraseToAnyPublisher() },
      checked: { $0.debounce(for: { .seconds(abs($0)) }, scheduler: $1).eraseToAnySendablePublisher() }),
    Twin(
      "throttle, leading",
      timed: { $0.throttle(for: 2, scheduler: $1, leading: true, trailing: false).eraseToAnyPublisher() },
      checked: { $0.throttle(for: 2, scheduler: $1, leading: true, trailing: false).eraseToAnySendablePublisher() }),
    Twin(
      "throttle, reducing", timed: { $0.throttle(for: 2, scheduler: $1, reducing: +).eraseToAnyPublisher() },
      checked: { $0.throttle(for: 2, scheduler: $1, reducing: +).eraseToAnySendablePublisher() }),
    Twin("retry, deciding", timed: { $0.retry(.fixed(1, delay: .zero), scheduler: $1) { _ in .after(1) } }) {
      $0.retry(.fixed(1, delay: .zero), scheduler: $1) { _ in .after(1) }
    },
    Twin(
      "checkpoint", { $0.checkpoint("here", file: "Chain.swift", line: 1).eraseToAnyPublisher() },
      checked: { $0.checkpoint("here", file: "Chain.swift", line: 1).eraseToAnySendablePublisher() }),
    Twin(
      "mergeDelayingErrors", { $0.mergeDelayingErrors(with: other).eraseToAnyPublisher() },
      checked: { $0.mergeDelayingErrors(with: other.sendable).eraseToAnySendablePublisher() }),
    Twin(
      "combineLatestDelayingErrors", { $0.combineLatestDelayingErrors(other).eraseToAnyPublisher() },
      checked: { $0.combineLatestDelayingErrors(other.sendable).eraseToAnySendablePublisher() }),
    Twin(
      "circuitBreaker",
      timed: { $0.circuitBreaker(CircuitBreaker(failures: 1, resetAfter: 1, scheduler: $1)).eraseToAnyPublisher() },
      checked: {
        $0.circuitBreaker(CircuitBreaker(failures: 1, resetAfter: 1, scheduler: $1)).eraseToAnySendablePublisher()
      }),
    Twin(
      "checkpoint, twice",
      {
        $0.checkpoint("here", file: "Chain.swift", line: 1).checkpoint("there", file: "Chain.swift", line: 2)
          .eraseToAnyPublisher()
      },
      checked: {
        $0.checkpoint("here", file: "Chain.swift", line: 1).checkpoint("there", file: "Chain.swift", line: 2)
          .eraseToAnySendablePublisher()
      }),
    Twin(
      "coalesce", { $0.coalesce { $0 + $1 }.eraseToAnyPublisher() },
      checked: { $0.coalesce { $0 + $1 }.eraseToAnySendablePublisher() }),
    Twin(
      "coalesce(into:)", { $0.coalesce(into: 0) { $0 += $1 }.eraseToAnyPublisher() },
      checked: { $0.coalesce(into: 0) { $0 += $1 }.eraseToAnySendablePublisher() }),
    Twin(
      "limitRequests", { $0.limitRequests(to: 2).eraseToAnyPublisher() },
      checked: { $0.limitRequests(to: 2).eraseToAnySendablePublisher() }),
    Twin(
      "buffer(upTo:)", { $0.buffer(upTo: 2, resumingAt: 1).eraseToAnyPublisher() },
      checked: { $0.buffer(upTo: 2, resumingAt: 1).eraseToAnySendablePublisher() }),
    Twin(
      "buffer(weight:)", { $0.buffer(weight: 3) { abs($0) }.eraseToAnyPublisher() },
      checked: { $0.buffer(weight: 3) { abs($0) }.eraseToAnySendablePublisher() }),
    Twin(
      "pausable", { $0.pausable(by: Publishers.Valve()).eraseToAnyPublisher() },
      checked: { $0.pausable(by: Publishers.Valve().sendable).eraseToAnySendablePublisher() }),
    Twin(
      "collect(while:)", { $0.collect { $0 < 3 }.eraseToAnyPublisher() },
      checked: { $0.collect { $0 < 3 }.eraseToAnySendablePublisher() }),
    Twin(
      "collect(until:)", { $0.collect(until: other).eraseToAnyPublisher() },
      checked: { $0.collect(until: other.sendable).eraseToAnySendablePublisher() }),
    Twin(
      "chunked(by:)", { $0.chunked { $0 < $1 }.eraseToAnyPublisher() },
      checked: { $0.chunked { $0 < $1 }.eraseToAnySendablePublisher() }),
    Twin(
      "chunked(on:)", { $0.chunked { $0 / 2 }.map { "\($0)" }.eraseToAnyPublisher() },
      checked: { $0.chunked { $0 / 2 }.map { "\($0)" }.eraseToAnySendablePublisher() }),
    Twin(
      "window(count:)", { $0.window(count: 2).flatMap { $0.collect() }.eraseToAnyPublisher() },
      checked: { $0.window(count: 2).flatMap { $0.collect() }.eraseToAnySendablePublisher() }),
    Twin(
      "window(until:)", { $0.window(until: other).flatMap { $0.collect() }.eraseToAnyPublisher() },
      checked: { $0.window(until: other.sendable).flatMap { $0.collect() }.eraseToAnySendablePublisher() }),
    Twin(
      "window(for:)",
      timed: { $0.window(for: 2, scheduler: $1).flatMap { $0.collect() }.eraseToAnyPublisher() },
      checked: { $0.window(for: 2, scheduler: $1).flatMap { $0.collect() }.eraseToAnySendablePublisher() }),
    Twin(
      "grouped",
      {
        $0.grouped { $0 % 2 }.flatMap { group in group.map { "\(group.key) \($0)" } }.mapError { $0 as! TestError }
          .eraseToAnyPublisher()
      },
      checked: {
        $0.grouped { $0 % 2 }.flatMap { key, values in values.map { "\(key) \($0)" } }.mapError { $0 as! TestError }
          .eraseToAnySendablePublisher()
      }),
    Twin(
      "grouped, idle",
      timed: {
        $0.grouped(by: { $0 % 2 }, idleAfter: 2, scheduler: $1)
          .flatMap { group in group.map { "\(group.key) \($0)" } }.mapError { $0 as! TestError }.eraseToAnyPublisher()
      },
      checked: {
        $0.grouped(by: { $0 % 2 }, idleAfter: 2, scheduler: $1)
          .flatMap { key, values in values.map { "\(key) \($0)" } }.mapError { $0 as! TestError }
          .eraseToAnySendablePublisher()
      }),
    Twin(
      "flatMapFirst", { $0.flatMapFirst { _ in other }.eraseToAnyPublisher() },
      checked: { $0.flatMapFirst { _ in other.sendable }.eraseToAnySendablePublisher() }),
  ]
}
