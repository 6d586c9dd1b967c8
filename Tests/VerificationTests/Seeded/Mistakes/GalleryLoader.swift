// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore

// Breaks: O-06 – a failure of upstream is passed on at once, but the loads that are under way are not cancelled by
// it, as they are by the failure of one of them.
struct GalleryLoader<Upstream: Publisher, Load: Publisher>: Publisher where Load.Failure == Upstream.Failure {
  typealias Output = Load.Output
  typealias Failure = Load.Failure

  let upstream: Upstream
  let loads: Int
  let load: (Upstream.Output) -> Load

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    upstream.subscribe(Gallery(subscriber, loads, load))
  }

  private final class Gallery<Downstream: Subscriber>: Subscriber, Subscription
  where Downstream.Input == Load.Output, Downstream.Failure == Load.Failure {
    typealias Input = Upstream.Output
    typealias Failure = Load.Failure

    private final class Slot {
      var subscription: (any Subscription)?
      var waiting = 0  // values in the queue
      var isLoaded = false
    }

    private let lock = NSLock()
    private let limit: Int
    private let load: (Input) -> Load
    private var downstream: Downstream?
    private var source: (any Subscription)?
    private var isStarted = false
    private var slots: [Slot] = []
    private var queue: [(slot: Slot, value: Load.Output)] = []
    private var freed = 0  // slots that upstream is still to be asked for
    private var end: Subscribers.Completion<Failure>?
    private var demand = Subscribers.Demand.none
    private var isWorking = true  // until the handshake is over

    init(_ downstream: Downstream, _ limit: Int, _ load: @escaping (Input) -> Load) {
      (self.downstream, self.limit, self.load) = (downstream, limit, load)
    }

    func receive(subscription: any Subscription) {
      lock.lock()
      guard !isStarted, let target = downstream else {
        lock.unlock()
        return subscription.cancel()
      }
      (isStarted, source) = (true, subscription)
      lock.unlock()
      target.receive(subscription: self)
      lock.withLock { source }?.request(.max(limit))
      work()
    }

    func receive(_ input: Input) -> Subscribers.Demand {
      let slot = Slot()
      let isWanted = lock.withLock {
        guard source != nil, slots.count < limit else { return false }
        slots.append(slot)
        return true
      }
      guard isWanted else { return .none }
      load(input).subscribe(
        AnySubscriber<Load.Output, Failure>(
          receiveSubscription: { subscription in
            let isTaken = self.lock.withLock {
              guard self.isUnderWay(slot), slot.subscription == nil else { return false }
              slot.subscription = subscription
              return true
            }
            isTaken ? subscription.request(.max(1)) : subscription.cancel()
          },
          receiveValue: { value in
            self.update {
              guard self.isUnderWay(slot) else { return }
              slot.waiting += 1
              self.queue.append((slot, value))
            }
            return .none
          },
          receiveCompletion: { completion in
            guard case .finished = completion else { return self.failed(slot, completion) }
            var old: (any Subscription)?
            self.update {
              guard self.isUnderWay(slot) else { return }
              (old, slot.subscription, slot.isLoaded) = (slot.subscription, nil, true)
            }
            withExtendedLifetime(old) {}
          }))
      return .none
    }

    // Under the lock.
    private func isUnderWay(_ slot: Slot) -> Bool { !slot.isLoaded && slots.contains { $0 === slot } }

    private func failed(_ slot: Slot, _ completion: Subscribers.Completion<Failure>) {
      let dropped = lock.withLock { () -> ([Slot], (any Subscription)?, Any)? in
        guard isUnderWay(slot) else { return nil }
        defer { (slots, source, queue, end) = ([], nil, [], completion) }
        return (slots, source, queue)
      }
      guard let dropped else { return }
      dropped.1?.cancel()
      for other in dropped.0 where other !== slot { other.subscription?.cancel() }
      update {}
    }

    func receive(completion: Subscribers.Completion<Failure>) {
      var dropped: (source: (any Subscription)?, slots: [Slot], values: Any) = (nil, [], 0)
      update {
        guard source != nil else { return }
        dropped.source = source
        source = nil
        if case .failure = completion { (dropped.slots, slots, end) = (slots, [], completion) }
        if slots.isEmpty { (dropped.values, queue) = (queue, []) }
      }
      withExtendedLifetime(dropped) {}
    }

    func request(_ more: Subscribers.Demand) { update { demand += more } }

    func cancel() {
      let old = lock.withLock {
        defer { (downstream, source, slots, queue) = (nil, nil, [], []) }
        return (downstream, source, slots, queue)
      }
      old.1?.cancel()
      old.2.forEach { $0.subscription?.cancel() }
    }

    private func update(_ change: () -> Void) {
      let isMine = lock.withLock {
        change()
        defer { isWorking = true }
        return !isWorking
      }
      if isMine { work() }
    }

    private func work() {
      while let step = lock.withLock({ next() }) { step() }
    }

    private func next() -> (() -> Void)? {
      if let target = downstream {
        let count = slots.count
        slots.removeAll { $0.isLoaded && $0.waiting == 0 }
        if source != nil { freed += count - slots.count }
        if source == nil, slots.isEmpty {
          downstream = nil
          return { [end] in target.receive(completion: end ?? .finished) }
        }
        if demand > .none, !queue.isEmpty {
          demand -= 1
          let (slot, value) = queue.removeFirst()
          slot.waiting -= 1
          return {
            let more = target.receive(value)
            let load = self.lock.withLock {
              self.demand += more
              return slot.subscription
            }
            load?.request(.max(1))
          }
        }
        if freed > 0, let source {
          freed -= 1
          return { source.request(.max(1)) }
        }
      }
      isWorking = false
      return nil
    }
  }
}
