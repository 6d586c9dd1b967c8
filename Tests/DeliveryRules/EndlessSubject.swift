// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
public import PenstockCore
public import PenstockTesting
import TestSupport

/// What has been requested of a publisher with threads of its own, and what has come: so that a verification knows when it has
/// delivered what it will.
public final class EndlessSubject: Sendable {
  private struct Subscription {
    var requested = Subscribers.Demand.none
    var delivered = 0
    var isOver = false

    var isServed: Bool { isOver || requested <= delivered }
  }

  private struct State {
    var subscriptions: [Subscription] = []
    var hasEnded = false
  }

  private let count: Int
  private let isShared: Bool
  private let state = Locked(State())
  private let end: @Sendable () -> Void

  /// - Parameters:
  ///   - count: How many values there are.
  ///   - isShared: Whether that is for all subscribers together, and who has requested nothing does not hear of the end, since
  ///     the server is not asked; otherwise each gets so many, and hears of it.
  ///   - end: Ends the streams; called when all values have been delivered.
  public init(_ count: Int, isShared: Bool = true, end: @escaping @Sendable () -> Void = {}) {
    (self.count, self.isShared, self.end) = (count, isShared, end)
  }

  /// A publisher, with what waits for it.
  ///
  /// - Parameters:
  ///   - start: Called at each step, before it is waited.
  ///   - make: Makes the publisher, for each subscriber.
  public func driven<P: Publisher>(
    before start: @escaping @Sendable () -> Void = {}, _ make: @escaping () -> P
  ) -> Driven<some Publisher<P.Output, P.Failure>> {
    let watched = Deferred { [state] in
      let place = state.change { state in
        state.subscriptions.append(Subscription())
        return state.subscriptions.count - 1
      }
      func change(_ body: @escaping (inout Subscription) -> Void) { state.change { body(&$0.subscriptions[place]) } }
      return make().handleEvents(
        receiveOutput: { _ in change { $0.delivered += 1 } }, receiveCompletion: { _ in change { $0.isOver = true } },
        receiveCancel: { change { $0.isOver = true } }, receiveRequest: { demand in change { $0.requested += demand } })
    }
    return Driven(watched) { [self] in
      start()
      wait { hasDelivered(in: $0) || $0.subscriptions.allSatisfy { $0.isServed || isComplete($0) } }
      let (isOver, isFirst) = state.change { state in
        if !state.hasEnded, !hasDelivered(in: state) { return (false, false) }
        defer { state.hasEnded = true }
        return (true, !state.hasEnded)
      }
      guard isOver else { return }
      if isFirst { end() }
      // Everybody hears of the end, or who has requested something.
      wait { $0.subscriptions.allSatisfy { $0.isOver || (isShared && $0.isServed) } }
    }
  }

  private func isComplete(_ subscription: Subscription) -> Bool { !isShared && subscription.delivered >= count }

  private func hasDelivered(in state: State) -> Bool {
    if isShared { return state.subscriptions.reduce(0) { $0 + $1.delivered } >= count }
    return state.subscriptions.allSatisfy { $0.isOver || isComplete($0) }
  }

  /// Waits for what other threads do; the limit is for what never comes.
  private func wait(until condition: (State) -> Bool) {
    let limit = ContinuousClock.now + .seconds(5)
    while !state.change({ condition($0) }), ContinuousClock.now < limit { usleep(500) }
  }
}

extension VerificationReport {
  /// What a test of a publisher with threads of its own, in the process itself, has to explain; nothing if all is well.
  public var problems: [String] {
    // What watches it is an operator of Combine's, which keeps its subscriber as long as it is kept itself.
    let broken = broken.filter { $0.rule.id != "M-03" }
    // C-07 needs the thread sanitizer, and the rule of requests for nothing a process that may trap.
    let open = results.filter {
      $0.outcome.word == "inconclusive" && !["C-07", "S-09"].contains($0.rule.id)
        && !$0.outcome.reason.hasSuffix("look there first")
    }
    return (broken + open).map(\.description) + unusedWaivers.map { "the waiver of \($0) is not used" }
  }
}
