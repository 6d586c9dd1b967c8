// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore

// Breaks: O-12 – demand that the subscriber returns from `receive(_:)` goes up to the running attempt, but is not
// written down as outstanding. Shows when an attempt fails while such demand is open: the next attempt is asked only
// for the rest of the demand from `request` (nothing, if that is used up), and the stream stalls.
struct RetryingDownload<Upstream: Publisher>: Publisher {
  typealias Output = Upstream.Output
  typealias Failure = Upstream.Failure

  let upstream: Upstream
  let retries: Int

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    let download = Download(subscriber, upstream, retries)
    subscriber.receive(subscription: download)
    download.connect()
  }

  private final class Download<Downstream: Subscriber>: Subscription
  where Downstream.Input == Output, Downstream.Failure == Failure {
    private struct Live {
      let downstream: Downstream
      let upstream: Upstream
      var retriesLeft: Int
      var attempt = 0
      var current: (any Subscription)?
      var outstanding = Subscribers.Demand.none
    }

    private let lock = NSLock()
    private var live: Live?
    private var needsAttempt = true
    private var isConnecting = false

    init(_ downstream: Downstream, _ upstream: Upstream, _ retries: Int) {
      live = Live(downstream: downstream, upstream: upstream, retriesLeft: retries)
    }

    // A failure during `subscribe` only asks for another round.
    func connect() {
      let isMine = lock.withLock { () -> Bool in
        defer { isConnecting = true }
        return !isConnecting
      }
      while isMine, let (upstream, attempt) = lock.withLock({ nextAttempt() }) {
        upstream.subscribe(
          AnySubscriber<Output, Failure>(
            receiveSubscription: { self.accept($0, attempt) },
            receiveValue: { self.receive($0, attempt) },
            receiveCompletion: { self.receive(completion: $0, attempt) }))
      }
    }

    private func nextAttempt() -> (Upstream, Int)? {
      guard needsAttempt, live != nil else {
        isConnecting = false
        return nil
      }
      needsAttempt = false
      live!.attempt += 1
      return (live!.upstream, live!.attempt)
    }

    private func accept(_ subscription: any Subscription, _ attempt: Int) {
      let demand = lock.withLock { () -> Subscribers.Demand? in
        guard let live, live.attempt == attempt, live.current == nil, !needsAttempt else { return nil }
        self.live!.current = subscription
        return live.outstanding
      }
      guard let demand else { return subscription.cancel() }
      if demand > 0 { subscription.request(demand) }
    }

    private func receive(_ input: Output, _ attempt: Int) -> Subscribers.Demand {
      let downstream = lock.withLock { () -> Downstream? in
        guard let live, live.attempt == attempt, live.current != nil else { return nil }
        if live.outstanding > 0 { self.live!.outstanding -= 1 }
        return live.downstream
      }
      return downstream?.receive(input) ?? .none
    }

    private func receive(completion: Subscribers.Completion<Failure>, _ attempt: Int) {
      let ended = lock.withLock { () -> (Live, isOver: Bool)? in
        guard let live, live.attempt == attempt, live.current != nil else { return nil }
        if case .failure = completion, live.retriesLeft > 0 {
          self.live!.retriesLeft -= 1
          self.live!.current = nil
          needsAttempt = true
          return (live, false)
        }
        self.live = nil
        return (live, true)
      }
      guard let ended else { return }
      if ended.isOver { ended.0.downstream.receive(completion: completion) } else { connect() }
    }

    func request(_ demand: Subscribers.Demand) {
      guard demand > 0 else { return }
      let current = lock.withLock { () -> (any Subscription)? in
        live?.outstanding += demand
        return live?.current
      }
      current?.request(demand)
    }

    func cancel() {
      var dropped: Live?
      lock.withLock { swap(&dropped, &live) }
      dropped?.current?.cancel()
    }
  }
}
