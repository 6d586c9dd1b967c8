// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore
import TestSupport
import Testing

typealias Demand = Subscribers.Demand

/// The demands at the edges of the arithmetic.
///
/// As numbers, with `nil` for unlimited.
let edgeCounts: [Int?] = [0, 1, 2, 7, Int.max - 1, Int.max, nil]

func demand(_ count: Int?) -> Demand { count.map { .max($0) } ?? .unlimited }

/// Every ordered pair of the edge demands.
let edgePairs: [(Int?, Int?)] = edgeCounts.flatMap { a in edgeCounts.map { (a, $0) } }

let edgeNumbers = [Int.min, -7, -1, 0, 1, 7, Int.max]

@Suite struct DemandTests {
  @Test(arguments: edgeCounts)
  func `A demand knows its count`(_ count: Int?) {
    #expect(demand(count).max == count)
    #expect(demand(count).description == (count.map { "max(\($0))" } ?? "unlimited"))
    #expect("\(demand(count))" == demand(count).description)
  }

  @Test func `None is a demand for zero values`() {
    #expect(Demand.none == .max(0))
    #expect(Demand.none.description == "max(0)")
    #expect(Demand.max(Int.max) != .unlimited)
  }

  @Test(arguments: edgePairs)
  func `Adding demands saturates at unlimited`(_ a: Int?, _ b: Int?) {
    let expected: Demand =
      if let a, let b {
        {
          let (sum, overflow) = a.addingReportingOverflow(b); return overflow ? .unlimited : .max(sum)
        }()
      } else {
        .unlimited
      }
    #expect(demand(a) + demand(b) == expected)
    var sum = demand(a)
    sum += demand(b)
    #expect(sum == expected)
  }

  @Test(arguments: edgePairs)
  func `Subtracting demands keeps unlimited and never wraps`(_ a: Int?, _ b: Int?) {
    let expected: Demand
    switch (a, b) {
    case (nil, _): expected = .unlimited
    case (_, nil): expected = .none
    case (let a?, let b?):
      guard a >= b else { return }  // Otherwise it traps: below.
      expected = .max(a - b)
    }
    #expect(demand(a) - demand(b) == expected)
    var difference = demand(a)
    difference -= demand(b)
    #expect(difference == expected)
  }

  @Test(arguments: edgePairs)
  func `Demands compare by count, with unlimited above all`(_ a: Int?, _ b: Int?) {
    let (x, y) = (demand(a), demand(b))
    let less = a != nil && (b == nil || a! < b!)
    let equal = a == b
    #expect((x < y) == less)
    #expect((x == y) == equal)
    #expect((x != y) == !equal)
    #expect((x <= y) == (less || equal))
    #expect((x > y) == (!less && !equal))
    #expect((x >= y) == !less)
    if equal { #expect(x.hashValue == y.hashValue) }
  }

  @Test(arguments: edgeCounts, edgeNumbers)
  func `Demands compare with numbers on either side`(_ count: Int?, _ number: Int) {
    let d = demand(count)
    guard let count else {
      #expect(d > number && d >= number && d != number && number < d && number <= d && number != d)
      #expect(!(d < number) && !(d <= number) && !(d == number) && !(number > d) && !(number >= d) && !(number == d))
      return
    }
    #expect((d < number) == (count < number))
    #expect((d <= number) == (count <= number))
    #expect((d > number) == (count > number))
    #expect((d >= number) == (count >= number))
    #expect((d == number) == (count == number))
    #expect((d != number) == (count != number))
    #expect((number < d) == (number < count))
    #expect((number <= d) == (number <= count))
    #expect((number > d) == (number > count))
    #expect((number >= d) == (number >= count))
    #expect((number == d) == (number == count))
    #expect((number != d) == (number != count))
  }

  @Test(arguments: edgeCounts, edgeNumbers)
  func `Adding a number saturates`(_ count: Int?, _ number: Int) {
    guard let count else {
      #expect(Demand.unlimited + number == .unlimited)
      return
    }
    let (sum, overflow) = count.addingReportingOverflow(number)
    guard overflow || sum >= 0 else { return }  // Otherwise it traps.
    #expect(demand(count) + number == (overflow ? .unlimited : .max(sum)))
    var d = demand(count)
    d += number
    #expect(d == demand(count) + number)
  }

  @Test(arguments: edgeCounts, edgeNumbers)
  func `Subtracting a number past the range gives none, as in Combine`(_ count: Int?, _ number: Int) {
    guard let count else {
      #expect(Demand.unlimited - number == .unlimited)
      return
    }
    let (difference, overflow) = count.subtractingReportingOverflow(number)
    guard overflow || difference >= 0 else { return }  // Otherwise it traps.
    #expect(demand(count) - number == (overflow ? .none : .max(difference)))
    var d = demand(count)
    d -= number
    #expect(d == demand(count) - number)
  }

  @Test(arguments: edgeCounts, edgeNumbers)
  func `Multiplying saturates, and unlimited stays so whatever the factor`(_ count: Int?, _ factor: Int) {
    guard let count else {
      #expect(Demand.unlimited * factor == .unlimited)
      return
    }
    guard factor >= 0 else { return }  // Otherwise it traps.
    let (product, overflow) = count.multipliedReportingOverflow(by: factor)
    #expect(demand(count) * factor == (overflow ? .unlimited : .max(product)))
    var d = demand(count)
    d *= factor
    #expect(d == demand(count) * factor)
  }

  @Test(arguments: edgeCounts)
  func `Coding writes one unsigned number`(_ count: Int?) throws {
    let data = try JSONEncoder().encode([demand(count)])
    #expect(String(decoding: data, as: UTF8.self) == "[\(count.map(UInt.init) ?? UInt(Int.max) + 1)]")
    #expect(try JSONDecoder().decode([Demand].self, from: data) == [demand(count)])
  }

  @Test func `Decoding takes anything too large for unlimited, and refuses a negative number`() throws {
    let decode = { (text: String) in try JSONDecoder().decode([Demand].self, from: Data(text.utf8)) }
    #expect(try decode("[18446744073709551615]") == [.unlimited])
    #expect(try decode("[9223372036854775809]") == [.unlimited])
    #expect(throws: (any Error).self) { try decode("[-1]") }
  }
}

@Suite struct DemandTraps {
  @Test func `A negative count`() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Subscribers.Demand.max(-1)
    }
    expectMessage(result, "Subscribers.Demand.max(_:) takes 0 or more")
  }

  @Test func `A demand minus a larger one`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Subscribers.Demand.max(1) - .max(2)
    }
    expectMessage(result, "cannot fall below zero")
  }

  @Test func `A demand minus a larger number`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Subscribers.Demand.max(1) - 2
    }
    expectMessage(result, "cannot fall below zero")
  }

  @Test func `A demand plus a number below zero`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Subscribers.Demand.max(1) + -2
    }
    expectMessage(result, "cannot fall below zero")
  }

  @Test func `A negative factor`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Subscribers.Demand.max(1) * -1
    }
    expectMessage(result, "multiplied by a negative number")
  }
}
