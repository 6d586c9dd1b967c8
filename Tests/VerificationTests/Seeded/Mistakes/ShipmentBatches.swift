// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore

// Breaks: O-08 – the last parcels, too few for a shipment, are lost if upstream ends while a full shipment waits for
// demand: they are added to the waiting shipments only if those are in demand, or if none wait.
struct ShipmentBatches<Upstream: Publisher>: Publisher {
  typealias Output = [Upstream.Output]
  typealias Failure = Upstream.Failure

  // Asks for two shipments ahead.
  let upstream: Upstream
  let size: Int

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    upstream.subscribe(Dock(subscriber, size))
  }

  private final class Dock<Downstream: Subscriber>: Subscriber, Subscription
  where Downstream.Input == [Upstream.Output], Downstream.Failure == Upstream.Failure {
    typealias Input = Upstream.Output
    typealias Failure = Upstream.Failure

    private let lock = NSLock()
    private let size: Int
    private var downstream: Downstream?
    private var upstream: (any Subscription)?
    private var hasStarted = false
    private var loading: [Input] = []
    private var waiting: [[Input]] = []
    private var end: Subscribers.Completion<Failure>?
    private var demand = Subscribers.Demand.none
    private var isShipping = true  // until the handshake is over

    init(_ downstream: Downstream, _ size: Int) { (self.downstream, self.size) = (downstream, size) }

    func receive(subscription: any Subscription) {
      lock.lock()
      guard !hasStarted, let target = downstream else {
        lock.unlock()
        return subscription.cancel()
      }
      (hasStarted, upstream) = (true, subscription)
      lock.unlock()
      target.receive(subscription: self)
      lock.withLock { upstream }?.request(.max(2 * size))
      ship()
    }

    func receive(_ input: Input) -> Subscribers.Demand {
      update {
        guard upstream != nil else { return }
        loading.append(input)
        guard loading.count == size else { return }
        waiting.append(loading)
        loading = []
      }
      return .none
    }

    func receive(completion: Subscribers.Completion<Failure>) {
      var old: ((any Subscription)?, [Input], [[Input]]) = (nil, [], [])
      update {
        guard upstream != nil else { return }
        old = (upstream, loading, waiting)
        (upstream, end) = (nil, completion)
        switch completion {
        case .failure: waiting = []
        case .finished: if waiting.isEmpty || demand > .none, !loading.isEmpty { waiting.append(loading) }
        }
        loading = []
      }
      withExtendedLifetime(old) {}
    }

    func request(_ more: Subscribers.Demand) { update { demand += more } }

    func cancel() {
      let old = lock.withLock {
        defer { (downstream, upstream, loading, waiting) = (nil, nil, [], []) }
        return (downstream, upstream, loading, waiting)
      }
      old.1?.cancel()
    }

    private func update(_ change: () -> Void) {
      let isMine = lock.withLock {
        change()
        defer { isShipping = true }
        return !isShipping
      }
      if isMine { ship() }
    }

    private func ship() {
      while true {
        lock.lock()
        guard let target = downstream, waiting.isEmpty ? end != nil : demand > .none else {
          isShipping = false
          return lock.unlock()
        }
        if waiting.isEmpty, let end {
          downstream = nil
          lock.unlock()
          return target.receive(completion: end)
        }
        demand -= 1
        let shipment = waiting.removeFirst()
        lock.unlock()
        let more = target.receive(shipment)
        let source = lock.withLock {
          demand += more
          return upstream
        }
        source?.request(.max(size))
      }
    }
  }
}
