// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore
import PenstockFoundation
import TestSupport
import Testing

/// The common interface of the times of run loops and of operation queues.
protocol DateTime: Strideable, Hashable, Codable, Sendable where Stride: DateStride {
  var date: Date { get set }
  init(_ date: Date)
}

/// The common interface of their strides.
protocol DateStride: SchedulerTimeIntervalConvertible, SignedNumeric, Comparable, ExpressibleByFloatLiteral, Hashable,
  Codable, Sendable
where Magnitude == TimeInterval {
  var magnitude: TimeInterval { get set }
  var timeInterval: TimeInterval { get }
  init(_ timeInterval: TimeInterval)
}

extension RunLoop.SchedulerTimeType: DateTime {}
extension RunLoop.SchedulerTimeType.Stride: DateStride {}
extension OperationQueue.SchedulerTimeType: DateTime {}
extension OperationQueue.SchedulerTimeType.Stride: DateStride {}

/// Times of run loops and operation queues, and their strides.
@Suite struct DateTimeTypeTests {
  static let types: [any DateTime.Type] = [RunLoop.SchedulerTimeType.self, OperationQueue.SchedulerTimeType.self]

  /// Numbers whose small sums and products are exact: eighths of limited size; the same in each run.
  private static let samples: [Double] = {
    var generator = SeededGenerator(seed: 4)
    return [0, 1, -1, 0.125] + (0..<30).map { _ in Double(generator.number() >> 40) / 8 }
  }()

  private static let extremes: [Double] = [
    .infinity, -.infinity, .greatestFiniteMagnitude, -.greatestFiniteMagnitude, .leastNonzeroMagnitude,
  ]

  @Test(arguments: 0..<2)
  func `Times keep the laws of what can be measured`(_ index: Int) {
    func check<T: DateTime>(_: T.Type) {
      let times = Self.samples.map { T(Date(timeIntervalSinceReferenceDate: $0)) }
      for a in times {
        #expect(a.distance(to: a) == .zero)
        #expect(a.advanced(by: .zero) == a)
        for b in times {
          #expect(a.advanced(by: a.distance(to: b)) == b)
          #expect(a.distance(to: b) == -b.distance(to: a))
          #expect((a < b) == (a.distance(to: b) > .zero))
          #expect((a < b) == (a.date < b.date))
          #expect((a == b) == (a.hashValue == b.hashValue))
          let there = T.Stride(b.date.timeIntervalSinceReferenceDate)
          #expect(a.distance(to: a.advanced(by: there)) == there)
        }
      }
    }
    check(Self.types[index])
  }

  @Test(arguments: 0..<2)
  func `Lengths keep the laws of signed numbers`(_ index: Int) {
    func check<S: DateStride>(_: S.Type) {
      let strides = Self.samples.map { S($0) }
      for a in strides {
        #expect(a + .zero == a)
        #expect(a - a == .zero)
        #expect(-(-a) == a)
        #expect(a * 1 == a)
        #expect(a * 0 == .zero)
        #expect(2 * a == a + a)
        for b in strides {
          #expect(a + b == b + a)
          #expect(a - b == -(b - a))
          #expect(a * b == b * a)
          #expect(-a * b == -(a * b))
          #expect((a * b).magnitude == a.magnitude * b.magnitude)
          #expect((a < b) == (a.magnitude < b.magnitude))
          var (sum, difference, product) = (a, a, a)
          sum += b
          difference -= b
          product *= b
          #expect(sum == a + b)
          #expect(difference == a - b)
          #expect(product == a * b)
          for c in strides.prefix(10) {
            #expect((a + b) + c == a + (b + c))
            #expect((a * b) * c == a * (b * c))
            #expect(a * (b + c) == a * b + a * c)
          }
        }
      }
    }
    func open<T: DateTime>(_: T.Type) { check(T.Stride.self) }
    open(Self.types[index])
  }

  @Test(arguments: 0..<2)
  func `Extreme values do not trap, and a time is no distance from itself`(_ index: Int) {
    func check<T: DateTime>(_: T.Type) {
      for a in Self.extremes {
        let time = T(Date(timeIntervalSinceReferenceDate: a))
        #expect(time.distance(to: time) == .zero)
        for b in Self.extremes {
          let stride = T.Stride(a) + T.Stride(b) * T.Stride(a) - T.Stride(b)
          _ = time.advanced(by: stride).distance(to: T(Date(timeIntervalSinceReferenceDate: b)))
        }
      }
      let (now, never) = (T(Date()), T(Date(timeIntervalSinceReferenceDate: .infinity)))
      #expect(now.distance(to: never).magnitude == .infinity)
      #expect(never.distance(to: now).magnitude == -.infinity)
      #expect(now.advanced(by: now.distance(to: never)) == never)
    }
    check(Self.types[index])
  }

  @Test(arguments: 0..<2)
  func `Units are what they say`(_ index: Int) {
    func check<S: DateStride>(_: S.Type) {
      #expect(S.seconds(2).magnitude == 2)
      #expect(S.seconds(1.5).magnitude == 1.5)
      #expect(S.milliseconds(-250).magnitude == -0.25)
      #expect(S.microseconds(500).magnitude == 0.000_5)
      #expect(S.nanoseconds(7).magnitude == 0.000_000_007)
      #expect(S.seconds(Int.max).magnitude == TimeInterval(Int.max))
      #expect(S.nanoseconds(.min).magnitude == TimeInterval(Int.min) / 1e9)
      let (whole, parts): (S, S) = (3, 0.25)
      #expect(whole.magnitude == 3)
      #expect(parts.timeInterval == 0.25)
      #expect(S(exactly: 3)?.magnitude == 3)
      #expect(S(exactly: Int.max) == nil)
      var set = parts
      set.magnitude = 9
      #expect(set == S(9))
    }
    func open<T: DateTime>(_: T.Type) { check(T.Stride.self) }
    open(Self.types[index])
  }

  @Test(arguments: 0..<2)
  func `They are encoded under Combine's keys`(_ index: Int) throws {
    func check<T: DateTime>(_: T.Type) throws {
      let time = T(Date(timeIntervalSinceReferenceDate: 12.5))
      let timeText = try String(decoding: JSONEncoder().encode(time), as: UTF8.self)
      #expect(timeText == #"{"date":12.5}"#)
      #expect(try JSONDecoder().decode(T.self, from: Data(timeText.utf8)) == time)
      let strideText = try String(decoding: JSONEncoder().encode(T.Stride(2.5)), as: UTF8.self)
      #expect(strideText == #"{"magnitude":2.5}"#)
      #expect(try JSONDecoder().decode(T.Stride.self, from: Data(strideText.utf8)) == T.Stride(2.5))
    }
    try check(Self.types[index])
  }
}
