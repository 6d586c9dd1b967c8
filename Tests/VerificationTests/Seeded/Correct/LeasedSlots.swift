// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore

/// A resource pool: every subscriber gets a lease, which is given back at the end, by `cancel` or when dropped.
///
/// Keeps all rules.
struct LeasedSlots: Publisher {
  typealias Output = Int
  typealias Failure = Never

  let count: Int
  private let register = Register()

  init(count: Int) {
    self.count = count
  }

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
    let lease = Lease(downstream: subscriber, slots: 0..<count, register: register)
    subscriber.receive(subscription: lease)
    lease.drain()
  }

  /// Knows which leases are out, but holds none of them.
  private final class Register {
    private let lock = NSLock()
    private var leases: Set<ObjectIdentifier> = []

    func insert(_ lease: ObjectIdentifier) {
      lock.lock()
      leases.insert(lease)
      lock.unlock()
    }

    func remove(_ lease: ObjectIdentifier) {
      lock.lock()
      leases.remove(lease)
      lock.unlock()
    }
  }

  private final class Lease<Downstream: Subscriber>: Subscription where Downstream.Input == Int {
    private let lock = NSLock()
    private let register: Register
    private var slots: Range<Int>
    private var downstream: Downstream?
    private var demand = Subscribers.Demand.none
    private var isDraining = true

    init(downstream: Downstream, slots: Range<Int>, register: Register) {
      self.downstream = downstream
      self.slots = slots
      self.register = register
      register.insert(ObjectIdentifier(self))
    }

    deinit {
      register.remove(ObjectIdentifier(self))
    }

    func drain() {
      while true {
        lock.lock()
        guard let target = downstream else { break }
        if slots.isEmpty {
          downstream = nil
          isDraining = false
          lock.unlock()
          register.remove(ObjectIdentifier(self))
          return target.receive(completion: .finished)
        }
        guard demand > .none else { break }
        demand -= 1
        let slot = slots.lowerBound
        slots = slots.dropFirst()
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
      guard demand > .none, downstream != nil else { return lock.unlock() }
      self.demand += demand
      guard !isDraining else { return lock.unlock() }
      isDraining = true
      lock.unlock()
      drain()
    }

    func cancel() {
      lock.lock()
      let released = downstream
      downstream = nil
      lock.unlock()
      withExtendedLifetime(released) { register.remove(ObjectIdentifier(self)) }
    }
  }
}
