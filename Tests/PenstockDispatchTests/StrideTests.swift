// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Dispatch
import Foundation
import PenstockDispatch
import TestSupport
import Testing

/// Strides of queues.
@Suite struct StrideTests {
  private typealias Stride = DispatchQueue.SchedulerTimeType.Stride

  /// Extreme values, and many random ones; the same in each run.
  private static let samples: [Stride] = {
    var generator = SeededGenerator(seed: 1)
    let extreme = [Int.min, .min + 1, -1_000_000_000, -1, 0, 1, 999_999_999, 1_000_000_000, .max - 1, .max]
    return (extreme + (0..<60).map { _ in generator.number() }).map { Stride.nanoseconds($0) }
  }()

  /// A stride's value without bounds.
  private static func exact(_ stride: Stride) -> Int128 { Int128(stride.magnitude) }

  private static func clamped(_ value: Int128) -> Stride { .nanoseconds(Int(clamping: value)) }

  @Test func `Sums and differences are exact, or the bound that they exceed`() {
    for a in Self.samples {
      for b in Self.samples {
        #expect(a + b == Self.clamped(Self.exact(a) + Self.exact(b)))
        #expect(a - b == Self.clamped(Self.exact(a) - Self.exact(b)))
        #expect(a + b == b + a)
        var (sum, difference) = (a, a)
        sum += b
        difference -= b
        #expect(sum == a + b)
        #expect(difference == a - b)
      }
    }
  }

  @Test func `Sums can be grouped in any way where nothing exceeds the bounds`() {
    let limit = Int.max / 4
    let small = Self.samples.filter { (-limit...limit).contains($0.magnitude) }
    for a in small {
      for b in small {
        for c in small { #expect((a + b) + c == a + (b + c)) }
      }
    }
  }

  @Test func `Zero and the opposite are what they are for numbers`() {
    for a in Self.samples {
      #expect(a + .zero == a)
      #expect(a - a == .zero)
      #expect(-a == Self.clamped(-Self.exact(a)))
      if a.magnitude != .min { #expect(-(-a) == a) }
      var negated = a
      negated.negate()
      #expect(negated == -a)
    }
  }

  @Test func `Products count in seconds, exact to the nanosecond, or are the bound that they exceed`() {
    for a in Self.samples {
      for b in Self.samples {
        let product = Self.exact(a) * Self.exact(b) / 1_000_000_000
        #expect(a * b == Self.clamped(product))
        #expect(a * b == b * a)
        if a.magnitude != .min, product.magnitude < Int.max { #expect(-a * b == -(a * b)) }
        var factor = a
        factor *= b
        #expect(factor == a * b)
      }
    }
  }

  @Test func `One is the one of the product, and a small number adds a length up`() {
    for a in Self.samples {
      #expect(a * 1 == a)
      #expect(a * 0 == .zero)
      #expect(a * -1 == -a)
      #expect(2 * a == a + a)
      #expect(3 * a == Self.clamped(3 * Self.exact(a)))
    }
    #expect(2 * .milliseconds(5) == Stride.milliseconds(10))
    #expect(Stride.seconds(2) * 3 == .seconds(6))
    #expect(Stride.seconds(0.5) * .seconds(0.5) == .seconds(0.25))
  }

  @Test func `Products can be grouped and spread over sums for whole seconds`() {
    let seconds = [-7, -1, 0, 1, 2, 3, 60, 86_400].map { Stride.seconds($0) }
    for a in seconds {
      for b in seconds {
        for c in seconds {
          #expect((a * b) * c == a * (b * c))
          #expect(a * (b + c) == a * b + a * c)
        }
      }
    }
  }

  @Test func `The order is that of the numbers`() {
    for a in Self.samples {
      for b in Self.samples {
        #expect((a < b) == (a.magnitude < b.magnitude))
        #expect([a < b, a == b, a > b].filter { $0 }.count == 1)
        #expect((a == b) == (a.hashValue == b.hashValue))
      }
    }
  }

  @Test func `Units are what they say`() {
    #expect(Stride.seconds(2).magnitude == 2_000_000_000)
    #expect(Stride.seconds(-2).magnitude == -2_000_000_000)
    #expect(Stride.seconds(1.5).magnitude == 1_500_000_000)
    #expect(Stride.milliseconds(2).magnitude == 2_000_000)
    #expect(Stride.microseconds(2).magnitude == 2_000)
    #expect(Stride.nanoseconds(2).magnitude == 2)
    let (whole, parts): (Stride, Stride) = (3, 0.25)
    #expect(whole == .seconds(3))
    #expect(parts == .milliseconds(250))
  }

  @Test func `Units that do not fit are the bound, and parts of a nanosecond are dropped`() {
    for unit in [Stride.seconds(_:) as (Int) -> Stride, Stride.milliseconds, Stride.microseconds, Stride.nanoseconds] {
      #expect(unit(.max).magnitude == .max)
      #expect(unit(.min).magnitude == .min)
    }
    #expect(Stride.seconds(1e300).magnitude == .max)
    #expect(Stride.seconds(-1e300).magnitude == .min)
    #expect(Stride.seconds(Double.infinity).magnitude == .max)
    #expect(Stride.seconds(-Double.infinity).magnitude == .min)
    #expect(Stride.seconds(Double.nan).magnitude == 0)
    #expect(Stride.seconds(1.9e-9).magnitude == 1)
    #expect(Stride.seconds(-1.9e-9).magnitude == -1)
  }

  @Test func `An exact number of seconds, or none`() {
    #expect(Stride(exactly: 3) == .seconds(3))
    #expect(Stride(exactly: Int8(-3)) == .seconds(-3))
    #expect(Stride(exactly: UInt64.max) == nil)
    #expect(Stride(exactly: Int.max) == nil)
  }

  @Test func `Dispatch's intervals go in, and come out in nanoseconds`() {
    #expect(Stride(.seconds(1)) == .seconds(1))
    #expect(Stride(.milliseconds(1)) == .milliseconds(1))
    #expect(Stride(.microseconds(1)) == .microseconds(1))
    #expect(Stride(.nanoseconds(1)) == .nanoseconds(1))
    #expect(Stride(.never).magnitude == .max)
    #expect(Stride.seconds(1).timeInterval == .nanoseconds(1_000_000_000))
  }

  @Test func `The magnitude can be set`() {
    var stride = Stride.seconds(1)
    stride.magnitude = 5
    #expect(stride == .nanoseconds(5))
  }

  @Test func `It is encoded under Combine's key`() throws {
    let text = try String(decoding: JSONEncoder().encode(Stride.nanoseconds(7)), as: UTF8.self)
    #expect(text == #"{"_nanoseconds":7}"#)
    #expect(try JSONDecoder().decode(Stride.self, from: Data(text.utf8)) == .nanoseconds(7))
  }
}
