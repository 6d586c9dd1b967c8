// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore
import TestSupport
import Testing

@Suite struct ImmediateSchedulerTests {
  private typealias Time = ImmediateScheduler.SchedulerTimeType
  private typealias Stride = ImmediateScheduler.SchedulerTimeType.Stride

  private let scheduler = ImmediateScheduler.shared

  // MARK: Scheduling

  @Test func `Everything runs at once, in place and once`() {
    var log: [String] = []
    let later = scheduler.now.advanced(by: 1_000_000)
    scheduler.schedule { log.append("now") }
    scheduler.schedule(options: nil) { log.append("with options") }
    scheduler.schedule(after: later) { log.append("after") }
    scheduler.schedule(after: later, tolerance: 5) { log.append("with tolerance") }
    scheduler.schedule(after: later, tolerance: 5, options: nil) { log.append("with both") }
    let cancellables = [
      scheduler.schedule(after: later, interval: 5) { log.append("repeating") },
      scheduler.schedule(after: later, interval: 5, tolerance: 5) { log.append("repeating with tolerance") },
      scheduler.schedule(after: later, interval: 5, tolerance: 5, options: nil) { log.append("repeating with both") },
    ]
    #expect(
      log == [
        "now", "with options", "after", "with tolerance", "with both", "repeating", "repeating with tolerance",
        "repeating with both",
      ])
    for cancellable in cancellables {
      #expect((cancellable as? any Subscription)?.combineIdentifier == Subscriptions.empty.combineIdentifier)
      cancellable.cancel()
    }
    #expect(log.count == 8)
  }

  @Test func `Work scheduled by work nests`() {
    var log: [Int] = []
    scheduler.schedule {
      log.append(1)
      scheduler.schedule { log.append(2) }
      log.append(3)
    }
    #expect(log == [1, 2, 3])
  }

  // MARK: Time

  @Test(arguments: [.min, -5, 0, 1, .max])
  func `Time stands still`(_ count: Int) {
    let now = scheduler.now
    let moved = now.advanced(by: Stride(count))
    #expect(now.distance(to: moved) == 0)
    #expect(moved == now)
    #expect(!(now < moved) && !(moved < now))
    #expect(scheduler.minimumTolerance == 0)
  }

  // MARK: Strides

  @Test(arguments: [Int.min, -7, 0, 3, .max])
  func `No unit of time is more than zero`(_ count: Int) {
    let all: [Stride] = [
      .seconds(count), .seconds(Double(count)), .milliseconds(count), .microseconds(count), .nanoseconds(count),
    ]
    #expect(all.allSatisfy { $0.magnitude == 0 })
    #expect([Stride.seconds(Double.nan), .seconds(Double.infinity)].allSatisfy { $0 == 0 })
  }

  @Test func `Numbers and literals keep their value, without what is behind the point`() {
    #expect(Stride(7).magnitude == 7)
    #expect((-7 as Stride).magnitude == -7)
    #expect((2.9 as Stride).magnitude == 2)
    #expect((-2.9 as Stride).magnitude == -2)
    #expect(Stride(exactly: UInt8(200))?.magnitude == 200)
    #expect(Stride(exactly: UInt.max) == nil)
    #expect(Stride(exactly: Int.min)?.magnitude == Int.min)
    var stride = Stride(1)
    stride.magnitude = 5
    #expect(stride == 5)
  }

  @Test(arguments: 0..<20)
  func `Arithmetic and order are those of Int`(_ seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let limit = 1 << 30
    for _ in 0..<50 {
      let (a, b, c) = (
        Int.random(in: -limit...limit, using: &generator), Int.random(in: -limit...limit, using: &generator),
        Int.random(in: -9...9, using: &generator)
      )
      let (x, y, z) = (Stride(a), Stride(b), Stride(c))
      #expect((x + y).magnitude == a + b)
      #expect((x - y).magnitude == a - b)
      #expect((x * y).magnitude == a * b)
      #expect((-x).magnitude == -a)
      #expect((x < y) == (a < b))
      #expect((x == y) == (a == b))
      #expect((x + y) * z == x * z + y * z)
      #expect((x + y) - y == x)
      #expect(x + .zero == x)
      var changed = x
      changed += y
      changed -= z
      changed *= z
      #expect(changed.magnitude == (a + b - c) * c)
      changed.negate()
      #expect(changed.magnitude == -(a + b - c) * c)
    }
  }

  @Test func `An overflow traps`() async {
    // Printed, since the optimiser removes an unused sum.
    await #expect(processExitsWith: .failure) { print(Stride(.max) + 1) }
    await #expect(processExitsWith: .failure) { print(Stride(.min) - 1) }
    await #expect(processExitsWith: .failure) { print(Stride(.max) * 2) }
  }

  @Test(arguments: [Int.min, -1, 0, 1, .max])
  func `A stride is coded as its magnitude`(_ count: Int) throws {
    let data = try JSONEncoder().encode(Stride(count))
    #expect(String(decoding: data, as: UTF8.self) == #"{"magnitude":\#(count)}"#)
    #expect(try JSONDecoder().decode(Stride.self, from: data) == Stride(count))
  }

  @Test func `A scheduler and its times may cross threads`() {
    func send<T: Sendable>(_ value: T) -> T { value }
    let (shared, now, stride) = (send(scheduler), send(scheduler.now), send(Stride(3)))
    onThreads(2) { _ in
      shared.schedule(after: now.advanced(by: stride)) {}
    }
    #expect(now == shared.now)
  }
}
