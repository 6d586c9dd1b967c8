// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import PenstockTesting

extension OperatorPicture {
  static let timing: [OperatorPicture] = [
    .init(
      "debounce", "A value is published when 300 milliseconds have passed without another one.",
      """
      step 100ms
      source    a-b-c------d----|
      > debounce(for: .milliseconds(300), scheduler: scheduler)
      expected  -------c------d-|
      """
    ) { $0.source().debounce(for: .milliseconds(300), scheduler: $0.scheduler) },
    .init(
      "throttle",
      "At most one value is published in 300 milliseconds: the first at once, then the latest of each period.",
      """
      step 100ms
      source    abcd----e-f---|
      > throttle(for: .milliseconds(300), scheduler: scheduler, latest: true)
      expected  a--d----e--f--|
      """
    ) { $0.source().throttle(for: .milliseconds(300), scheduler: $0.scheduler, latest: true) },
    .init(
      "delay", "Every value and the completion come 300 milliseconds later.",
      """
      step 100ms
      source    a-b---c-|
      > delay(for: .milliseconds(300), scheduler: scheduler)
      expected  ---a-b---c-|
      """
    ) { $0.source().delay(for: .milliseconds(300), scheduler: $0.scheduler) },
    .init(
      "timeout", "When nothing has come for 400 milliseconds, upstream is cancelled and the output finishes.",
      """
      step 100ms
      source    a-b---!-c-|
      > timeout(.milliseconds(400), scheduler: scheduler)
      expected  a-b---|
      """
    ) { $0.source().timeout(.milliseconds(400), scheduler: $0.scheduler) },
    .init(
      "collect-by-time", "Every 400 milliseconds, the values that have come meanwhile are published as an array.",
      """
      step 100ms
      source    -1-2---3-----4--|
      > collect(.byTime(scheduler, .milliseconds(400)))
      expected  ----'[1, 2]'---'[3]'-------['[4]'|]
      """
    ) { $0.numbers().collect(.byTime($0.scheduler, .milliseconds(400))) },
    .init(
      "measure-interval",
      "For each value, the time since the one before is published; for the first, since the subscription.",
      """
      step 100ms
      source    --a---b------c--|
      > measureInterval(using: scheduler)
      expected  --'0.2s'---'0.4s'------'0.7s'--|
      """
    ) { $0.source().measureInterval(using: $0.scheduler) },
    .init(
      "receive-on", "The values are delivered on the queue, when it gets to its work.",
      """
      source    1-2---3---|
      queue     ----▶-----▶-▶
      > receive(on: queue)
      expected  ----[12]-----[3|]
      """
    ) { bench in bench.numbers().receive(on: SerialQueue(runBy: bench.source("queue"))) },
    .init(
      "subscribe-on", "Upstream is subscribed to, and asked for values, on the queue, when it gets to its work.",
      """
      source         1-2---3-4-|
      queue          --▶-▶------
      > subscribe(on: queue)
      source.demand  --^-*
      expected       ------3-4-|
      """
    ) { bench in bench.numbers().subscribe(on: SerialQueue(runBy: bench.source("queue"))) },
  ]

  static let errors: [OperatorPicture] = [
    .init(
      "catch", "In place of the failure, another publisher is subscribed to.",
      """
      source    1-2-#'offline'
      cache     ----^-8-9-|
      > catch { _ in cache }
      expected  1-2---8-9-|
      """
    ) { bench in bench.numbers().catch { _ in bench.numbers("cache") } },
    .init(
      "try-catch", "The closure could return another publisher. It throws, and the output fails with its error.",
      """
      source    1-2-#'offline'
      > tryCatch { try cache(for: $0) }
      expected  1-2-#'no cache'
      """
    ) { bench in
      bench.numbers().tryCatch { _ -> Just<Int> in throw MarbleFailure("no cache") }
    },
    .init(
      "replace-error", "In place of the failure, 0 is published, and the output finishes.",
      """
      source    1-2---#'offline'
      > replaceError(with: 0)
      expected  1-2---[0|]
      """
    ) { $0.numbers().replaceError(with: 0) },
    .init(
      "retry", "After the failure, upstream is subscribed to once more. A second failure would be published.",
      """
      source    ^1-2-[#^]-1-2-3-|
      > retry(1)
      expected  -1-2---1-2-3-|
      """
    ) { $0.numbers().retry(1) },
  ]
}
