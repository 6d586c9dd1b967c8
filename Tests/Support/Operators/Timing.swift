// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import PenstockTesting

extension OperatorSpec {
  /// Timed operators that deliver at once on an immediate scheduler, and keep the rules of every operator.
  public static let timing: [OperatorSpec] = [
    .init("receive(on:)") { $0.receive(on: ImmediateScheduler.shared) },
    .init("subscribe(on:)", .managed(.strict), shown: "SubscribeOn") { $0.subscribe(on: ImmediateScheduler.shared) },
    .init("delay") { $0.delay(for: 1, scheduler: ImmediateScheduler.shared) },
    .init("measureInterval", number: { _ in 1 }) { $0.measureInterval(using: VirtualTimeScheduler()) },
  ]

  /// Operators that deliver as time passes.
  public static let delaying: [OperatorSpec] = [
    .init("receive(on:), later") { $0.receive(on: $0.clock) },
    .init("subscribe(on:), later") { $0.subscribe(on: $0.clock) },
    .init("delay, later") { $0.delay(for: 1, scheduler: $0.clock) },
    .init("timeout") { $0.timeout(1_000_000, scheduler: $0.clock) },
    .init("debounce", varies: "it drops what is followed too soon") { $0.debounce(for: 0.3, scheduler: $0.clock) },
    .init("throttle", varies: "it drops what comes too soon") {
      $0.throttle(for: 1, scheduler: $0.clock, latest: true)
    },
    .init("collect by time") {
      $0.collect(.byTime($0.clock, 1)).flatMap(maxPublishers: .max(1)) { numbers($0) }
    },
    .init("collect by time or count") {
      $0.collect(.byTimeOrCount($0.clock, 1, 3)).flatMap(maxPublishers: .max(1)) { numbers($0) }
    },
    .init("sum by time", varies: "what is collected together depends on the time", number: { $0.reduce(0, +) }) {
      $0.collect(.byTime($0.clock, 1))
    },
    .init(
      "sum by time or count", varies: "what is collected together depends on the time", number: { $0.reduce(0, +) }
    ) { $0.collect(.byTimeOrCount($0.clock, 1, 2)) },
    .init("drop(untilOutputFrom:), later", traits: [.usesUpDemand], varies: "it drops what comes early") {
      $0.drop(untilOutputFrom: one.delay(for: 2, scheduler: $0.clock))
    },
    .init("prefix(untilOutputFrom:), later", varies: "it drops what comes late") {
      $0.prefix(untilOutputFrom: one.delay(for: 2, scheduler: $0.clock))
    },
  ]

  private static var one: Publishers.SetFailureType<Just<Int>, TestError> { Just(1).setFailureType(to: TestError.self) }
}
