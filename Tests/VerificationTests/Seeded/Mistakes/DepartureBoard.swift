// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore

struct BoardOffline: Error, Equatable {}

// Breaks: J-02 – send(_:) after send(completion:) reaches no attached subscriber, but still enters the replay. It shows
// to a later subscriber: it gets the values sent after the end, then the completion. @unchecked Sendable: the lock
// guards all mutable state.
final class DepartureBoard: Subject, @unchecked Sendable {
  typealias Output = Int
  typealias Failure = BoardOffline

  private let lock = NSLock()
  private var recent: [Int] = []
  private var lines: [BoardLine] = []
  private var ending: Subscribers.Completion<BoardOffline>?
  private var sources: [any Subscription] = []

  deinit {
    for source in sources { source.cancel() }
  }

  func send(_ value: Int) {
    let current = lock.withLock { () -> [BoardLine] in
      recent.append(value)
      if recent.count > 2 { recent.removeFirst() }
      for line in lines { line.add(value) }
      return lines
    }
    for line in current { line.drain() }
  }

  func send(completion: Subscribers.Completion<BoardOffline>) {
    let current = lock.withLock { () -> [BoardLine] in
      guard ending == nil else { return [] }
      ending = completion
      for line in lines { line.end(completion) }
      defer { lines = [] }
      return lines
    }
    for line in current { line.drain() }
  }

  func send(subscription: any Subscription) {
    lock.withLock { sources.append(subscription) }
    subscription.request(.unlimited)
  }

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == BoardOffline {
    let target = AnySubscriber(subscriber)
    let line = lock.withLock { () -> BoardLine in
      let line = BoardLine(board: self, replay: recent, ending: ending, target: target)
      if ending == nil { lines.append(line) }
      return line
    }
    subscriber.receive(subscription: line)
    line.open()
  }

  fileprivate func remove(_ line: BoardLine) {
    let kept = lock.withLock { () -> [BoardLine] in
      defer { lines.removeAll { $0 === line } }
      return lines
    }
    _ = kept
  }
}

// Keeps what its subscriber has not asked for yet; delivers nothing before the handshake is over.
private final class BoardLine: Subscription {
  private enum Step {
    case value(Int)
    case end(Subscribers.Completion<BoardOffline>)
    case pause
  }

  private let lock = NSLock()
  private weak var board: DepartureBoard?
  private var waiting: [Int]
  private var ending: Subscribers.Completion<BoardOffline>?
  private var target: AnySubscriber<Int, BoardOffline>?
  private var demand = Subscribers.Demand.none
  private var busy = true

  init(
    board: DepartureBoard, replay: [Int], ending: Subscribers.Completion<BoardOffline>?,
    target: AnySubscriber<Int, BoardOffline>
  ) {
    self.board = board
    self.waiting = replay
    self.ending = ending
    self.target = target
  }

  func add(_ value: Int) { lock.withLock { if target != nil { waiting.append(value) } } }

  func end(_ completion: Subscribers.Completion<BoardOffline>) { lock.withLock { ending = completion } }

  func open() {
    lock.withLock { busy = false }
    drain()
  }

  func request(_ demand: Subscribers.Demand) {
    guard demand > .none else { return }
    lock.withLock { self.demand += demand }
    drain()
  }

  func cancel() {
    let released = lock.withLock { () -> AnySubscriber<Int, BoardOffline>? in
      defer {
        target = nil
        waiting = []
      }
      return target
    }
    if released != nil { board?.remove(self) }
  }

  func drain() {
    let begun = lock.withLock { () -> AnySubscriber<Int, BoardOffline>? in
      guard !busy, let target else { return nil }
      busy = true
      return target
    }
    guard let target = begun else { return }
    while true {
      switch step() {
      case .value(let value):
        let more = target.receive(value)
        lock.withLock { demand += more }
      case .end(let completion):
        target.receive(completion: completion)
        return
      case .pause:
        return
      }
    }
  }

  private func step() -> Step {
    lock.withLock {
      if target != nil, !waiting.isEmpty, demand > .none {
        demand -= 1
        return .value(waiting.removeFirst())
      }
      if target != nil, waiting.isEmpty, let ending {
        target = nil
        return .end(ending)
      }
      busy = false
      return .pause
    }
  }
}
