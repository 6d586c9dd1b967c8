// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore

/// Mistakes of publishers that a `MisbehavingPublisher` does not have, each of which breaks one rule.
enum PublisherFault: String, CaseIterable, Sendable {
  case waitsAtSubscription, waitsAtCancel, leavesSourceOpen, keepsEnded, holdsItself, trapsAtForeignCancel,
    losesRequests
  case holdsRecursiveLock

  var rule: String {
    switch self {
    case .waitsAtSubscription: "P-14"
    case .waitsAtCancel: "S-10"
    case .leavesSourceOpen: "S-11"
    case .keepsEnded: "M-02"
    case .holdsItself: "M-04"
    case .trapsAtForeignCancel: "C-02"
    case .losesRequests: "C-03"
    case .holdsRecursiveLock: "C-05"
    }
  }
}

/// The state that the subscriptions of a publisher of the zoo share.
final class ZooSource: @unchecked Sendable {
  let lock = NSRecursiveLock()
  /// The subscriptions that have a resource open.
  private var open = 0
  var kept: [AnySubscriber<Int, Never>] = []

  var resources: Int { lock.withLock { open } }

  func change(_ count: Int) { lock.withLock { open += count } }
}

/// A publisher of numbers that keeps all rules, or breaks one.
struct ZooPublisher: Publisher {
  typealias Output = Int
  typealias Failure = Never

  let count: Int
  let fault: PublisherFault?
  let source = ZooSource()

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
    if fault == .waitsAtSubscription { DispatchSemaphore(value: 0).wait() }
    ZooSubscription(count, fault, source, AnySubscriber(subscriber)).begin()
  }
}

private final class ZooSubscription: Subscription, CustomStringConvertible {
  private let lock = NSLock()
  private let delivering = NSRecursiveLock()
  private let count: Int
  private let fault: PublisherFault?
  private let source: ZooSource
  private var downstream: AnySubscriber<Int, Never>?
  /// All that has been requested so far.
  private var granted = Subscribers.Demand.none
  private var next = 0
  private var isBusy = true
  private var deliverer: Thread?
  private var stop: (() -> Void)?
  private var reading = 0

  init(_ count: Int, _ fault: PublisherFault?, _ source: ZooSource, _ downstream: AnySubscriber<Int, Never>) {
    (self.count, self.fault, self.source, self.downstream) = (count, fault, source, downstream)
    source.change(1)
    if fault == .holdsItself { stop = { self.next = count } }
  }

  var description: String { "Zoo" }

  func begin() {
    downstream?.receive(subscription: self)
    deliver()
  }

  func request(_ demand: Subscribers.Demand) {
    if fault == .holdsRecursiveLock { delivering.withLock {} }
    if fault == .losesRequests {
      let old = lock.withLock { granted }
      // Time for another thread, which reads the same state.
      lock.withLock { reading += 1 }
      for _ in 0..<30 where lock.withLock({ reading < 2 }) { letOthersRun() }
      lock.withLock { reading -= 1 }
      lock.withLock { granted = old + demand }
    } else {
      lock.withLock { granted += demand }
    }
    let isFree = lock.withLock {
      defer { isBusy = true }
      return !isBusy
    }
    if isFree { deliver() }
  }

  func cancel() {
    if fault == .holdsRecursiveLock { delivering.withLock {} }
    if fault == .waitsAtCancel { DispatchSemaphore(value: 0).wait() }
    if fault == .trapsAtForeignCancel, let deliverer = lock.withLock({ deliverer }), deliverer != .current {
      fatalError("cancelled while another thread delivers")
    }
    if let old = end() { withExtendedLifetime(old) {} }
  }

  private func end() -> AnySubscriber<Int, Never>? {
    let old = lock.withLock {
      defer { downstream = nil }
      return downstream
    }
    if old != nil, fault != .leavesSourceOpen { source.change(-1) }
    return old
  }

  private func deliver() {
    if fault == .holdsRecursiveLock { return delivering.withLock { loop() } }
    loop()
  }

  private func loop() {
    while let downstream = lock.withLock({ self.downstream }) {
      guard let number = take() else { return }
      if number < count {
        let more = downstream.receive(number)
        lock.withLock { granted += more }
      } else {
        if fault == .keepsEnded { source.lock.withLock { source.kept.append(downstream) } }
        end()?.receive(completion: .finished)
      }
    }
    leave()
  }

  /// The next number, or the one after the last for the end; `nil` if there is nothing to deliver.
  private func take() -> Int? {
    lock.lock()
    defer { lock.unlock() }
    guard downstream != nil, granted > .max(next) || next == count else {
      isBusy = false
      deliverer = nil
      return nil
    }
    guard next < count else {
      deliverer = nil
      return count
    }
    deliverer = .current
    next += 1
    return next - 1
  }

  private func leave() {
    lock.withLock {
      isBusy = false
      deliverer = nil
    }
  }
}
