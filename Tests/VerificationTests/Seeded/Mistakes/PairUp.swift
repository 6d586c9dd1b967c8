// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore

// Breaks: O-06 – if one side has ended while values of it still wait, the stream finishes with the last of them, and
// the other side is left running. If a side ends with no values waiting, the other one is cancelled.
struct PairUp<First: Publisher, Second: Publisher>: Publisher where First.Failure == Second.Failure {
  typealias Output = (First.Output, Second.Output)
  typealias Failure = First.Failure

  let first: First
  let second: Second

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    let table = Table(subscriber)
    subscriber.receive(subscription: table)
    first.subscribe(
      AnySubscriber<First.Output, Failure>(
        receiveSubscription: { table.open(0, $0) },
        receiveValue: { value in
          table.take(0) { table.firsts.append(value) }
          return .none
        },
        receiveCompletion: { table.ended(0, $0) }))
    second.subscribe(
      AnySubscriber<Second.Output, Failure>(
        receiveSubscription: { table.open(1, $0) },
        receiveValue: { value in
          table.take(1) { table.seconds.append(value) }
          return .none
        },
        receiveCompletion: { table.ended(1, $0) }))
    table.serve()
  }

  private final class Table<Downstream: Subscriber>: Subscription
  where Downstream.Input == (First.Output, Second.Output), Downstream.Failure == First.Failure {
    typealias Failure = First.Failure

    private let lock = NSLock()
    private var downstream: Downstream?
    private var sources: [(any Subscription)?] = [nil, nil]
    private var (isOpen, isEnded, owed) = ([false, false], [false, false], [Subscribers.Demand.none, .none])
    var firsts: [First.Output] = []
    var seconds: [Second.Output] = []
    private var end: Subscribers.Completion<Failure>?
    private var demand = Subscribers.Demand.none
    private var isServing = true  // until both are subscribed to

    init(_ downstream: Downstream) { self.downstream = downstream }

    func open(_ side: Int, _ subscription: any Subscription) {
      lock.lock()
      guard downstream != nil, end == nil, !isOpen[side] else {
        lock.unlock()
        return subscription.cancel()
      }
      (isOpen[side], sources[side]) = (true, subscription)
      lock.unlock()
      serve(claiming: true)
    }

    func take(_ side: Int, _ append: () -> Void) {
      lock.withLock { if sources[side] != nil { append() } }
      serve(claiming: true)
    }

    func ended(_ side: Int, _ completion: Subscribers.Completion<Failure>) {
      lock.lock()
      guard let old = sources[side] else { return lock.unlock() }
      (sources[side], isEnded[side]) = (nil, true)
      var other: (any Subscription)?
      var isOver = side == 0 ? firsts.isEmpty : seconds.isEmpty
      if case .failure = completion { isOver = true }
      if isOver, end == nil {
        end = completion
        (other, sources[1 - side]) = (sources[1 - side], nil)
      }
      lock.unlock()
      withExtendedLifetime(old) { other?.cancel() }
      serve(claiming: true)
    }

    func request(_ more: Subscribers.Demand) {
      lock.withLock { add(more) }
      serve(claiming: true)
    }

    private func add(_ more: Subscribers.Demand) {
      demand += more
      for side in 0...1 { owed[side] += more }
    }

    func cancel() {
      lock.lock()
      let (target, old, values) = (downstream, sources, (firsts, seconds))
      (downstream, sources, firsts, seconds) = (nil, [nil, nil], [], [])
      lock.unlock()
      for source in old { source?.cancel() }
      withExtendedLifetime((target, values)) {}
    }

    func serve(claiming: Bool = false) {
      let isMine = lock.withLock {
        defer { isServing = true }
        return !claiming || !isServing
      }
      while isMine, let step = lock.withLock({ next() }) { step() }
    }

    private func next() -> (() -> Void)? {
      guard let target = downstream else {
        isServing = false
        return nil
      }
      if let end {
        let values = (firsts, seconds)
        (downstream, firsts, seconds) = (nil, [], [])
        return { withExtendedLifetime(values) { target.receive(completion: end) } }
      }
      if demand > .none, !firsts.isEmpty, !seconds.isEmpty {
        demand -= 1
        let pair = (firsts.removeFirst(), seconds.removeFirst())
        return {
          let more = target.receive(pair)
          self.lock.withLock {
            self.add(more)
            // The last pair of a side that has ended before.
            let isLast = self.isEnded[0] && self.firsts.isEmpty || self.isEnded[1] && self.seconds.isEmpty
            if isLast, self.end == nil { self.end = .finished }
          }
        }
      }
      for side in 0...1 where owed[side] > .none {
        guard let source = sources[side] else { continue }
        let ask = owed[side]
        owed[side] = .none
        return { source.request(ask) }
      }
      isServing = false
      return nil
    }
  }
}
