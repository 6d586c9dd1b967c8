// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore

// Correct: keeps no state about demand. `upstream` drives: its thread delivers, its demand is the subscriber's. A value
// that comes before `other` has sent any is swallowed, and replaced by returning `.max(1)`.
struct Stamped<Upstream: Publisher, Other: Publisher, Output>: Publisher where Other.Failure == Never {
  typealias Failure = Upstream.Failure

  let upstream: Upstream
  let other: Other
  // Called without a lock, once for each value of `upstream` that is not swallowed.
  let combine: (Upstream.Output, Other.Output) -> Output

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    let stamper = Stamper(subscriber, combine)
    other.subscribe(
      AnySubscriber(
        receiveSubscription: { stamper.acceptOther($0) },
        receiveValue: { stamper.latest($0) },
        receiveCompletion: { _ in stamper.otherHasEnded() }))
    upstream.subscribe(stamper)
  }

  private final class Stamper<Downstream: Subscriber>: Subscriber, Subscription
  where Downstream.Input == Output, Downstream.Failure == Failure {
    typealias Input = Upstream.Output
    private enum Source {
      case awaited, running(any Subscription), ended
    }
    private struct Live {
      let downstream: Downstream
      let combine: (Input, Other.Output) -> Output
      var upstream: (any Subscription)?
      var other = Source.awaited
      var latest: Other.Output?
    }

    private let lock = NSLock()
    private var live: Live?

    init(_ downstream: Downstream, _ combine: @escaping (Input, Other.Output) -> Output) {
      live = Live(downstream: downstream, combine: combine)
    }

    func acceptOther(_ subscription: any Subscription) {
      let isFirst = lock.withLock { () -> Bool in
        guard case .awaited? = live?.other else { return false }
        live!.other = .running(subscription)
        return true
      }
      if isFirst { subscription.request(.unlimited) } else { subscription.cancel() }
    }

    func latest(_ value: Other.Output) -> Subscribers.Demand {
      let gone = lock.withLock { () -> Other.Output? in
        guard case .running? = live?.other else { return nil }
        defer { live!.latest = value }
        return live!.latest
      }
      withExtendedLifetime(gone) {}
      return .none
    }

    func otherHasEnded() {
      let gone = lock.withLock { () -> Source? in
        guard case .running? = live?.other else { return nil }
        defer { live!.other = .ended }
        return live!.other
      }
      withExtendedLifetime(gone) {}
    }

    func receive(subscription: any Subscription) {
      let downstream = lock.withLock { () -> Downstream? in
        guard live != nil, live!.upstream == nil else { return nil }
        live!.upstream = subscription
        return live!.downstream
      }
      guard let downstream else { return subscription.cancel() }
      downstream.receive(subscription: self)
    }

    func receive(_ input: Input) -> Subscribers.Demand {
      guard let now = lock.withLock({ live }), now.upstream != nil else { return .none }
      guard let latest = now.latest else { return .max(1) }
      let output = now.combine(input, latest)
      guard lock.withLock({ live != nil }) else { return .none }
      return now.downstream.receive(output)
    }

    func receive(completion: Subscribers.Completion<Failure>) {
      guard let ended = end(if: { $0.upstream != nil }) else { return }
      if case .running(let subscription) = ended.other { subscription.cancel() }
      ended.downstream.receive(completion: completion)
    }

    func request(_ demand: Subscribers.Demand) {
      guard demand > 0 else { return }
      lock.withLock { live?.upstream }?.request(demand)
    }

    func cancel() {
      guard let ended = end(if: { _ in true }) else { return }
      ended.upstream?.cancel()
      if case .running(let subscription) = ended.other { subscription.cancel() }
    }

    private func end(if isWanted: (Live) -> Bool) -> Live? {
      lock.withLock {
        guard let live, isWanted(live) else { return nil }
        self.live = nil
        return live
      }
    }
  }
}
