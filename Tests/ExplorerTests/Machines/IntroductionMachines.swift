// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import TestSupport

@testable import PenstockCore

/// A subscription that serves requests while it is introducing its subscriber.
private final class Introduced: @unchecked Sendable {
  private let hold = DemandHold()
  private let exploration: Exploration
  private var isIntroducing = true
  private(set) var requested = 0
  private(set) var served = 0

  init(_ exploration: Exploration) { self.exploration = exploration }

  func end() {
    exploration.yield("introduces")
    isIntroducing = false
    serve(hold.end())
  }

  func request() {
    requested += 1
    serve(hold.admit(.max(1)))
  }

  private func serve(_ demand: Subscribers.Demand?) {
    if demand != nil, isIntroducing { exploration.fault("a request is served during the introduction") }
    served += demand?.max ?? 0
  }
}

extension Machine {
  /// Machines that wait for the end of an introduction.
  static let introductions: [Machine] = [
    Machine("an introduction ends while two threads request", preemptions: 3, staleLoads: 1) { exploration in
      nonisolated(unsafe) var introduced: Introduced?
      return Script([
        {
          introduced = Introduced(exploration)
          introduced?.end()
        }, { introduced?.request() }, { introduced?.request() },
      ]) {
        let (requested, served) = (introduced?.requested ?? 0, introduced?.served ?? 0)
        return expect(requested == served, "\(requested) requested, \(served) served")
      }
    },
    Machine("share(buffering:) below combineLatest: another thread sends while it is joined") { exploration in
      let (subject, recorder) = (Subject(), exploration.recorder(String.self))
      let shared = subject.share(buffering: .unbounded)
      let early = exploration.recorder()
      shared.subscribe(early)
      let combined = shared.combineLatest(Publishers.Sequence<[Int], TestError>(sequence: [9])).map { "\($0)" }
      return Script([
        { (1...2).forEach(subject.send) },
        { combined.subscribe(recorder) },
      ]) {
        subject.send(3)
        return recorder.broken() + early.broken("the early one")
          + expect(early.values == [1, 2, 3], "\(early.values)")
          + expect(
            [["(1, 9)", "(2, 9)", "(3, 9)"], ["(2, 9)", "(3, 9)"], ["(3, 9)"]].contains(recorder.values),
            "\(recorder.values)")
      }
    },
  ]
}
