// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore

// Breaks: O-12 – demand that is requested while the operator waits to connect again is forgotten: there is no
// connection that could be asked, and the demand is not added to that for the next one.
struct Reconnecting<Upstream: Publisher, Context: Scheduler>: Publisher {
  typealias Output = Upstream.Output
  typealias Failure = Upstream.Failure

  let socket: Upstream
  let limit: Int
  let wait: Context.SchedulerTimeType.Stride
  let scheduler: Context

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    Client(subscriber, self).connect()
  }

  private final class Client<Downstream: Subscriber>: Subscription
  where Downstream.Input == Output, Downstream.Failure == Failure {
    private enum Link {
      case none
      case opening(Int)
      case open(Int, any Subscription)
    }

    private let lock = NSLock()
    private let plan: Reconnecting
    private var downstream: Downstream?
    private var link = Link.none
    private var connections = 0
    private var unmet = Subscribers.Demand.none
    private var nesting = 0  // of deliveries
    private var isLost = false  // during one of them

    init(_ downstream: Downstream, _ plan: Reconnecting) { (self.downstream, self.plan) = (downstream, plan) }

    func connect() {
      let number = lock.withLock { () -> Int? in
        guard downstream != nil else { return nil }
        connections += 1
        link = .opening(connections)
        return connections
      }
      if let number { plan.socket.subscribe(Wire(self, number)) }
    }

    func opened(_ number: Int, _ subscription: any Subscription) {
      lock.lock()
      guard let target = downstream, case .opening(number) = link else {
        lock.unlock()
        return subscription.cancel()
      }
      link = .open(number, subscription)
      let demand = unmet
      lock.unlock()
      if number == 1 { return target.receive(subscription: self) }
      if demand > .none { subscription.request(demand) }
    }

    func received(_ number: Int, _ value: Output) -> Subscribers.Demand {
      lock.lock()
      guard let target = downstream, case .open(number, _) = link, unmet > .none else {
        lock.unlock()
        return .none
      }
      unmet -= 1
      nesting += 1
      lock.unlock()
      let more = target.receive(value)
      lock.lock()
      unmet += more
      nesting -= 1
      var isOpen = false
      if case .open(number, _) = link { isOpen = true }
      let isToWait = isLost && nesting == 0
      if isToWait { isLost = false }
      lock.unlock()
      if isToWait { connectLater() }
      return isOpen ? more : .none
    }

    func closed(_ number: Int, _ completion: Subscribers.Completion<Upstream.Failure>) {
      lock.lock()
      guard let target = downstream, case .open(number, let old) = link else { return lock.unlock() }
      link = .none
      guard case .failure = completion, connections < limit else {
        downstream = nil
        lock.unlock()
        return withExtendedLifetime(old) { target.receive(completion: completion) }
      }
      isLost = nesting > 0
      let isToWait = nesting == 0
      lock.unlock()
      withExtendedLifetime(old) { if isToWait { connectLater() } }
    }

    private var limit: Int { plan.limit }

    private func connectLater() {
      plan.scheduler.schedule(after: plan.scheduler.now.advanced(by: plan.wait)) { self.connect() }
    }

    func request(_ demand: Subscribers.Demand) {
      lock.lock()
      guard demand > .none, case .open(_, let subscription) = link else { return lock.unlock() }
      unmet += demand
      lock.unlock()
      subscription.request(demand)
    }

    func cancel() {
      lock.lock()
      let (target, old) = (downstream, link)
      (downstream, link) = (nil, .none)
      lock.unlock()
      if case .open(_, let subscription) = old { subscription.cancel() }
      withExtendedLifetime(target) {}
    }

    struct Wire: Subscriber {
      typealias Input = Output
      let client: Client
      let number: Int
      let combineIdentifier = CombineIdentifier()

      init(_ client: Client, _ number: Int) { (self.client, self.number) = (client, number) }

      func receive(subscription: any Subscription) { client.opened(number, subscription) }
      func receive(_ input: Output) -> Subscribers.Demand { client.received(number, input) }
      func receive(completion: Subscribers.Completion<Upstream.Failure>) { client.closed(number, completion) }
    }
  }
}
