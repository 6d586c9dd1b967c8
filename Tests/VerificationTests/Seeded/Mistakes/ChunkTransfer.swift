// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore

// Breaks: M-02 – subscription and transfer hold each other by the handler; the end and a cancel remove the handler, a
// failure does not, so that a subscriber whose transfer has failed is never freed.
struct ChunkTransfer: Publisher {
  typealias Output = Int

  struct Failure: Error {}

  let chunks: Int
  var breaks = false

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Failure {
    let receiver = Receiver(subscriber)
    let transfer = Transfer(chunks: chunks, breaks: breaks) { receiver.handle($0) }
    receiver.attach(to: transfer)
    subscriber.receive(subscription: receiver)
    receiver.pull()
  }

  // A transfer as it comes with the device: it has a handler, which is called for each step.
  private final class Transfer {
    enum Event { case chunk(Int), done, broken }

    var handler: ((Event) -> Void)?
    private let chunks: Int
    private let breaks: Bool
    private var next = 0

    init(chunks: Int, breaks: Bool, handler: @escaping (Event) -> Void) {
      (self.chunks, self.breaks, self.handler) = (chunks, breaks, handler)
    }

    var hasChunk: Bool { next < chunks }

    func step() {
      guard hasChunk else { return handler?(breaks ? .broken : .done) ?? () }
      next += 1
      handler?(.chunk(next - 1))
    }
  }

  private final class Receiver<S: Subscriber>: Subscription where S.Input == Int, S.Failure == ChunkTransfer.Failure {
    private let lock = NSLock()
    private var downstream: S?
    private var transfer: Transfer?
    private var demand = Subscribers.Demand.none
    private var isPulling = true  // until the handshake is over
    private var isCancelled = false
    private var isOver = false

    init(_ downstream: S) { self.downstream = downstream }

    func attach(to transfer: Transfer) { self.transfer = transfer }

    func request(_ more: Subscribers.Demand) {
      lock.lock()
      demand += more
      let isMine = !isPulling
      isPulling = true
      lock.unlock()
      if isMine { pull() }
    }

    // A transfer that pulls closes on its own.
    func cancel() {
      let isIdle = lock.withLock {
        isCancelled = true
        return !isPulling
      }
      if isIdle { close() }
    }

    func pull() {
      while let transfer = lock.withLock({ next() }) { transfer.step() }
      if lock.withLock({ isCancelled }) { close() }
    }

    private func next() -> Transfer? {
      guard let transfer, !isCancelled, !isOver, !transfer.hasChunk || demand > .none else {
        isPulling = false
        return nil
      }
      if transfer.hasChunk { demand -= 1 }
      return transfer
    }

    // Releasing the transfer releases the handler, and with it the reference to this object.
    @discardableResult
    private func close() -> S? {
      let (old, target) = lock.withLock {
        defer { (transfer, downstream) = (nil, nil) }
        return (transfer, downstream)
      }
      old?.handler = nil
      return target
    }

    func handle(_ event: Transfer.Event) {
      switch event {
      case .chunk(let chunk):
        guard let target = lock.withLock({ isCancelled ? nil : downstream }) else { return }
        let more = target.receive(chunk)
        lock.withLock { demand += more }
      case .done:
        guard lock.withLock({ !isCancelled }) else { return }
        lock.withLock { isOver = true }
        close()?.receive(completion: .finished)
      case .broken:
        guard let target = lock.withLock({ isCancelled ? nil : downstream }) else { return }
        lock.withLock { isOver = true }
        target.receive(completion: .failure(ChunkTransfer.Failure()))
      }
    }
  }
}
