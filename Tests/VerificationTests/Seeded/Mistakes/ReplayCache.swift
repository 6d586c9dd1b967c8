// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore

/// A cache with replay: a subject that repeats its last three values, and its end, to late subscribers.
///
/// Breaks J-02: a second `send(completion:)` is not ignored; it replaces the end that late subscribers get.
/// Every subscriber has a backlog of its own; an end, failures too, comes after the backlog.
final class ReplayCache<Failure: Error>: Subject {
  typealias Output = Int

  private let lock = NSLock()
  private var recent: [Int] = []
  private var ending: Subscribers.Completion<Failure>?
  private var boxes: [Box] = []

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Failure {
    lock.lock()
    let box = Box(AnySubscriber(subscriber), cache: self, backlog: recent, ending: ending)
    if ending == nil { boxes.append(box) }
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

  /// One subscriber's backlog; only one thread at a time empties it.
  private final class Box: Subscription {
    private let lock = NSLock()
    private weak var cache: ReplayCache?
    private var downstream: AnySubscriber<Int, Failure>?
    private var backlog: [Int]
    private var ending: Subscribers.Completion<Failure>?
    private var demand = Subscribers.Demand.none
    private var isBusy = true

    init(
      _ downstream: AnySubscriber<Int, Failure>, cache: ReplayCache, backlog: [Int],
      ending: Subscribers.Completion<Failure>?
    ) {
      self.downstream = downstream
      self.cache = cache
      self.backlog = backlog
      self.ending = ending
    }

    func open() {
      let target = downstream
      target?.receive(subscription: self)
      drain()
    }

    func put(_ value: Int) {
      lock.lock()
      if downstream != nil { backlog.append(value) }
      lock.unlock()
    }

    func put(_ completion: Subscribers.Completion<Failure>) {
      lock.lock()
      ending = completion
      lock.unlock()
    }

    func kick() {
      lock.lock()
      guard !isBusy else { return lock.unlock() }
      isBusy = true
      lock.unlock()
      drain()
    }

    private func drain() {
      while true {
        lock.lock()
        guard let target = downstream else { break }
        if backlog.isEmpty, let ending {
          downstream = nil
          isBusy = false
          lock.unlock()
          target.receive(completion: ending)
          return
        }
        guard demand > .none, !backlog.isEmpty else { break }
        demand -= 1
        let value = backlog.removeFirst()
        lock.unlock()
        let more = target.receive(value)
        lock.lock()
        demand += more
        lock.unlock()
      }
      isBusy = false
      lock.unlock()
    }

    func request(_ demand: Subscribers.Demand) {
      lock.lock()
      if demand > .none { self.demand += demand }
      lock.unlock()
      kick()
    }

    func cancel() {
      lock.lock()
      let released = downstream
      downstream = nil
      backlog = []
      lock.unlock()
      withExtendedLifetime(released) { cache?.remove(self) }
    }
  }
}
