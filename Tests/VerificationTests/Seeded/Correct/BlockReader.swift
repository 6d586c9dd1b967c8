// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore

/// A lines reader: reads a file in blocks of three lines and keeps the rest of a block for later demand.
///
/// Keeps all rules.
struct BlockReader: Publisher {
  typealias Output = Int
  typealias Failure = Never

  let count: Int

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
    let reader = Reader(downstream: subscriber, count: count)
    subscriber.receive(subscription: reader)
    reader.drain()
  }

  private final class Reader<Downstream: Subscriber>: Subscription where Downstream.Input == Int {
    private let lock = NSLock()
    private let count: Int
    private var downstream: Downstream?
    private var demand = Subscribers.Demand.none
    private var position = 0
    private var block: [Int] = []
    private var isDraining = true

    init(downstream: Downstream, count: Int) {
      self.downstream = downstream
      self.count = count
    }

    func drain() {
      while true {
        lock.lock()
        guard let target = downstream else { break }
        if block.isEmpty, position == count {
          downstream = nil
          isDraining = false
          lock.unlock()
          return target.receive(completion: .finished)
        }
        guard demand > .none else { break }
        if block.isEmpty {
          block = Array(position..<Swift.min(position + 3, count))
          position += block.count
        }
        demand -= 1
        let line = block.removeFirst()
        lock.unlock()
        let more = target.receive(line)
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
      withExtendedLifetime(released) {}
    }
  }
}
