// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore

// Breaks: M-02 – a subscriber attached before the end is not released by the completion: the subject keeps it until it
// cancels, although the subscriber has dropped its subscription. All mutable state is guarded by the locks (the
// subject's before a reader's).
final class Bulletin: Subject, @unchecked Sendable {
  typealias Output = Int
  typealias Failure = Never
  private let lock = NSLock()
  private var readers: [BulletinReader] = []
  private var ended = false

  func send(_ value: Int) { post(value) }
  func send(completion: Subscribers.Completion<Never>) { post(nil) }
  func send(subscription: any Subscription) { subscription.request(.unlimited) }

  private func post(_ event: Int?) {
    lock.lock()
    guard !ended else { return lock.unlock() }
    if event == nil { ended = true }
    let current = readers
    for reader in current { reader.enqueue(event) }
    lock.unlock()
    for reader in current { reader.drain() }
  }

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
    let reader = BulletinReader(AnySubscriber(subscriber), self)
    lock.lock()
    if ended { reader.enqueue(nil) } else { readers.append(reader) }
    lock.unlock()
    subscriber.receive(subscription: reader)
    reader.open()
  }

  fileprivate func remove(_ reader: BulletinReader) {
    lock.lock()
    let index = readers.firstIndex { $0 === reader }
    let old = index.map { readers.remove(at: $0) }
    lock.unlock()
    withExtendedLifetime(old) {}
  }
}

// All mutable state is guarded by the lock.
private final class BulletinReader: Subscription, @unchecked Sendable {
  private let lock = NSLock()
  private var downstream: AnySubscriber<Int, Never>?
  private weak var bulletin: Bulletin?
  private var events: [Int?] = []  // nil: the end
  private var pending = Subscribers.Demand.none
  private var draining = true
  private var ended = false

  init(_ downstream: AnySubscriber<Int, Never>, _ bulletin: Bulletin) {
    self.downstream = downstream
    self.bulletin = bulletin
  }

  func enqueue(_ event: Int?) { lock.withLock { if downstream != nil { events.append(event) } } }

  func open() {
    lock.withLock { draining = false }
    drain()
  }

  func drain() {
    lock.lock()
    guard !draining else { return lock.unlock() }
    draining = true
    lock.unlock()
    while deliverNext() {}
  }

  private func deliverNext() -> Bool {
    lock.lock()
    guard let target = downstream, !ended, !events.isEmpty else {
      draining = false
      lock.unlock()
      return false
    }
    guard let value = events.removeFirst() else {
      ended = true
      lock.unlock()
      target.receive(completion: .finished)
      return true
    }
    let wanted = pending > .none
    if wanted { pending -= 1 }
    lock.unlock()
    guard wanted else { return true }
    let more = target.receive(value)
    lock.withLock { pending += more }
    return true
  }

  func request(_ demand: Subscribers.Demand) { lock.withLock { pending += demand } }

  func cancel() {
    lock.lock()
    let (target, owner) = (downstream, bulletin)
    (downstream, bulletin) = (nil, nil)
    events = []
    lock.unlock()
    withExtendedLifetime(target) { owner?.remove(self) }
  }
}
