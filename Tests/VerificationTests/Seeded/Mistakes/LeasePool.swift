// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore

/// A resource pool: every subscriber gets a lease, whose slots are delivered in turn.
///
/// Breaks M-02: a lease is given back by `cancel` only, so after the end the pool still holds the subscriber.
struct LeasePool: Publisher {
  typealias Output = Int
  typealias Failure = Never

  let count: Int
  private let register = Register()

  init(count: Int) {
    self.count = count
  }

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
    let lease = Lease(downstream: subscriber, count: count, register: register)
    register.insert(lease)
    subscriber.receive(subscription: lease)
    lease.drain()
  }

  private final class Register {
    private let lock = NSLock()
    private var leases: [ObjectIdentifier: AnyObject] = [:]

    func insert(_ lease: AnyObject) {
      lock.lock()
      leases[ObjectIdentifier(lease)] = lease
      lock.unlock()
    }

    func remove(_ lease: AnyObject) {
      lock.lock()
      leases[ObjectIdentifier(lease)] = nil
      lock.unlock()
    }
  }

  private final class Lease<Downstream: Subscriber>: Subscription where Downstream.Input == Int {
    private let lock = NSLock()
    private let slots: Range<Int>
    private let register: Register
    private var downstream: Downstream?
    private var demand = Subscribers.Demand.none
    private var next = 0
    private var isOver = false
    private var isDraining = true

    init(downstream: Downstream, count: Int, register: Register) {
      self.downstream = downstream
      self.register = register
      slots = 0..<count
    }

    func drain() {
      while true {
        lock.lock()
        guard !isOver, let target = downstream else { break }
        if next == slots.upperBound {
          isOver = true
          isDraining = false
          lock.unlock()
          target.receive(completion: .finished)
          return
        }
        guard demand > .none else { break }
        demand -= 1
        let slot = next
        next += 1
        lock.unlock()
        let more = target.receive(slot)
        lock.lock()
        demand += more
        lock.unlock()
      }
      isDraining = false
      lock.unlock()
    }

    func request(_ demand: Subscribers.Demand) {
      lock.lock()
      guard demand > .none, !isOver else { return lock.unlock() }
      self.demand += demand
      guard !isDraining else { return lock.unlock() }
      isDraining = true
      lock.unlock()
      drain()
    }

    func cancel() {
      lock.lock()
      isOver = true
      let released = downstream
      downstream = nil
      lock.unlock()
      withExtendedLifetime(released) { register.remove(self) }
    }
  }
}
