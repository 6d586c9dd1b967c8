// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore

/// A cache with replay: a subject that repeats its last three values, and its end, to late subscribers.
///
/// Keeps all rules. Every subscriber has a backlog of its own; an end, failures too, comes after the backlog.
final class ReplayShelf<Failure: Error>: Subject {
  typealias Output = Int

  private let lock = NSLock()
  private var recent: [Int] = []
  private var ending: Subscribers.Completion<Failure>?
  private var boxes: [Box] = []

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Failure {
    let box = Box(AnySubscriber(subscriber), shelf: self)
    // Under the lock, so that no value falls between the repeated ones and the new ones, and none comes twice.
    lock.lock()
    for value in recent { box.put(value) }
    if let ending {
      box.put(ending)
    } else {
      boxes.append(box)
    }
    lock.unlock()
    box.open()
  }

  func send(subscription: any Subscription) {
    subscription.request(.unlimited)
  }

  func send(_ value: Int) {
    lock.lock()
    guard ending == nil else { return lock.unlock() }
    recent = recent.suffix(2) + [value]
    let peers = boxes
    for peer in peers { peer.put(value) }
    lock.unlock()
    for peer in peers { peer.kick() }
  }

  func send(completion: Subscribers.Completion<Failure>) {
    lock.lock()
    guard ending == nil else { return lock.unlock() }
    ending = completion
    let peers = boxes
    boxes = []
    for peer in peers { peer.put(completion) }
    lock.unlock()
    for peer in peers { peer.kick() }
  }

  private func remove(_ box: Box) {
    lock.lock()
    boxes.removeAll { $0 === box }
    lock.unlock()
  }

  private final class Box: CleanMailbox<AnySubscriber<Int, Failure>> {
    private weak var shelf: ReplayShelf?

    init(_ downstream: AnySubscriber<Int, Failure>, shelf: ReplayShelf) {
      self.shelf = shelf
      super.init(downstream)
      failureWaits = true
    }

    override func cancel() {
      super.cancel()
      shelf?.remove(self)
    }
  }
}
