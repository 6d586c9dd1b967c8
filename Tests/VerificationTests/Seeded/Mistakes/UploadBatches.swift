// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore

// Breaks: M-05 – `cancel` empties the unfinished batch while it holds the lock, so the values are freed under the lock.
// Shows when a value of the unfinished batch is held by nobody else and its deinit calls `request` or `cancel` on this
// very subscription: the lock is not recursive, the thread hangs. This happens only on cancel; every other path
// releases outside.
struct UploadBatches<Upstream: Publisher>: Publisher {
  typealias Output = [Upstream.Output]
  typealias Failure = Upstream.Failure

  let upstream: Upstream
  let size: Int

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    upstream.subscribe(Batcher(subscriber, size))
  }

  private final class Batcher<Downstream: Subscriber>: Subscriber, Subscription
  where Downstream.Input == [Upstream.Output], Downstream.Failure == Upstream.Failure {
    typealias Input = Upstream.Output
    typealias Failure = Upstream.Failure

    private let lock = NSLock()
    private let size: Int
    private var downstream: Downstream?
    private var upstream: (any Subscription)?
    private var hasStarted = false
    private var batch: [Input] = []

    init(_ downstream: Downstream, _ size: Int) {
      self.downstream = downstream
      self.size = size
    }

    func receive(subscription: any Subscription) {
      let downstream = lock.withLock { () -> Downstream? in
        guard !hasStarted else { return nil }
        hasStarted = true
        upstream = subscription
        return self.downstream
      }
      guard let downstream else { return subscription.cancel() }
      downstream.receive(subscription: self)
    }

    func receive(_ input: Input) -> Subscribers.Demand {
      let full = lock.withLock { () -> (Downstream, [Input])? in
        guard upstream != nil, let downstream else { return nil }
        batch.append(input)
        guard batch.count == size else { return nil }
        defer { batch = [] }
        return (downstream, batch)
      }
      guard let (downstream, values) = full else { return .none }
      let more = downstream.receive(values)
      return lock.withLock { upstream == nil ? .none : more * size }
    }

    func receive(completion: Subscribers.Completion<Failure>) {
      let (_, rest, downstream) = lock.withLock { () -> ((any Subscription)?, [Input], Downstream?) in
        guard let upstream else { return (nil, [], nil) }
        defer {
          self.upstream = nil
          batch = []
        }
        return (upstream, batch, self.downstream)
      }
      guard let downstream else { return }
      if case .finished = completion, !rest.isEmpty { _ = downstream.receive(rest) }
      let isLive = lock.withLock { () -> Bool in
        defer { self.downstream = nil }
        return self.downstream != nil
      }
      if isLive { downstream.receive(completion: completion) }
    }

    func request(_ demand: Subscribers.Demand) {
      guard demand > 0 else { return }
      lock.withLock { upstream }?.request(demand * size)
    }

    func cancel() {
      let (subscription, _) = lock.withLock { () -> ((any Subscription)?, Downstream?) in
        defer {
          upstream = nil
          downstream = nil
          batch.removeAll()
        }
        return (upstream, downstream)
      }
      subscription?.cancel()
    }
  }
}
