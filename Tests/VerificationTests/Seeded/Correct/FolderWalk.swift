// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Dispatch
import Foundation
import PenstockCore

// Correct: every value comes in a block of its own on a concurrent queue, so each may come on another thread, but never
// two at once: the next block is sent off when the last one has delivered. The end comes on such a thread, too.
struct FolderWalk: Publisher {
  typealias Output = Int
  typealias Failure = Never

  let sizes: [Int]
  // Entered while a thread delivers, or is about to.
  let underWay = DispatchGroup()

  init(sizes: [Int]) { self.sizes = sizes }

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
    let walk = Walk(AnySubscriber(subscriber), sizes, underWay)
    subscriber.receive(subscription: walk)
    walk.sendOff()
  }

  // Unchecked: all state is guarded by the lock; the subscriber is called by one thread at a time.
  private final class Walk: Subscription, @unchecked Sendable {
    typealias Downstream = AnySubscriber<Int, Never>

    private let lock = NSLock()
    private let underWay: DispatchGroup
    private let sizes: [Int]
    private var downstream: Downstream?
    private var position = 0
    private var demand = Subscribers.Demand.none
    private var isUnderWay = true  // since the handshake

    init(_ downstream: Downstream, _ sizes: [Int], _ underWay: DispatchGroup) {
      self.downstream = downstream
      self.sizes = sizes
      self.underWay = underWay
    }

    func sendOff() {
      // Not the global queue: it has no thread left while others block all of its threads.
      DispatchQueue(label: "folder walk").async(group: underWay) { self.step() }
    }

    private func step() {
      let (downstream, size) = lock.withLock { () -> (Downstream?, Int?) in
        guard let downstream = self.downstream, position == sizes.count || demand > 0 else {
          isUnderWay = false
          return (nil, nil)
        }
        guard position < sizes.count else {
          self.downstream = nil
          return (downstream, nil)
        }
        demand -= 1
        defer { position += 1 }
        return (downstream, sizes[position])
      }
      guard let downstream else { return }
      guard let size else { return downstream.receive(completion: .finished) }
      let more = downstream.receive(size)
      lock.withLock { demand += more }
      sendOff()
    }

    func request(_ more: Subscribers.Demand) {
      let isMine = lock.withLock { () -> Bool in
        guard downstream != nil, more > 0 else { return false }
        demand += more
        defer { isUnderWay = true }
        return !isUnderWay
      }
      if isMine { sendOff() }
    }

    func cancel() {
      var dropped: Downstream?
      lock.withLock { swap(&dropped, &downstream) }
    }
  }
}
