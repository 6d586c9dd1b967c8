// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore

// Breaks: J-02 – a second `send(completion:)` replaces the stored end. Earlier subscribers have had their end and
// notice nothing. Shows to a subscriber that comes after two different completions, e.g. `.finished` and then
// `.failure`: it gets the second one. Values sent after the end are ignored, even by the replay.
final class RecentValues<Output, Failure: Error>: Subject {
  private let lock = NSLock()
  private let capacity: Int
  private var recent: [Output] = [], lines: [Line] = []
  private var end: Subscribers.Completion<Failure>?
  private var sources: [any Subscription] = []

  init(capacity: Int) { self.capacity = capacity }

  deinit { sources.forEach { $0.cancel() } }

  func send(_ value: Output) {
    let (_, open) = lock.withLock { () -> (Output?, [Line]) in
      guard end == nil else { return (nil, []) }
      recent.append(value)
      lines.forEach { $0.queue.append(value) }
      return (recent.count > capacity ? recent.removeFirst() : nil, lines)
    }
    open.forEach { $0.deliver() }
  }

  func send(completion: Subscribers.Completion<Failure>) {
    let open = lock.withLock { () -> [Line] in
      end = completion
      lines.forEach { $0.end = completion }
      defer { lines = [] }
      return lines
    }
    open.forEach { $0.deliver() }
  }

  func send(subscription: any Subscription) {
    let isOpen = lock.withLock { () -> Bool in
      if end == nil { sources.append(subscription) }
      return end == nil
    }
    if isOpen { subscription.request(.unlimited) } else { subscription.cancel() }
  }

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    let line = Line(AnySubscriber(subscriber), self, lock)
    lock.withLock {
      line.queue = recent
      line.end = end
      if end == nil { lines.append(line) }
    }
    subscriber.receive(subscription: line)
    line.deliver(afterHandshake: true)
  }

  // One subscriber, with the values it has not had yet. The lock is the subject's.
  private final class Line: Subscription {
    typealias Downstream = AnySubscriber<Output, Failure>
    typealias Completion = Subscribers.Completion<Failure>
    private enum Step { case value(Downstream, Output), end(Downstream, Completion, RecentValues?) }

    private let lock: NSLock
    private var downstream: Downstream?
    private var subject: RecentValues?
    private var demand = Subscribers.Demand.none
    private var isDelivering = true  // the handshake counts as a delivery
    var queue: [Output] = []
    var end: Subscribers.Completion<Failure>?

    init(_ downstream: Downstream, _ subject: RecentValues, _ lock: NSLock) {
      self.downstream = downstream
      self.subject = subject
      self.lock = lock
    }

    func request(_ more: Subscribers.Demand) {
      guard more > 0 else { return }
      lock.withLock { demand += more }
      deliver()
    }

    func cancel() {
      _ = lock.withLock { () -> (Any?, [Output], RecentValues?) in
        subject?.lines.removeAll { $0 === self }
        defer { (downstream, queue, subject) = (nil, [], nil) }
        return (downstream, queue, subject)
      }
    }

    func deliver(afterHandshake: Bool = false) {
      let isMine = lock.withLock { () -> Bool in
        defer { isDelivering = true }
        return afterHandshake || !isDelivering
      }
      while isMine, let step = lock.withLock({ next() }) {
        switch step {
        case .value(let downstream, let value):
          let more = downstream.receive(value)
          lock.withLock { demand += more }
        case .end(let downstream, let completion, _):
          downstream.receive(completion: completion)
        }
      }
    }

    private func next() -> Step? {
      if let downstream, queue.isEmpty, let end {
        defer { (self.downstream, subject) = (nil, nil) }
        return .end(downstream, end, subject)
      }
      guard let downstream, demand > 0, !queue.isEmpty else {
        isDelivering = false
        return nil
      }
      demand -= 1
      return .value(downstream, queue.removeFirst())
    }
  }
}
