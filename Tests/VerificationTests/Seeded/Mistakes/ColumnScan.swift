// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore

// The resource of ColumnScan. @unchecked Sendable: the lock guards the only mutable state.
final class CursorPool: @unchecked Sendable {
  private let lock = NSLock()
  private var count = 0

  var openCursors: Int { lock.withLock { count } }

  func open() { lock.withLock { count += 1 } }

  func close() { lock.withLock { count -= 1 } }
}

// Breaks: S-11 – cancel leaves the cursor of a running scan to the scan's loop, and the loop returns without closing
// it. It shows when cancel is called while a value is being delivered (inside receive(_:), or on another thread at
// that moment): pool.openCursors stays 1. Cancel at rest, or inside the handshake, and the end close properly.
struct ColumnScan: Publisher {
  typealias Output = Int
  typealias Failure = Never

  let pool: CursorPool
  let rows: Int

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
    let scan = Scan(pool: pool, rows: rows, target: subscriber)
    subscriber.receive(subscription: scan)
    if rows == 0 { scan.run() }
  }
}

private final class Scan<Target: Subscriber>: Subscription where Target.Input == Int, Target.Failure == Never {
  private enum Step {
    case row(Int)
    case end
    case stop
  }

  private let lock = NSLock()
  private let pool: CursorPool
  private let rows: Int
  private var row = 0
  private var target: Target?
  private var demand = Subscribers.Demand.none
  private var running = false
  private var cursorIsOpen = false

  init(pool: CursorPool, rows: Int, target: Target) {
    self.pool = pool
    self.rows = rows
    self.target = target
  }

  func request(_ demand: Subscribers.Demand) {
    guard demand > .none else { return }
    lock.withLock { self.demand += demand }
    run()
  }

  func cancel() {
    let (released, atRest) = lock.withLock { () -> (Target?, Bool) in
      defer { target = nil }
      return (target, !running)
    }
    if released != nil, atRest { closeCursor() }
  }

  func run() {
    guard let target = begin() else { return }
    while true {
      switch step() {
      case .row(let row):
        let more = target.receive(row)
        lock.withLock { demand += more }
      case .end:
        closeCursor()
        target.receive(completion: .finished)
        return
      case .stop:
        return
      }
    }
  }

  private func begin() -> Target? {
    lock.withLock {
      guard !running, let target else { return nil }
      running = true
      if rows > 0, !cursorIsOpen {
        cursorIsOpen = true
        pool.open()
      }
      return target
    }
  }

  private func step() -> Step {
    lock.withLock {
      if target != nil, row == rows {
        target = nil
        return .end
      }
      guard target != nil, demand > .none else {
        running = false
        return .stop
      }
      demand -= 1
      row += 1
      return .row(row)
    }
  }

  private func closeCursor() {
    let wasOpen = lock.withLock { () -> Bool in
      defer { cursorIsOpen = false }
      return cursorIsOpen
    }
    if wasOpen { pool.close() }
  }
}
