// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
@preconcurrency import OpenCombine

/// What OpenCombine 0.14.0 does where tests of this package fail over it, each shown without a line of Penstock's.
///
/// Prints the names of the causes that are there. `Utilities/foreign` has a list of the tests that fail, with the name
/// of the cause of each: a cause that is gone with a newer version has to leave the list.
@main enum Causes {
  static func main() {
    if prefixLeavesUpstream() { print("prefix-leaves-upstream") }
    if shareForgetsCancel() { print("share-forgets-cancel") }
    if subjectOverlaps() { print("subject-overlaps") }
    if subjectHasTwoOrders() { print("subject-has-two-orders") }
  }

  /// `prefix(2)` is complete after two values, and does not cancel upstream.
  static func prefixLeavesUpstream() -> Bool {
    var cancels = 0
    let subject = PassthroughSubject<Int, Never>()
    let cancellable = subject.handleEvents(receiveCancel: { cancels += 1 }).prefix(2).sink { _ in }
    subject.send(1)
    subject.send(2)
    defer { cancellable.cancel() }
    return cancels == 0
  }

  /// The only subscriber of a shared publisher cancels inside a value that comes at once, and upstream stays.
  static func shareForgetsCancel() -> Bool {
    var cancels = 0
    let upstream = CurrentValueSubject<Int, Never>(0)
    let probe = Probe()
    probe.onValue = { _ in probe.subscription?.cancel() }
    upstream.handleEvents(receiveCancel: { cancels += 1 }).share().subscribe(probe)
    return probe.values == [0] && cancels == 0
  }

  /// A subscriber gets a value on one thread while it is in `receive(subscription:)` on another.
  static func subjectOverlaps() -> Bool {
    let subject = PassthroughSubject<Int, Never>()
    let probe = Probe()
    let came = DispatchSemaphore(value: 0)
    var isOverlapping = false
    probe.onValue = { _ in came.signal() }
    probe.onSubscription = {
      Thread.detachNewThread { subject.send(1) }
      isOverlapping = came.wait(timeout: .now() + 2) == .success
    }
    subject.subscribe(probe)
    return isOverlapping
  }

  /// Two threads send, and two subscribers get the values in different orders.
  static func subjectHasTwoOrders() -> Bool {
    for _ in 0..<1_000 {
      let subject = CurrentValueSubject<Int, Never>(-1)
      let probes = [Probe(), Probe()]
      probes.forEach(subject.subscribe)
      DispatchQueue.concurrentPerform(iterations: 2) { thread in
        for number in 0..<100 { subject.send(thread * 100 + number) }
      }
      if probes[0].values != probes[1].values { return true }
    }
    return false
  }
}

/// A subscriber that asks for everything, and keeps what comes.
final class Probe: Subscriber, @unchecked Sendable {
  typealias Input = Int
  typealias Failure = Never

  private let lock = NSLock()
  private var received: [Int] = []
  var subscription: (any Subscription)?
  var onSubscription: () -> Void = {}
  var onValue: (Int) -> Void = { _ in }

  var values: [Int] { lock.withLock { received } }

  func receive(subscription: any Subscription) {
    self.subscription = subscription
    subscription.request(.unlimited)
    onSubscription()
  }

  func receive(_ input: Int) -> Subscribers.Demand {
    lock.withLock { received.append(input) }
    onValue(input)
    return .none
  }

  func receive(completion: Subscribers.Completion<Never>) {}
}
