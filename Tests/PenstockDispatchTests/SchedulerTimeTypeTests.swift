// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Dispatch
import Foundation
import PenstockDispatch
import TestSupport
import Testing

/// Points in time of queues.
@Suite struct SchedulerTimeTypeTests {
  private typealias Time = DispatchQueue.SchedulerTimeType

  private static func time(_ nanoseconds: UInt64) -> Time { Time(DispatchTime(uptimeNanoseconds: nanoseconds)) }

  private static let never = Time(.distantFuture)

  /// Extreme times, and many random ones; the same in each run.
  private static let samples: [Time] = {
    var generator = SeededGenerator(seed: 2)
    let extreme: [UInt64] = [1, 2, 1_000_000_000, UInt64(Int64.max) - 1, UInt64(Int64.max)]
    return (extreme + (0..<60).map { _ in max(UInt64(generator.number().magnitude) >> 1, 1) }).map(time)
  }()

  @Test func `A distance leads to where it was measured`() {
    for a in Self.samples {
      for b in Self.samples where a.distance(to: b).magnitude.magnitude < Int.max {
        #expect(a.advanced(by: a.distance(to: b)) == b)
      }
      #expect(a.advanced(by: a.distance(to: Self.never)) == Self.never)
    }
  }

  @Test func `A distance back is the opposite of the distance there`() {
    for a in Self.samples + [Self.never] {
      #expect(a.distance(to: a) == .zero)
      for b in Self.samples + [Self.never] {
        #expect(a.distance(to: b) == -b.distance(to: a))
        #expect((a < b) == (a.distance(to: b) > .zero))
        #expect((a == b) == (a.distance(to: b) == .zero))
      }
    }
  }

  @Test func `Two steps are one step of both lengths, within the bounds`() {
    let start = Self.time(UInt64(Int.max / 2))
    var generator = SeededGenerator(seed: 3)
    for _ in 0..<200 {
      let a = Time.Stride.nanoseconds(generator.number() / 8)
      let b = Time.Stride.nanoseconds(generator.number() / 8)
      #expect(start.advanced(by: a).advanced(by: b) == start.advanced(by: a + b))
      #expect(start.distance(to: start.advanced(by: a)) == a)
      #expect((start.advanced(by: a) < start.advanced(by: b)) == (a < b))
    }
  }

  @Test func `Distances count nanoseconds, and those to earlier times are negative`() {
    #expect(Self.time(100).distance(to: Self.time(350)).magnitude == 250)
    #expect(Self.time(350).distance(to: Self.time(100)).magnitude == -250)
  }

  @Test func `Distances that no Int holds are the largest one`() {
    let (early, late) = (Self.time(1), Self.time(.max - 1))
    #expect(early.distance(to: late).magnitude == .max)
    #expect(late.distance(to: early).magnitude == -.max)
  }

  @Test func `Never is further than everything`() {
    #expect(Self.time(5).distance(to: Self.never).magnitude == .max)
    #expect(Self.time(5).advanced(by: .nanoseconds(.max)) == Self.never)
    #expect(Self.time(5) < Self.never)
    #expect(Self.never.advanced(by: .seconds(5)) == Self.never)
    #expect(Self.never.advanced(by: .nanoseconds(.min)) == Self.never)
  }

  @Test func `What Dispatch cannot count is never, and what is too early one nanosecond`() {
    #expect(Self.time(UInt64(Int64.max)).advanced(by: .nanoseconds(1)) == Self.never)
    #expect(Self.time(UInt64.max - 1).advanced(by: .nanoseconds(1)) == Self.never)
    #expect(Self.time(10).advanced(by: .nanoseconds(-10)) == Self.time(1))
    #expect(Self.time(10).advanced(by: .nanoseconds(-11)) == Self.time(1))
    #expect(Self.time(10).advanced(by: .nanoseconds(.min)) == Self.time(1))
  }

  @Test func `Times and their lengths may cross threads`() {
    func send<T: Sendable>(_ value: T) -> T { value }
    let (start, length) = (send(Self.time(5)), send(Time.Stride.nanoseconds(2)))
    onThreads(2) { _ in #expect(start.advanced(by: length) == Self.time(7)) }
  }

  @Test func `Equal times have equal hashes`() {
    #expect(Self.time(5).hashValue == Self.time(5).hashValue)
    #expect(Set([Self.time(5), Self.time(5), Self.time(6), Self.never]).count == 3)
  }

  @Test(arguments: [5, UInt64.max])
  func `It is encoded as one number`(_ number: UInt64) throws {
    let time = Self.time(number)
    let text = try String(decoding: JSONEncoder().encode([time]), as: UTF8.self)
    #expect(text == "[\(number)]")
    #expect(try JSONDecoder().decode([Time].self, from: Data(text.utf8)) == [time])
  }
}
