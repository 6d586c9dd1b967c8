// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockTesting
import TestSupport
import Testing

/// Whether the rosters have everything that the library has.
@Suite struct RosterTests {
  /// Operators that have no line of their own, with the reason.
  private static let otherwise: [String: String] = [
    "makeConnectable": "delivers nothing before it is connected: it is what `multicast, autoconnect` consists of",
    "breakpointOnError": "`breakpoint` with one of its closures",
    "subscribe": "attaches a subscriber; as an operator it is `subscribe(on:)`",
    "receive": "attaches a subscriber; as an operator it is `receive(on:)`",
    "sink": "makes a subscriber, which is in the roster",
    "assign": "makes a subscriber, which is in the roster",
  ]

  @Test func `Every operator of Combine's is in the roster`() throws {
    let lines = Set((OperatorSpec.all + OperatorSpec.delaying).map { $0.name.prefix { $0.isLetter } }.map(String.init))
    let missing = try PublicNames.operators(in: "PenstockCore/Operators").subtracting(lines)
    #expect(missing.subtracting(Self.otherwise.keys).sorted() == [])
    #expect(try PublicNames.operators(in: "PenstockCore/Operators").count > 60)
  }

  /// Types that have no line of their own, with the reason.
  private static let otherTypes: [String: String] = [
    "Publisher": "of Optional and of Result: in the roster by their full names",
    "AnySubscriber": "passes on what another subscriber does",
    "ImmediateScheduler": "has no time: it runs everything at once, by its documentation",
    "InstantScheduler": "has no time that passes by itself: it jumps to each date, by its documentation",
    "UnimplementedScheduler": "stops the process when it is used, by its documentation",
    "AnyScheduler": "passes on what another scheduler does",
    "AsyncSubject": "delivers its last value at its end only, so that nothing can be compared with what was sent",
    "ConnectablePublisher": "a protocol",
  ]

  @Test(arguments: [
    "PenstockCore/Publishers", "PenstockCore/Subjects", "PenstockCore/Subscribers", "PenstockCore/Schedulers",
    "PenstockCore/Values", "PenstockOperators/Publishers", "PenstockOperators/Subjects",
    "PenstockOperators/Subscribers",
    "PenstockOperators/Schedulers",
  ])
  func `Every publisher, subject, subscriber and scheduler is in the roster`(_ folder: String) throws {
    let lines =
      Roster.publishers.map(\.name) + Roster.subjects.map(\.name) + Roster.subscribers.map(\.name)
      + Roster.schedulers.map(\.name)
    let names = Set(lines.flatMap { $0.split(separator: ".").map(String.init) })
    let missing = try PublicNames.types(in: folder).subtracting(names).subtracting(Self.otherTypes.keys)
    #expect(missing.sorted() == [])
  }

  /// The number of waivers may fall, and grows only where somebody looks at it.
  @Test func `Waivers are counted`() {
    let operators = (OperatorSpec.all + OperatorSpec.delaying).map(\.verification.waivers.count)
    let publishers = Roster.publishers.map(\.waivers.count) + Roster.subjects.map(\.waivers.count)
    #expect(operators.reduce(0, +) == 17)
    #expect(publishers.reduce(0, +) == 1)
    #expect(Roster.timedOperators.map(\.waivers.count).reduce(0, +) == 2)
  }

  @Test func `Every rule has a heading in the documentation, with what it asks and the usual cause`() throws {
    let page = try PublicNames.page("PenstockTesting/PenstockTesting.docc/Rules.md")
    for rule in Rule.all {
      #expect(page.contains("### \(rule.id) **\(rule.title).**"), "\(rule)")
      #expect(page.contains(rule.cause), "\(rule)")
    }
  }
}
