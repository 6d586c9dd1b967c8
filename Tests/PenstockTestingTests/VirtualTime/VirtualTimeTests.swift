// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore
import PenstockTesting
import Testing

@Suite struct VirtualTimeTests {
  @Test(arguments: [
    (0, "0s"), (1, "0.000000001s"), (1_500_000_000, "1.5s"), (-250_000_000, "-0.25s"), (60_000_000_000, "60s"),
    (1_000_000_100, "1.0000001s"), (Int.min, "-9223372036.854775808s"),
  ])
  func `Texts are in seconds`(_ nanoseconds: Int, _ text: String) {
    #expect(VirtualTime(nanoseconds: nanoseconds).description == text)
    #expect(VirtualTime.Stride(nanoseconds: nanoseconds).description == text)
  }

  @Test func `Literals are seconds`() {
    #expect((1.5 as VirtualTime).nanoseconds == 1_500_000_000)
    #expect((2 as VirtualTime).nanoseconds == 2_000_000_000)
    #expect((0.3 as VirtualTime.Stride) == .milliseconds(300))
    #expect((3 as VirtualTime.Stride) == .seconds(3))
    #expect(VirtualTime.Stride(exactly: 3) == .seconds(3))
    #expect(VirtualTime.Stride(exactly: UInt.max) == nil)
    #expect(VirtualTime.Stride(exactly: Int.max) == nil)
  }

  @Test func `Units`() {
    #expect(VirtualTime.Stride.seconds(2) == .milliseconds(2_000))
    #expect(VirtualTime.Stride.seconds(0.002) == .microseconds(2_000))
    #expect(VirtualTime.Stride.microseconds(2) == .nanoseconds(2_000))
  }

  @Test func `Arithmetic`() {
    let (one, two) = (VirtualTime.Stride.seconds(1), VirtualTime.Stride.seconds(2))
    #expect(one + two == 3)
    #expect(one - two == -1)
    #expect((one - two).magnitude == one)
    #expect(two * 1.5 == 3)
    #expect(one < two)
    var three = two
    three *= 1.5
    #expect(three == 3)
    #expect((1 as VirtualTime).distance(to: 3) == two)
    #expect((1 as VirtualTime).advanced(by: two) == 3)
  }

  @Test func `Arithmetic saturates`() {
    let (least, most) = (VirtualTime.Stride(nanoseconds: .min), VirtualTime.Stride(nanoseconds: .max))
    #expect(most + 1 == most)
    #expect(least + -1 == least)
    #expect(least - 1 == least)
    #expect(most - -1 == most)
    #expect(most * 2 == most)
    #expect(most * -2 == least)
    #expect(least.magnitude == most)
    #expect(VirtualTime.Stride.seconds(Int.max) == most)
    #expect(VirtualTime.Stride.seconds(Int.min) == least)
    #expect(VirtualTime.Stride.seconds(1e300) == most)
    #expect(VirtualTime.Stride.seconds(-Double.infinity) == least)
    #expect(VirtualTime(nanoseconds: .max).advanced(by: 1) == VirtualTime(nanoseconds: .max))
    #expect(VirtualTime(nanoseconds: .min).distance(to: VirtualTime(nanoseconds: .max)) == most)
  }

  @Test func `Times and lengths survive coding`() throws {
    let pair = [VirtualTime(nanoseconds: 5), 1.5]
    #expect(try JSONDecoder().decode([VirtualTime].self, from: JSONEncoder().encode(pair)) == pair)
    let length = [VirtualTime.Stride.seconds(2)]
    #expect(try JSONDecoder().decode([VirtualTime.Stride].self, from: JSONEncoder().encode(length)) == length)
  }
}
