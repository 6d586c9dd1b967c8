// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import PenstockTesting
import Testing

/// A mistake that was published, and the rule that finds it.
struct PublishedMistake: Sendable, CustomTestStringConvertible {
  let name: String
  let rule: String
  let verification: any Verification
  /// The same verification without the mistake.
  let repaired: any Verification

  var testDescription: String { name }
}

private func control(_ ignoresDemand: Bool) -> any Verification {
  PublisherVerification("control").finite { count in
    let control = Control()
    let left = Counter(count)
    return Driven(ControlPublisher(control: control, ignoresDemand: ignoresDemand)) {
      if left.takeOne() { control.press() }
    }
  }.traits(.hot)
}

private final class Counter {
  private var count: Int

  init(_ count: Int) { self.count = count }

  func takeOne() -> Bool {
    count -= 1
    return count >= 0
  }
}

private func fibonacci(_ mistake: FibonacciMistake?) -> any Verification {
  PublisherVerification("fibonacci").finite { FibonacciPublisher(count: $0, mistake: mistake) }
}

private func timer(_ mistake: TutorialTimerMistake?) -> any Verification {
  PublisherVerification("timer")
    .finite { TutorialTimer(count: $0, scheduler: $1, mistake: mistake) }
    .ticking(every: 1) { TutorialTimer(count: .max, scheduler: $0, mistake: mistake) }
    .traits(.hot)
}

private func shareReplay(_ mistake: ShareReplayMistake?) -> any Verification {
  OperatorVerification("shareReplay") { TutorialShareReplay($0, mistake) }.traits(.shared, .requestsEverything)
}

private func lines(_ forces: Bool) -> any Verification {
  PublisherVerification("lines").failing { FileLines(forces: forces) }
}

private func register(_ isBySubscriber: Bool) -> any Verification {
  PublisherVerification("register").finite { RegisteredPublisher(count: $0, isBySubscriber: isBySubscriber) }
}

private func misbehaving(_ misbehavior: Misbehavior?) -> any Verification {
  PublisherVerification("publisher").finite { MisbehavingPublisher(Array(0..<$0), misbehavior) }
}

private func delaying(_ fault: DelayFault?) -> any Verification {
  OperatorVerification("gate") { ZooDelay(upstream: $0, scheduler: $1, fault: fault) }
}

extension PublishedMistake {
  static let all: [PublishedMistake] = [
    .init("publisherWithoutSubscription", "P-01", .noSubscription),
    .init("observerFiringInInit", "P-02", .earlyValue),
    .init(
      name: "controlPublisherIgnoringDemand", rule: "P-03", verification: control(true), repaired: control(false)),
    .init(
      name: "fibonacciMiscountingTheFirstTwo", rule: "P-03", verification: fibonacci(.miscountsTheFirstTwo),
      repaired: fibonacci(nil)),
    .init(
      name: "timerThrowingAwayReturnedDemand", rule: "P-04", verification: timer(.throwsAwayReturnedDemand),
      repaired: timer(nil)),
    .init("assigningDemand", "P-04", .replacesDemand),
    .init(
      name: "timerFinishingAgain", rule: "P-06", verification: timer(.finishesAgain), repaired: timer(nil)),
    .init("indexEqualsCount", "P-06", .endsTwice),
    .init(
      name: "fibonacciStartingAgain", rule: "P-08", verification: fibonacci(.startsAgain), repaired: fibonacci(nil)),
    .init("finishingWithDemand", "P-08", .endsWithDemand),
    .init(name: "tryBangInRequest", rule: "P-09", verification: lines(true), repaired: lines(false)),
    .init("iteratorInPublisher", "P-10", .sharesPlace),
    .init(name: "timerThatSumsDemand", rule: "P-12", verification: timer(.sumsDemand), repaired: timer(nil)),
    .init("demandBufferOvertaking", "P-13", .overtakes),
    .init("demandBufferCountingLate", "S-03", .countsLate),
    .init("loopWithoutALookAtTheFlag", "S-04", .ignoresCancel),
    .init(
      name: "shareReplayFinishingOnCancel", rule: "S-04", verification: shareReplay(.finishesOnCancel),
      repaired: shareReplay(nil)),
    .init("replayDrainingAfterCancel", "S-07", .servesAfterCancel),
    .init(
      name: "fibonacciTrappingAtUnlimited", rule: "S-08", verification: fibonacci(.trapsAtUnlimited),
      repaired: fibonacci(nil)),
    .init(
      name: "replayKeyedBySubscriber", rule: "S-12", verification: register(true), repaired: register(false)),
    .init(
      name: "shareReplayDroppingAtTheEnd", rule: "O-08", verification: shareReplay(.dropsUnrequestedAtEnd),
      repaired: shareReplay(nil)),
    .init(
      name: "shareReplayLockingWhileSending", rule: "S-01", verification: shareReplay(.locksWhileSending),
      repaired: shareReplay(nil)),
    .init(
      name: "shareReplayForgettingNobody", rule: "M-01", verification: shareReplay(.forgetsNobody),
      repaired: shareReplay(nil)),
    .init(
      name: "autoconnectThatStays", rule: "J-06", verification: shareReplay(.staysConnected),
      repaired: shareReplay(nil)),
    .init(
      name: "gateWhoseEndOvertakes", rule: "T-01", verification: delaying(.endsAtOnce), repaired: delaying(nil)),
    .init(
      name: "gateDeliveringAfterCancel", rule: "T-02", verification: delaying(.deliversAfterCancel),
      repaired: delaying(nil)),
    .init(
      name: "timerRunningOnAfterItsEnd", rule: "T-04", verification: timer(.runsOnAfterEnd), repaired: timer(nil)),
  ]

  private init(_ name: String, _ rule: String, _ misbehavior: Misbehavior) {
    self.init(name: name, rule: rule, verification: misbehaving(misbehavior), repaired: misbehaving(nil))
  }
}

@Suite struct TutorialZooTests {
  @Test(.hasOwnProcesses, arguments: PublishedMistake.all)
  func `A mistake that was published is found by its rule, and its repair keeps the rule`(_ mistake: PublishedMistake) {
    let found = mistake.verification.result(of: .named(mistake.rule)!)
    #expect(found.outcome.isBroken, "\(found)")
    let repaired = mistake.repaired.result(of: .named(mistake.rule)!)
    #expect(repaired.outcome.word == "held", "\(repaired)")
  }
}
