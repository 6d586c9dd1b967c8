// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore

/// A lines reader: reads a file in blocks of three lines and delivers the lines.
///
/// Breaks P-05: when demand runs out inside a block, the lines left in the block are lost.
struct LinesReader: Publisher {
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
    private var isDraining = true

    init(downstream: Downstream, count: Int) {
      self.downstream = downstream
      self.count = count
    }

    func drain() {
      while let block = readBlock() {
        for line in block {
          lock.lock()
          guard demand > .none, let target = downstream else {
            lock.unlock()
            break
          }
          demand -= 1
          lock.unlock()
          let more = target.receive(line)
          lock.lock()
          demand += more
          lock.unlock()
        }
      }
    }

    /// The next block of lines; nothing when there is no demand, or no subscriber, or after the end.
    private func readBlock() -> Range<Int>? {
      lock.lock()
      if downstream != nil, count > position, demand > .none {
        let block = position..<Swift.min(position + 3, count)
        position = block.upperBound
        lock.unlock()
        return block
      }
      let finished = position == count ? downstream : nil
      if finished != nil { downstream = nil }
      isDraining = false
      lock.unlock()
      finished?.receive(completion: .finished)
      return nil
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
