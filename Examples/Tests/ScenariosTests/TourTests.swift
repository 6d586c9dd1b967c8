// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import Scenarios
import Testing

/// The Tour in fast-forwarded time, so that the times it prints are the same in each run.
@Suite struct TourTests {
  @Test func `Names are unique, and headings there`() {
    #expect(Set(Scenario.all.map(\.name)).count == Scenario.all.count)
    #expect(Scenario.all.allSatisfy { !$0.heading.isEmpty })
  }

  @Test func `The expected text has all systems, in the order of the tour`() throws {
    #expect(try TourText.sections().map(\.heading) == Scenario.all.map(\.heading))
  }

  @Test(arguments: Scenario.all.map(\.name))
  func `A system prints what is expected of it`(_ name: String) async throws {
    let scenario = try #require(Scenario.all.first { $0.name == name })
    let expected = try #require(try TourText.sections().first { $0.heading == scenario.heading })
    let lines = await scenario.lines().map(TourText.bare)
    #expect(!lines.isEmpty)
    #expect(lines == expected.lines)
  }
}
