// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockConcurrency
import PenstockTesting
import TestSupport
import Testing

/// Dates and intervals that no clock reaches.
@Suite struct ClockTimeTests {
  static let extremes: [ClockStride] = [
    .seconds(Int.max), .seconds(Int.min), .milliseconds(.max), .nanoseconds(.min),
    ClockStride(.seconds(Int64.max) * 18),
    ClockStride(.seconds(Int64.min) * 18),
  ]

  @Test(arguments: extremes)
  func `A date that is too far to wait for is one that is far`(_ interval: ClockStride) {
    let now = ClockTime<ContinuousClock>(ContinuousClock.now)
    let date = now.advanced(by: interval)
    #expect((date < now) == (interval < 0))
    // The time that a clock waits for is counted in seconds and nanoseconds.
    #expect(abs(now.distance(to: date).duration / .seconds(1)) < 1e10)
    #expect((date.advanced(by: interval) < date) == (interval < 0))
  }

  @Test(arguments: extremes)
  func `Virtual time stops at its end`(_ interval: ClockStride) {
    let now = ClockTime<VirtualClock>(VirtualClock.Instant(5))
    let date = now.advanced(by: interval).advanced(by: interval)
    #expect((date < now) == (interval < 0))
    #expect(date.distance(to: date) == 0)
  }

  @Test func `A number of seconds that no duration can hold is as long as possible`() {
    #expect(ClockStride.seconds(Double.infinity) == .seconds(Int.max))
    #expect(ClockStride.seconds(-Double.infinity) == 0 - .seconds(Int.max))
    #expect(ClockStride.seconds(1e300) == .seconds(Int.max))
    #expect(ClockStride.seconds(Double.nan) == 0)
    #expect(ClockStride.seconds(0.25) == .milliseconds(250))
    #expect(ClockStride(floatLiteral: -.greatestFiniteMagnitude) == 0 - .seconds(Int.max))
  }

  @Test(arguments: extremes, extremes)
  func `Arithmetic saturates`(_ first: ClockStride, _ second: ClockStride) {
    let (longest, zero) = (ClockStride.seconds(Int.max), ClockStride.zero)
    for result in [first + second, first - second, first * second] {
      #expect(result <= longest && result >= zero - longest)
    }
    if (first < 0) == (second < 0) { #expect(((first + second) < 0) == (first < 0)) }
    #expect(((first * second) < 0) == ((first < 0) != (second < 0)))
    #expect(first.magnitude >= 0)
    var product = first
    product *= 1e9
    #expect((product < 0) == (first < 0))
  }

  @Test(arguments: ["timeout", "delay", "debounce", "tolerance", "repeated"])
  func `A scheduler waits as long as it takes`(_ name: String) async {
    // The wait begins on another thread: a trap there ends the process.
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) { [name] in
      let scheduler = TaskScheduler()
      let subject = PassthroughSubject<Int, Never>()
      var cancellables: Set<AnyCancellable> = []
      for interval in [ClockStride.seconds(Int.max), .seconds(Double.infinity)] {
        switch name {
        case "timeout": subject.timeout(interval, scheduler: scheduler).sink { _ in }.store(in: &cancellables)
        case "delay": subject.delay(for: interval, scheduler: scheduler).sink { _ in }.store(in: &cancellables)
        case "debounce": subject.debounce(for: interval, scheduler: scheduler).sink { _ in }.store(in: &cancellables)
        case "tolerance":
          subject.delay(for: 1, tolerance: interval, scheduler: scheduler).sink { _ in }.store(in: &cancellables)
        default:
          let work = scheduler.schedule(after: scheduler.now, interval: interval, tolerance: interval) {}
          AnyCancellable(work).store(in: &cancellables)
        }
      }
      subject.send(1)
      let (stream, end) = AsyncStream<Never>.makeStream()
      scheduler.schedule(after: scheduler.now.advanced(by: .milliseconds(50))) { end.finish() }
      for await _ in stream {}
      exit(cancellables.count == 2 ? 0 : 1)
    }
    withExtendedLifetime(result) {}
  }
}
