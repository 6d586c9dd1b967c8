// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore

// Breaks: P-04 – the last known position goes out on a separate path that throws away the demand that the subscriber
// returns for it. Shows when there is a last known position and the subscriber answers the first value with demand
// (every later answer counts, and so does every `request`): one value too few for each unit returned there.
struct LocationUpdates: Publisher {
  typealias Output = Int
  typealias Failure = Never

  let lastKnown: Int?
  let track: [Int]

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
    let session = Session(subscriber, lastKnown, track)
    subscriber.receive(subscription: session)
    session.deliver()
  }

  private final class Session<Downstream: Subscriber>: Subscription
  where Downstream.Input == Int, Downstream.Failure == Never {
    private enum Step {
      case lastKnown(Downstream, Int)
      case update(Downstream, Int)
      case end(Downstream)
    }

    private let lock = NSLock()
    private var downstream: Downstream?
    private var lastKnown: Int?
    private var track: ArraySlice<Int>
    private var demand = Subscribers.Demand.none
    private var isDelivering = true  // the handshake counts as a delivery

    init(_ downstream: Downstream, _ lastKnown: Int?, _ track: [Int]) {
      self.downstream = downstream
      self.lastKnown = lastKnown
      self.track = track[...]
    }

    func request(_ more: Subscribers.Demand) {
      let isMine = lock.withLock { () -> Bool in
        guard downstream != nil, more > 0 else { return false }
        demand += more
        if isDelivering { return false }
        isDelivering = true
        return true
      }
      if isMine { deliver() }
    }

    func cancel() {
      let dropped = lock.withLock { () -> Downstream? in
        defer { downstream = nil }
        return downstream
      }
      _ = dropped
    }

    func deliver() {
      while let step = lock.withLock({ next() }) {
        switch step {
        case .lastKnown(let downstream, let position):
          _ = downstream.receive(position)
        case .update(let downstream, let position):
          let more = downstream.receive(position)
          lock.withLock { demand += more }
        case .end(let downstream):
          downstream.receive(completion: .finished)
        }
      }
    }

    private func next() -> Step? {
      guard let downstream else {
        isDelivering = false
        return nil
      }
      if lastKnown == nil, track.isEmpty {
        self.downstream = nil
        return .end(downstream)
      }
      guard demand > 0 else {
        isDelivering = false
        return nil
      }
      demand -= 1
      if let position = lastKnown {
        lastKnown = nil
        return .lastKnown(downstream, position)
      }
      return .update(downstream, track.removeFirst())
    }
  }
}
