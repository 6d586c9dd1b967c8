// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Dispatch
import Foundation
import PenstockCore

// Breaks: C-01 – a thread delivers more than 512 rows, but sets the flag that says so only when it runs: a request that
// comes before that starts a second thread, or delivers itself.
struct ReportExport: Publisher {
  typealias Output = Int
  typealias Failure = Never

  let rows: Int
  let underWay = DispatchGroup()

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
    let writer = Writer(subscriber, rows, underWay)
    subscriber.receive(subscription: writer)
    writer.open()
  }

  // All mutable state is guarded by the lock.
  private final class Writer<S: Subscriber>: Subscription, @unchecked Sendable
  where S.Input == Int, S.Failure == Never {
    private let lock = NSLock()
    private let rows: Int
    private let underWay: DispatchGroup
    private var downstream: S?
    private var outstanding = Subscribers.Demand.none
    private var row = 0
    private var isWriting = true  // until the handshake is over

    init(_ downstream: S, _ rows: Int, _ underWay: DispatchGroup) {
      (self.downstream, self.rows, self.underWay) = (downstream, rows, underWay)
    }

    func open() {
      lock.withLock { isWriting = false }
      write()
    }

    func request(_ demand: Subscribers.Demand) {
      lock.withLock { outstanding += demand }
      write()
    }

    func cancel() {
      lock.lock()
      let old = downstream
      downstream = nil
      lock.unlock()
      withExtendedLifetime(old) {}
    }

    private func write() {
      lock.lock()
      guard !isWriting, downstream != nil else { return lock.unlock() }
      if outstanding > 512, rows - row > 512 {
        lock.unlock()
        underWay.enter()
        nonisolated(unsafe) let write = { self.writeInBackground() }
        return Thread.detachNewThread { [underWay] in
          write()
          underWay.leave()
        }
      }
      isWriting = true
      lock.unlock()
      writeRows()
    }

    private func writeInBackground() {
      lock.withLock { isWriting = true }
      writeRows()
    }

    private func writeRows() {
      while true {
        lock.lock()
        guard let target = downstream, row == rows || outstanding > .none else {
          isWriting = false
          return lock.unlock()
        }
        if row == rows {
          downstream = nil
          lock.unlock()
          return target.receive(completion: .finished)
        }
        outstanding -= 1
        let value = row
        row += 1
        lock.unlock()
        let more = target.receive(value)
        lock.withLock { outstanding += more }
      }
    }
  }
}
