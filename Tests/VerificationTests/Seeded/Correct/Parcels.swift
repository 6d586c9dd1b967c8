// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore

// Correct: asks upstream for one parcel ahead of the demand (`size` after the handshake, `size` more when a parcel has
// gone out), so a full parcel may wait here. The last one, which may be smaller, waits for demand, and the end for it.
struct Parcels<Upstream: Publisher>: Publisher {
  typealias Output = [Upstream.Output]
  typealias Failure = Upstream.Failure

  let upstream: Upstream
  let size: Int

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    upstream.subscribe(Packer(subscriber, size))
  }

  private final class Packer<Downstream: Subscriber>: Subscriber, Subscription
  where Downstream.Input == [Upstream.Output], Downstream.Failure == Upstream.Failure {
    typealias Input = Upstream.Output
    typealias Failure = Upstream.Failure
    private enum Step {
      case parcel(Downstream, [Input])
      case end(Downstream, Subscribers.Completion<Failure>)
    }

    private let lock = NSLock()
    private let size: Int
    private var downstream: Downstream?  // nil after the end
    private var upstream: (any Subscription)?
    private var hasStarted = false
    private var filling: [Input] = []
    private var ready: [[Input]] = []
    private var end: Subscribers.Completion<Failure>?
    private var demand = Subscribers.Demand.none
    private var isDelivering = true  // until the handshake and the first request are over

    init(_ downstream: Downstream, _ size: Int) {
      self.downstream = downstream
      self.size = size
    }

    func receive(subscription: any Subscription) {
      let downstream = lock.withLock { () -> Downstream? in
        guard !hasStarted else { return nil }
        hasStarted = true
        upstream = subscription
        return self.downstream
      }
      guard let downstream else { return subscription.cancel() }
      downstream.receive(subscription: self)
      lock.withLock { upstream }?.request(.max(size))
      deliver(isMine: true)
    }

    func receive(_ input: Input) -> Subscribers.Demand {
      deliver(
        isMine: claim {
          guard upstream != nil else { return }
          filling.append(input)
          guard filling.count == size else { return }
          ready.append(filling)
          filling = []
        })
      return .none
    }

    func receive(completion: Subscribers.Completion<Failure>) {
      var dropped: ((any Subscription)?, [Input], [[Input]])
      dropped = (nil, [], [])
      let isMine = claim {
        guard upstream != nil else { return }
        dropped = (upstream, filling, ready)
        (upstream, filling, end) = (nil, [], completion)
        if case .failure = completion { ready = [] } else if !dropped.1.isEmpty { ready.append(dropped.1) }
      }
      deliver(isMine: isMine)
    }

    func request(_ more: Subscribers.Demand) {
      deliver(isMine: claim { demand += more })
    }

    func cancel() {
      let (subscription, _, _, _) = lock.withLock { () -> ((any Subscription)?, Downstream?, [Input], [[Input]]) in
        defer { (upstream, downstream, filling, ready) = (nil, nil, [], []) }
        return (upstream, downstream, filling, ready)
      }
      subscription?.cancel()
    }

    private func claim(_ change: () -> Void) -> Bool {
      lock.withLock {
        change()
        defer { isDelivering = true }
        return !isDelivering
      }
    }

    private func deliver(isMine: Bool) {
      while isMine, let step = lock.withLock({ next() }) {
        switch step {
        case .parcel(let downstream, let parcel):
          let more = downstream.receive(parcel)
          let upstream = lock.withLock { () -> (any Subscription)? in
            demand += more
            return self.upstream
          }
          upstream?.request(.max(size))
        case .end(let downstream, let completion):
          downstream.receive(completion: completion)
        }
      }
    }

    private func next() -> Step? {
      if let downstream, ready.isEmpty, let end {
        self.downstream = nil
        return .end(downstream, end)
      }
      guard let downstream, demand > 0, !ready.isEmpty else {
        isDelivering = false
        return nil
      }
      demand -= 1
      return .parcel(downstream, ready.removeFirst())
    }
  }
}
