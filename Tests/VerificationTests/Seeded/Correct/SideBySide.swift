// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore

// Correct: up to `limit` inner streams at a time. Each is asked for one value, and for the next when that one has
// been delivered; all calls of downstream, and all requests, are made in one loop, by one thread at a time.
struct SideBySide<Upstream: Publisher, Inner: Publisher>: Publisher where Inner.Failure == Upstream.Failure {
  typealias Output = Inner.Output
  typealias Failure = Inner.Failure

  let upstream: Upstream
  let limit: Int
  let open: (Upstream.Output) -> Inner

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    upstream.subscribe(Hall(subscriber, limit, open))
  }

  private final class Hall<Downstream: Subscriber>: Subscriber, Subscription
  where Downstream.Input == Inner.Output, Downstream.Failure == Inner.Failure {
    typealias Input = Upstream.Output
    typealias Failure = Inner.Failure
    private struct Lane {
      var subscription: (any Subscription)?
      var isFinished = false
      var waiting = 0  // values in the queue
    }
    private enum Step {
      case value(Downstream, Inner.Output, lane: Int)
      case end(Downstream, Subscribers.Completion<Failure>)
      case ask(any Subscription)
    }

    private let lock = NSLock()
    private let limit: Int
    private let open: (Input) -> Inner
    private var downstream: Downstream?
    private var outer: (any Subscription)?
    private var hasStarted = false
    private var lanes: [Int: Lane] = [:]  // one is kept until its last value is delivered
    private var laneCount = 0
    private var places = 0  // that outer is still to be asked for
    private var queue: [(lane: Int, value: Inner.Output)] = []
    private var end: Subscribers.Completion<Failure>?
    private var demand = Subscribers.Demand.none
    private var isBusy = true  // until the handshake is over

    init(_ downstream: Downstream, _ limit: Int, _ open: @escaping (Input) -> Inner) {
      (self.downstream, self.limit, self.open) = (downstream, limit, open)
    }

    func receive(subscription: any Subscription) {
      let target = lock.withLock { () -> Downstream? in
        guard !hasStarted else { return nil }
        (hasStarted, outer) = (true, subscription)
        return downstream
      }
      guard let target else { return subscription.cancel() }
      target.receive(subscription: self)
      lock.withLock { outer }?.request(.max(limit))
      work()
    }

    func receive(_ input: Input) -> Subscribers.Demand {
      let lane = lock.withLock { () -> Int? in
        guard outer != nil, lanes.count < limit else { return nil }
        laneCount += 1
        lanes[laneCount] = Lane()
        return laneCount
      }
      guard let lane else { return .none }
      open(input).subscribe(
        AnySubscriber<Inner.Output, Failure>(
          receiveSubscription: { self.opened(lane, $0) },
          receiveValue: { value in
            self.change {
              guard self.lanes[lane]?.isFinished == false else { return }
              self.lanes[lane]?.waiting += 1
              self.queue.append((lane, value))
            }
            return .none
          },
          receiveCompletion: { self.closed(lane, $0) }))
      return .none
    }

    private func opened(_ lane: Int, _ subscription: any Subscription) {
      let isWanted = lock.withLock { () -> Bool in
        guard let place = lanes[lane], place.subscription == nil, !place.isFinished else { return false }
        lanes[lane]?.subscription = subscription
        return true
      }
      isWanted ? subscription.request(.max(1)) : subscription.cancel()
    }

    private func closed(_ lane: Int, _ completion: Subscribers.Completion<Failure>) {
      guard case .finished = completion else { return fail(completion, lane: lane) }
      var old: (any Subscription)?
      change {
        guard lanes[lane]?.isFinished == false else { return }
        old = lanes[lane]?.subscription
        lanes[lane]?.subscription = nil
        lanes[lane]?.isFinished = true
        clear(lane)
      }
      withExtendedLifetime(old) {}
    }

    private func clear(_ lane: Int) {
      guard let place = lanes[lane], place.isFinished, place.waiting == 0 else { return }
      lanes[lane] = nil
      if outer != nil { places += 1 } else if lanes.isEmpty, end == nil { end = .finished }
    }

    func receive(completion: Subscribers.Completion<Failure>) {
      guard case .finished = completion else { return fail(completion, lane: nil) }
      var old: (any Subscription)?
      change {
        guard outer != nil else { return }
        (old, outer) = (outer, nil)
        if lanes.isEmpty, end == nil { end = .finished }
      }
      withExtendedLifetime(old) {}
    }

    // A failure, of a lane or of outer, ends all the others.
    private func fail(_ completion: Subscribers.Completion<Failure>, lane: Int?) {
      var stopped: [any Subscription] = []
      var dropped: [(lane: Int, value: Inner.Output)] = []
      change {
        guard downstream != nil, lane.map({ lanes[$0]?.isFinished == false }) ?? (outer != nil) else { return }
        if lane != nil, let outer { stopped.append(outer) }
        stopped += lanes.filter { $0.key != lane }.compactMap(\.value.subscription)
        (dropped, queue, lanes, outer, end) = (queue, [], [:], nil, completion)
      } before: {
        stopped.forEach { $0.cancel() }
      }
      withExtendedLifetime(dropped) {}
    }

    func request(_ more: Subscribers.Demand) { change { demand += more } }

    func cancel() {
      let old = lock.withLock {
        defer { (downstream, lanes, outer, queue) = (nil, [:], nil, []) }
        return (downstream, lanes, outer, queue)
      }
      old.2?.cancel()
      old.1.values.forEach { $0.subscription?.cancel() }
    }

    private func change(_ body: () -> Void, before: () -> Void = {}) {
      let isMine = lock.withLock {
        body()
        defer { isBusy = true }
        return !isBusy
      }
      before()
      if isMine { work() }
    }

    private func work() {
      while let step = lock.withLock({ next() }) {
        switch step {
        case .ask(let subscription): subscription.request(.max(1))
        case .end(let target, let completion): return target.receive(completion: completion)
        case .value(let target, let value, let lane):
          let more = target.receive(value)
          let source = lock.withLock { () -> (any Subscription)? in
            demand += more
            return lanes[lane]?.subscription
          }
          source?.request(.max(1))
        }
      }
    }

    private func next() -> Step? {
      if let downstream {
        if queue.isEmpty, let end {
          self.downstream = nil
          return .end(downstream, end)
        }
        if !queue.isEmpty, demand > .none {
          demand -= 1
          let (lane, value) = queue.removeFirst()
          lanes[lane]?.waiting -= 1
          clear(lane)
          return .value(downstream, value, lane: lane)
        }
        if places > 0, let outer {
          places -= 1
          return .ask(outer)
        }
      }
      isBusy = false
      return nil
    }
  }
}
