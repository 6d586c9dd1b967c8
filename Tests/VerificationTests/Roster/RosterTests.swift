// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockTesting
import TestSupport
import Testing

/// Tests that the rosters have everything that the library has.
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

  /// The names of all lines.
  private static let lines: [String] =
    (Roster.publishers + Roster.subjects + Roster.subscribers + Roster.schedulers + Roster.foundationPublishers
    + Roster.coders + Roster.taskPublishers + Roster.taskOperators + Roster.taskSchedulers + Roster.ofQueues
    as [any Verification]).map(\.name)

  /// The methods that make publishers in the modules beside the core, each with its line in the roster.
  private static let made: [String: String] = [
    "Timer.publish": "Timer.TimerPublisher",
    // For several names or requests: `MergeMany` of these, which is in the roster as `merge`.
    "NotificationCenter.publisher": "NotificationCenter.Publisher",
    "URLSession.dataTaskPublisher": "URLSession.DataTaskPublisher",
    "URLSession.decodedDataTaskPublisher": "decodedDataTaskPublisher",
    "Publishers.timer": "Publishers.DispatchTimer",
    "AsyncSequence.publisher": "AsyncSequence.publisher",
    "Publishers.fetching": "Publishers.fetching",
    "Publishers.pages": "Publishers.pages",
    "Publishers.using": "Publishers.using, asynchronous",
    "Deferred.init": "Deferred, asynchronous",
    "Future.init": "Future, asynchronous",
    "SendablePublisher.eraseToAnySendablePublisher": "AnySendablePublisher",
  ]

  @Test func `What makes publishers in other modules is in the roster`() throws {
    let folders = ["PenstockDispatch", "PenstockFoundation", "PenstockOperatorsFoundation", "PenstockConcurrency"]
    // The methods of `SendablePublisher` are the plain ones with checked closures: other tests compare the two. It is
    // not a publisher itself, and the one that it makes is in the roster.
    let found = try folders.flatMap { try PublicNames.makers(in: $0) }
      .filter { !$0.hasPrefix("SendablePublisher.") || Self.made[$0] != nil }.filter { !$0.hasSuffix(".sendable") }
    #expect(Set(found) == Set(Self.made.keys))
    #expect(Self.made.values.filter { !Self.lines.contains($0) } == [])
    let conformers = try Set(folders.flatMap { try PublicNames.conformers(in: $0) })
    #expect(conformers.subtracting(Self.lines).sorted() == [])
    #expect(conformers.count == 7)
  }

  @Test func `Every operator and sink of PenstockConcurrency is in the roster`() throws {
    let names = Set(Self.lines.map { String($0.prefix { $0.isLetter }) })
    let found = try ["Tasks", "Deliveries", "Isolation", "Schedulers"].flatMap {
      try PublicNames.operators(in: "PenstockConcurrency/\($0)")
    }
    #expect(Set(found).subtracting(names).sorted() == [])
    #expect(Set(found).count >= 10)
  }

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
    "CurrentValuePublisher": "publishes what its subject does, which is in the roster; it cannot be sent to",
    "AsyncBufferedPublisher": "an asynchronous sequence; its subscriber is in the roster as `values(buffering:)`",
  ]

  @Test(arguments: [
    "PenstockCore/Publishers", "PenstockCore/Subjects", "PenstockCore/Subscribers", "PenstockCore/Schedulers",
    "PenstockCore/Values", "PenstockOperators/Publishers", "PenstockOperators/Subjects",
    "PenstockOperators/Subscribers",
    "PenstockOperators/Schedulers", "PenstockDispatch", "PenstockFoundation", "PenstockOperatorsFoundation",
    "PenstockConcurrency",
  ])
  func `Every publisher, subject, subscriber and scheduler is in the roster`(_ folder: String) throws {
    let names = Set(Self.lines.flatMap { $0.split(separator: ".").map(String.init) })
    let missing = try PublicNames.types(in: folder).subtracting(names).subtracting(Self.otherTypes.keys)
    #expect(missing.sorted() == [])
  }

  /// The number of waivers may fall, and grows only by a deliberate change.
  @Test func `Waivers are counted`() {
    let operators = (OperatorSpec.all + OperatorSpec.delaying).map(\.verification.waivers.count)
    let publishers = Roster.publishers.map(\.waivers.count) + Roster.subjects.map(\.waivers.count)
    #expect(operators.reduce(0, +) == 19)
    #expect(publishers.reduce(0, +) == 1)
    #expect(Roster.timedOperators.map(\.waivers.count).reduce(0, +) == 4)
    let others = Roster.foundationPublishers + Roster.coders + Roster.taskPublishers + Roster.taskOperators
    #expect((others + Roster.ofQueues as [any Verification]).map(\.waivers.count).reduce(0, +) == 5)
    #expect((others as [any Verification]).map(\.allowances.count).reduce(0, +) == 1)
  }

  @Test func `Every rule has a heading in the documentation, with what it asks and the usual cause`() throws {
    let page = try PublicNames.page("PenstockTesting/PenstockTesting.docc/Rules.md")
    for rule in Rule.all {
      #expect(page.contains("### \(rule.id) **\(rule.title).**"), "\(rule)")
      #expect(page.contains(rule.cause), "\(rule)")
    }
  }
}
