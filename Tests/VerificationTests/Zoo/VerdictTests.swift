// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore
import PenstockTesting
import Testing

/// How a verification reports its observations: no observation is thrown away, and no word says more than was checked.
@Suite struct VerdictTests {
  /// The calls of a subscriber, and how they stop the process.
  enum Stop: CaseIterable {
    case trapsAtCancel, trapsAtRequest, trapsAtSubscription, exitsAtRequest

    var call: String {
      switch self {
      case .trapsAtCancel: "cancel()"
      case .trapsAtRequest, .exitsAtRequest: "request(_:)"
      case .trapsAtSubscription: "receive(subscriber:)"
      }
    }

    func publisher(_ count: Int) -> some Publisher<Int, Never> {
      (0..<count).publisher.handleEvents(
        receiveSubscription: { _ in if self == .trapsAtSubscription { fatalError("the socket is closed already") } },
        receiveCancel: { if self == .trapsAtCancel { fatalError("the socket is closed already") } },
        receiveRequest: { _ in
          if self == .trapsAtRequest { fatalError("the socket is closed already") }
          if self == .exitsAtRequest { exit(0) }
        })
    }
  }

  @Test(.hasOwnProcesses, arguments: Stop.allCases)
  func `What stops the process fails, by a rule that is about it, in the call that has stopped it`(_ stop: Stop) async {
    let report = await PublisherVerification("socket").finite { stop.publisher($0) }.report()
    #expect(report.leading.map(\.rule.id) == ["P-15"], "\(report)")
    #expect(report.leading.first?.isFailure == true)
    let text = report.leading.first?.outcome.reason ?? ""
    #expect(text.contains("in \(stop.call)"))
    #expect(text.contains(stop == .exitsAtRequest ? "exit 0" : "the socket is closed already"))
    #expect(report.leading.first?.description.contains("Often:") == false)
    #expect(!report.complaints().isEmpty)
    // Also on its own, whatever the severity of the rule that was asked for.
    #expect(throws: TestFailure.self) {
      try PublisherVerification("socket").finite { stop.publisher($0) }.check(stop == .trapsAtCancel ? "S-04" : "P-05")
    }
  }

  @Test(.hasOwnProcesses) func `A call that does not come back fails, though its rule is a warning, and takes seconds`()
    async
  {
    let verification = PublisherVerification("sleeper").finite { _ in Sleeper() }
    let report = await verification.report()
    #expect(report.leading.map(\.rule.id) == ["P-14"], "\(report)")
    #expect(report.failures.map(\.rule.id) == ["P-14"])
    #expect(report.open.count > 20)
    #expect(report.complaints().contains { $0.hasPrefix("nothing can be said of") }, "\(report)")
    #expect(report.open.allSatisfy { $0.rule.id == "C-07" || $0.outcome.reason.contains("P-14") })
  }

  @Test(.hasOwnProcesses) func `What another check sees broken is broken`() async {
    let report = await OperatorVerification("twice asked") { TwiceAsked(upstream: $0) }.traits(.transparent).report()
    #expect(report.leading.filter(\.isFailure).map(\.rule.id) == ["P-03"], "\(report)")
    #expect(report.broken.map(\.rule.id).contains("P-04"))
    guard case .broken(let finding) = report.leading.first?.outcome else {
      Issue.record("P-03 is not broken")
      return
    }
    #expect(finding.seenBy != nil)
    // Nor for one rule on its own.
    #expect(throws: TestFailure.self) {
      try OperatorVerification("twice asked") { TwiceAsked(upstream: $0) }.traits(.transparent).check("P-04")
    }
  }

  @Test(.hasOwnProcesses) func `What drops is asked inside of the subscription, so that its values reach the checks`()
    async
  {
    let trapping = OperatorVerification("debounce, trapping") { upstream, scheduler in
      upstream.debounce(for: 1, scheduler: scheduler).map { (_: Int) -> Int in fatalError("a value") }
    }
    .traits(.requestsEverything, .dropsUnrequested)
    let report = await trapping.report()
    #expect(report.leading.map(\.rule.id) == ["P-15"], "\(report)")
    let fine = OperatorVerification("debounce") { $0.debounce(for: 1, scheduler: $1) }
      .traits(.requestsEverything, .dropsUnrequested)
    for id in ["P-03", "S-01", "S-04", "C-02", "C-05"] {
      let outcome = fine.result(of: Rule.named(id)!).outcome
      #expect(outcome.word == "held" && outcome.reason.contains("values: "), "\(id): \(outcome)")
    }
  }

  @Test(.hasOwnProcesses) func `A waiver silences its rule alone`() async {
    let pages = PublisherVerification("pages").finite { OncePages(count: $0) }
    let broken = await pages.report().broken.map(\.rule.id)
    #expect(broken.contains("P-10"))
    for id in broken where id != "P-10" {
      let report = await pages.waiving(id, because: "by design").report()
      #expect(report.failures.map(\.rule.id).contains("P-10"), "\(id): \(report)")
    }
  }

  @Test(.hasOwnProcesses) func `What nothing has reached does not hold`()
    async
  {
    let verification = PublisherVerification("silent").finite { _ in Empty<Int, Never>() }
    let report = await verification.report()
    #expect(report.failures.isEmpty, "\(report)")
    let ofValues = report.results.filter { ["P-03", "P-12", "S-04"].contains($0.rule.id) }
    #expect(ofValues.filter { !$0.outcome.isOpen }.isEmpty)
    let declared = await verification.traits(.deliversNothing).report()
    #expect(declared.open.count < report.open.count)
  }

  @Test(.hasOwnProcesses)
  func `A strict judgement takes warnings and open rules for failures, unless they are allowed`() async {
    let verification = PublisherVerification("keeps").finite { Keeping(count: $0) }
    let report = await verification.report()
    #expect(report.broken.map(\.rule.id) == ["M-03"], "\(report)")
    #expect(report.complaints().isEmpty)
    #expect(!report.complaints(.strict).isEmpty)
    let allowed = await verification.allowing("M-03", because: "as Combine's operators").report()
    #expect(allowed.complaints(.strict).isEmpty, "\(allowed.complaints(.strict))")
    #expect(allowed.results.first { $0.rule.id == "M-03" }?.outcome.word == "allowed")
  }

  @Test(.hasOwnProcesses, arguments: [DemandVariation.order, .allButTheLast])
  func `Order that depends on demand is compared without it`(_ variation: DemandVariation) async {
    let verification =
      variation == .order
      ? OperatorVerification("merge") { $0.merge(with: $0) }
      : OperatorVerification("combineLatest") { $0.combineLatest($0) { $0 * 100 + $1 } }
    let plain = await verification.traits(.upstreams(2)).report()
    let said = await verification.traits(.upstreams(2), .variesWithDemand(variation)).report()
    #expect(!plain.failures.isEmpty)
    #expect(said.failures.count < plain.failures.count, "\(said)")
  }
}

