// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Dispatch
import PenstockDispatch
import Testing

/// Deliberate differences between queues and their times and Combine's.
@Suite struct DispatchDivergences {
  private typealias Time = DispatchQueue.SchedulerTimeType

  /// Combine's product of two strides is always zero, which breaks every law of `Numeric`.
  @Test func `A queue's stride multiplies`() {
    #expect(Time.Stride.milliseconds(5) * 2 == .milliseconds(10))
    var stride = Time.Stride.seconds(3)
    stride *= .seconds(0.5)
    #expect(stride == .seconds(1.5))
  }

  /// Combine's sums and differences trap, although the same type's factory methods clamp.
  @Test func `A queue's stride stops at its bounds`() {
    #expect(Time.Stride.nanoseconds(.max) + .nanoseconds(1) == .nanoseconds(.max))
    #expect(Time.Stride.nanoseconds(.min) - .nanoseconds(1) == .nanoseconds(.min))
    #expect(-Time.Stride.nanoseconds(.min) == .nanoseconds(.max))
  }

  /// Combine's conversion traps.
  @Test func `A stride made of infinity is as long as can be`() {
    #expect(Time.Stride.seconds(.infinity) == .nanoseconds(.max))
    #expect(Time.Stride.seconds(-.infinity) == .nanoseconds(.min))
    #expect(Time.Stride(floatLiteral: .infinity) == .nanoseconds(.max))
  }

  /// Combine's distance is `Int.max` in either direction, so that a later time would lie before an earlier one.
  @Test func `A distance from never is negative`() {
    let (now, never) = (Time(.now()), Time(.distantFuture))
    #expect(never.distance(to: now).magnitude == -.max)
    #expect(never.distance(to: never) == .zero)
  }
}
