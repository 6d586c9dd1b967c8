// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore

// Breaks: O-11 – the end of a part subscribes to the next one that waits: if thousands have had to wait, for demand or
// for a slow part, and then end at once, each is some calls deeper than the previous one.
struct InSequence<Upstream: Publisher, Part: Publisher>: Publisher where Part.Failure == Upstream.Failure {
  typealias Output = Part.Output
  typealias Failure = Part.Failure

  let upstream: Upstream
  let part: (Upstream.Output) -> Part

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    upstream.subscribe(Sequencer(subscriber, part))
  }

  private final class Sequencer<Downstream: Subscriber>: Subscriber, Subscription
  where Downstream.Input == Part.Output, Downstream.Failure == Part.Failure {
    typealias Input = Upstream.Output
    typealias Failure = Part.Failure

    private let lock = NSLock()
    private let part: (Input) -> Part
    private var downstream: Downstream?
    private var upstream: (any Subscription)?
    private var isAttached = false
    private var inputs: [Input] = []
    private var playing = 0  // the number of the part, or zero
    private var started = 0
    private var source: (any Subscription)?  // of that part
    private var end: Subscribers.Completion<Failure>?
    private var demand = Subscribers.Demand.none
    private var deliveries = 1  // that are under way; the handshake counts as one

    init(_ downstream: Downstream, _ part: @escaping (Input) -> Part) {
      (self.downstream, self.part) = (downstream, part)
    }

    func receive(subscription: any Subscription) {
      lock.lock()
      guard !isAttached, let target = downstream else {
        lock.unlock()
        return subscription.cancel()
      }
      (isAttached, upstream) = (true, subscription)
      lock.unlock()
      target.receive(subscription: self)
      lock.withLock { deliveries -= 1 }
      playNext()
      lock.withLock { upstream }?.request(.unlimited)
    }

    func receive(_ input: Input) -> Subscribers.Demand {
      lock.withLock { if upstream != nil { inputs.append(input) } }
      playNext()
      return .none
    }

    func receive(completion: Subscribers.Completion<Failure>) {
      var failed = false
      if case .failure = completion { failed = true }
      lock.lock()
      guard let old = upstream else { return lock.unlock() }
      (upstream, end) = (nil, completion)
      let (stopped, dropped) = failed ? (source, inputs) : (nil, [])
      if failed { (source, playing, inputs) = (nil, 0, []) }
      lock.unlock()
      stopped?.cancel()
      withExtendedLifetime((old, dropped)) { playNext() }
    }

    private func playNext() {
      lock.lock()
      guard let target = downstream, playing == 0, deliveries == 0 else { return lock.unlock() }
      guard inputs.isEmpty else {
        let input = inputs.removeFirst()
        started += 1
        playing = started
        let number = started
        lock.unlock()
        return part(input).subscribe(
          AnySubscriber<Part.Output, Failure>(
            receiveSubscription: { self.opened(number, $0) },
            receiveValue: { self.deliver(number, $0) },
            receiveCompletion: { self.ended(number, $0) }))
      }
      guard let end else { return lock.unlock() }
      downstream = nil
      lock.unlock()
      target.receive(completion: end)
    }

    private func opened(_ number: Int, _ subscription: any Subscription) {
      lock.lock()
      guard playing == number, source == nil else {
        lock.unlock()
        return subscription.cancel()
      }
      source = subscription
      let owed = demand
      lock.unlock()
      if owed > .none { subscription.request(owed) }
    }

    private func deliver(_ number: Int, _ value: Part.Output) -> Subscribers.Demand {
      lock.lock()
      guard let target = downstream, playing == number, demand > .none else {
        lock.unlock()
        return .none
      }
      demand -= 1
      deliveries += 1
      lock.unlock()
      let more = target.receive(value)
      lock.lock()
      demand += more
      deliveries -= 1
      let isPlaying = playing == number
      lock.unlock()
      if !isPlaying { playNext() }
      return isPlaying ? more : .none
    }

    private func ended(_ number: Int, _ completion: Subscribers.Completion<Failure>) {
      lock.lock()
      guard playing == number else { return lock.unlock() }
      let old = source
      (playing, source) = (0, nil)
      var (stopped, dropped): ((any Subscription)?, [Input]) = (nil, [])
      if case .failure = completion {
        (stopped, dropped) = (upstream, inputs)
        (upstream, inputs, end) = (nil, [], completion)
      }
      lock.unlock()
      stopped?.cancel()
      withExtendedLifetime((old, dropped)) { playNext() }
    }

    func request(_ more: Subscribers.Demand) {
      lock.lock()
      demand += more
      let current = source
      lock.unlock()
      if more > .none { current?.request(more) }
    }

    func cancel() {
      lock.lock()
      let (target, outer, inner, dropped) = (downstream, upstream, source, inputs)
      (downstream, upstream, source, playing, inputs) = (nil, nil, nil, 0, [])
      lock.unlock()
      inner?.cancel()
      outer?.cancel()
      withExtendedLifetime((target, dropped)) {}
    }
  }
}