private struct Sleeper: Publisher {
  typealias Output = Int
  typealias Failure = Never

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never { sleep(1_000) }
}

/// Requests twice the demand of downstream.
private struct TwiceAsked<Upstream: Publisher>: Publisher {
  typealias Output = Upstream.Output
  typealias Failure = Upstream.Failure

  let upstream: Upstream

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    upstream.subscribe(Inner(subscriber))
  }

  private final class Inner<S: Subscriber>: Subscriber, Subscription where S.Input == Output, S.Failure == Failure {
    typealias Input = Output

    private let downstream: S
    private var upstream: (any Subscription)?
    private var hasBegun = false

    init(_ downstream: S) { self.downstream = downstream }

    func receive(subscription: any Subscription) {
      if hasBegun { return subscription.cancel() }
      (hasBegun, upstream) = (true, subscription)
      downstream.receive(subscription: self)
    }

    func receive(_ input: Output) -> Subscribers.Demand {
      let more = downstream.receive(input)
      if more == .max(1) { request(more) }
      return more
    }

    func receive(completion: Subscribers.Completion<Failure>) {
      upstream = nil
      downstream.receive(completion: completion)
    }

    func request(_ demand: Subscribers.Demand) { upstream?.request(demand) }

    func cancel() {
      upstream?.cancel()
      upstream = nil
    }
  }
}

/// Pages that end with the demand, and continue for the next subscriber.
private struct OncePages: Publisher {
  typealias Output = Int
  typealias Failure = Never

  private final class Place { var next = 0 }

  let count: Int
  private let place = Place()

  init(count: Int) { self.count = count }

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
    let (place, count) = (place, count)
    Deferred {
      (place.next..<Swift.max(place.next, count)).publisher.handleEvents(receiveOutput: { place.next = $0 + 1 })
    }
    .subscribe(subscriber)
  }
}

/// Correct, except for a subscription that holds its subscriber after the end.
private struct Keeping: Publisher {
  typealias Output = Int
  typealias Failure = Never

  let count: Int

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
    MisbehavingPublisher(Array(0..<count)).subscribe(Inner(subscriber))
  }

  private final class Inner<S: Subscriber>: Subscriber, Subscription where S.Input == Int, S.Failure == Never {
    private let downstream: S
    private var upstream: (any Subscription)?

    init(_ downstream: S) { self.downstream = downstream }

    func receive(subscription: any Subscription) {
      upstream = subscription
      downstream.receive(subscription: self)
    }

    func receive(_ input: Int) -> Subscribers.Demand { downstream.receive(input) }

    func receive(completion: Subscribers.Completion<Never>) {
      if upstream == nil { return }
      upstream = nil
      downstream.receive(completion: completion)
    }

    func request(_ demand: Subscribers.Demand) { upstream?.request(demand) }

    func cancel() {
      upstream?.cancel()
      upstream = nil
    }
  }
}
