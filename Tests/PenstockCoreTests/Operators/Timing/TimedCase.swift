// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import PenstockTesting
import TestSupport
import Testing

/// A clock that stands still and records all calls, with options that can be recognised.
typealias TestClock = RecordingScheduler<VirtualTimeScheduler<VirtualTime, String>>

func testClock(tolerance: VirtualTime.Stride = 0.125) -> TestClock {
  RecordingScheduler(VirtualTimeScheduler(now: 0, minimumTolerance: tolerance))
}

/// A timed operator, with its differences from the common rules.
struct TimedCase: Sendable, CustomTestStringConvertible {
  let name: String
  /// The requests that it makes of its own accord.
  var asks: [ManualSubscription.Call] = []
  /// Whether requests, and demand that a delivery returns, are forwarded to upstream.
  var forwards = false
  /// Whether values wait for the scheduler.
  var waits = true
  /// The outputs for 2 and 3, ten seconds apart.
  var outputs = ["2", "3"]
  var remembersEarlyCancel = false
  let spec: @Sendable (TestClock) -> OperatorSpec

  var testDescription: String { name }

  /// A line with this operator, and its clock.
  func pipeline(subscribed: Bool = true, demand: Subscribers.Demand? = .unlimited) -> (
    pipeline: ManualPipeline, clock: TestClock
  ) {
    let clock = testClock()
    return (spec(clock).pipeline(subscribed: subscribed, demand: demand), clock)
  }

  static let all: [TimedCase] = [
    TimedCase(name: "ReceiveOn", forwards: true) { clock in
      .timed("ReceiveOn") { $0.receive(on: clock) }
    },
    TimedCase(name: "ReceiveOn, at once", forwards: true, waits: false) { _ in
      .timed("ReceiveOn") { $0.receive(on: ImmediateScheduler.shared) }
    },
    TimedCase(name: "Delay", forwards: true) { clock in
      .timed("Delay") { $0.delay(for: 3, scheduler: clock) }
    },
    TimedCase(name: "Debounce", asks: [.requested(.unlimited)]) { clock in
      .timed("Debounce", children: ["downstream", "downstreamDemand", "currentValue"]) {
        $0.debounce(for: 3, scheduler: clock)
      }
    },
    TimedCase(name: "Throttle", asks: [.requested(.unlimited)], remembersEarlyCancel: true) { clock in
      .timed("Throttle") { $0.throttle(for: 3, scheduler: clock, latest: true) }
    },
    TimedCase(name: "Timeout", forwards: true) { clock in
      .timed("Timeout") { $0.timeout(1_000, scheduler: clock) }
    },
    TimedCase(name: "MeasureInterval", forwards: true, waits: false, outputs: ["0s", "10s"]) { clock in
      .timed("MeasureInterval") { $0.measureInterval(using: clock) }
    },
    TimedCase(name: "CollectByTime", outputs: ["[2]", "[3]"]) { clock in
      .timed("CollectByTime") { $0.collect(.byTime(clock, 3)) }
    },
    TimedCase(name: "CollectByTime, or count", outputs: ["[2]", "[3]"]) { clock in
      .timed("CollectByTime") { $0.collect(.byTimeOrCount(clock, 3, 4)) }
    },
  ]
}

extension OperatorSpec {
  /// An operator of which only the signals between upstream and downstream are tested.
  fileprivate static func timed<P: Publisher & SendableMetatype>(
    _ name: String, children: [String] = [], _ build: @escaping @Sendable (Upstream<TestError>) -> P
  ) -> OperatorSpec {
    OperatorSpec(name, shown: name, children: children, number: { _ in 0 }, build)
  }
}
