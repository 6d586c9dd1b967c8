// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore

// Breaks: P-10 – all subscriptions decode into the one block of a shared decoder, and keep only their place in it: a
// subscription that continues after another one has decoded a later block delivers rows of that block.
struct TelegramRows: Publisher {
  typealias Output = Int
  typealias Failure = Never

  let count: Int

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
    let reading = Reading(subscriber, count)
    subscriber.receive(subscription: reading)
    reading.deliver()
  }

  // A block has four rows. Making a decoder is expensive, so there is only one.
  private final class Decoder: @unchecked Sendable {
    static let shared = Decoder()

    private let lock = NSLock()
    private var block = [0, 0, 0, 0]

    func decode(block number: Int) {
      lock.withLock {
        for place in block.indices { block[place] = number * 4 + place }
      }
    }

    func row(at place: Int) -> Int { lock.withLock { block[place] } }
  }

  private final class Reading<S: Subscriber>: Subscription where S.Input == Int, S.Failure == Never {
    private let lock = NSLock()
    private let count: Int
    private var downstream: S?
    private var demand = Subscribers.Demand.none
    private var isDelivering = true  // until the handshake is over
    private var position = 0  // of the one that delivers

    init(_ downstream: S, _ count: Int) { (self.downstream, self.count) = (downstream, count) }

    func request(_ more: Subscribers.Demand) {
      let isMine = lock.withLock {
        demand += more
        defer { isDelivering = true }
        return !isDelivering
      }
      if isMine { deliver() }
    }

    func cancel() {
      let old = lock.withLock {
        defer { downstream = nil }
        return downstream
      }
      withExtendedLifetime(old) {}
    }

    func deliver() {
      while let (target, isAtEnd) = lock.withLock({ next() }) {
        if isAtEnd { return target.receive(completion: .finished) }
        let place = position % 4
        if place == 0 { Decoder.shared.decode(block: position / 4) }
        position += 1
        let more = target.receive(Decoder.shared.row(at: place))
        lock.withLock { demand += more }
      }
    }

    private func next() -> (S, isAtEnd: Bool)? {
      let isAtEnd = position == count
      guard let target = downstream, isAtEnd || demand > .none else {
        isDelivering = false
        return nil
      }
      if isAtEnd { downstream = nil } else { demand -= 1 }
      return (target, isAtEnd)
    }
  }
}
