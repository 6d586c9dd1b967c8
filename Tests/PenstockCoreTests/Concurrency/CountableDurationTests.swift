// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import Testing

/// Durations that are longer than clocks, the system and brokers can count.
@Suite struct CountableDurationTests {
  static let cases: [(duration: Duration, nanoseconds: Int64)] = [
    (.zero, 0), (.nanoseconds(1), 1), (.nanoseconds(-1), -1), (.seconds(2), 2_000_000_000),
    (Duration(secondsComponent: 0, attosecondsComponent: 1_999_999_999), 1),
    (Duration(secondsComponent: -1, attosecondsComponent: -500_000_000_000_000_000), -1_500_000_000),
    (.nanoseconds(Int64.max), .max), (.nanoseconds(Int64.max) + .nanoseconds(1), .max),
    (.nanoseconds(Int64.min), .min), (.nanoseconds(Int64.min) - .nanoseconds(1), .min),
    (.seconds(Int64.max), .max), (.seconds(Int64.min), .min),
    (.seconds(Int64.max / 1_000_000_000), 9_223_372_036_000_000_000),
    (.seconds(Int64.max) + .seconds(Int64.max), .max),
  ]

  @Test(arguments: cases)
  func `Nanoseconds are those that there are numbers for`(_ candidate: (duration: Duration, nanoseconds: Int64)) {
    #expect(candidate.duration.countableNanoseconds == candidate.nanoseconds)
    #expect(candidate.duration.nanoseconds == Int(clamping: candidate.nanoseconds))
    let isExact = candidate.nanoseconds != .max && candidate.nanoseconds != .min
    #expect(candidate.duration.countable == (isExact ? candidate.duration : .nanoseconds(candidate.nanoseconds)))
  }

  @Test func `A clock waits for the longest of them until it is cancelled`() async {
    let waiting = Task { try await ContinuousClock().sleep(for: Duration.seconds(Int64.max).countable) }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
  }
}
