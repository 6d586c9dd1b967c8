// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore

/// One subscriber's mailbox, shared by most of the publishers below.
///
/// Any thread that has values puts them in. Only one thread at a time takes them out, as demand allows, and it holds no
/// lock while it calls out. A call that comes meanwhile, from inside a callback or from another thread, leaves its work
/// to that thread. So deliveries never overlap, and the stack stays flat.
class CleanMailbox<Downstream: Subscriber>: Subscription {
  typealias Demand = Subscribers.Demand
  typealias Completion = Subscribers.Completion<Downstream.Failure>

  // All four are set before the mailbox is shared.

  /// How much upstream is asked for per demanded, and per delivered, value.
  var asksPerDemand = 0
  var asksPerValue = 0
  /// Whether `fetch()` has something to give.
  var fetches = false
  /// Whether a failure comes after the waiting values, or at once and instead of them.
  var failureWaits = false

  private let lock = NSLock()
  private var downstream: Downstream?
  private var upstream: (any Subscription)?
  private var isAttached: Bool
  private var queue: [Downstream.Input] = []
  private var head = 0
  private var ending: Completion?
  private var demand = Demand.none
  /// Demand that is still to be passed upstream.
  private var owed: Demand
  /// Busy from the start, so that nothing is delivered before the handshake has returned.
  private var isBusy = true

  /// An operator's mailbox takes nothing before it has its upstream subscription.
  init(_ downstream: Downstream, hasUpstream: Bool = false, asksFirst: Int = 0) {
    self.downstream = downstream
    isAttached = !hasUpstream
    owed = .max(asksFirst)
  }

  /// Whether values are still taken.
  var isOpen: Bool {
    lock.lock()
    defer { lock.unlock() }
    return isAttached && downstream != nil && ending == nil
  }

  /// The next block of values, for cold publishers; called by one thread at a time.
  func fetch() -> (values: [Downstream.Input], isLast: Bool) {
    ([], true)
  }

  /// Takes the upstream subscription and starts; any further one is cancelled.
  func attach(_ subscription: any Subscription) {
    lock.lock()
    guard !isAttached, downstream != nil else {
      lock.unlock()
      return subscription.cancel()
    }
    isAttached = true
    upstream = subscription
    lock.unlock()
    open()
  }

  /// Hands the subscription down and delivers the values that wait; called once.
  func open() {
    lock.lock()
    let target = downstream
    lock.unlock()
    target?.receive(subscription: self)
    drain()
  }

  /// Adds a value, for `kick()` to deliver; on request only if somebody has already asked for it.
  func put(_ value: Downstream.Input, onlyIfAsked: Bool = false) {
    lock.lock()
    defer { lock.unlock() }
    guard isAttached, downstream != nil, ending == nil else { return }
    if onlyIfAsked, demand <= .max(queue.count - head) { return }
    queue.append(value)
  }

  /// Adds the end without delivering it; only the first one counts.
  func put(_ completion: Completion) {
    lock.lock()
    guard isAttached, downstream != nil, ending == nil else { return lock.unlock() }
    ending = completion
    var dropped: [Downstream.Input] = []
    if case .failure = completion, !failureWaits {
      swap(&dropped, &queue)
      head = 0
    }
    let old = upstream
    upstream = nil
    lock.unlock()
    // Released here, because a deinitializer may call back in.
    withExtendedLifetime((old, dropped)) {}
  }

  func kick() {
    lock.lock()
    guard !isBusy else { return lock.unlock() }
    isBusy = true
    lock.unlock()
    drain()
  }

  func request(_ demand: Demand) {
    guard demand > .none else { return }
    lock.lock()
    guard downstream != nil else { return lock.unlock() }
    credit(demand)
    lock.unlock()
    kick()
  }

  func cancel() {
    lock.lock()
    let released = downstream
    downstream = nil
    let old = upstream
    upstream = nil
    var dropped: [Downstream.Input] = []
    swap(&dropped, &queue)
    head = 0
    lock.unlock()
    withExtendedLifetime((released, dropped)) { old?.cancel() }
  }

  private func credit(_ demand: Demand) {
    self.demand += demand
    if asksPerDemand > 0 { owed += demand * asksPerDemand }
  }

  /// Called by the one thread that has set `isBusy`.
  private func drain() {
    while true {
      lock.lock()
      guard let target = downstream else { break }
      if head == queue.count, ending == nil, fetches {
        lock.unlock()
        let block = fetch()
        lock.lock()
        if downstream != nil {
          queue = block.values
          head = 0
          if block.isLast { ending = .finished }
        }
        lock.unlock()
        continue
      }
      if head == queue.count, let ending {
        downstream = nil
        isBusy = false
        lock.unlock()
        return target.receive(completion: ending)
      }
      guard demand > .none, head < queue.count else { break }
      demand -= 1
      let value = queue[head]
      head += 1
      if head == queue.count || head == 256 {
        queue.removeFirst(head)
        head = 0
      }
      if asksPerValue > 0 { owed += asksPerValue }
      lock.unlock()
      let more = target.receive(value)
      lock.lock()
      credit(more)
      lock.unlock()
    }
    isBusy = false
    // No longer busy while upstream is asked, so that the values that it sends meanwhile are delivered and do not pile
    // up.
    let asked = upstream
    let ask = owed
    owed = .none
    lock.unlock()
    if ask > .none { asked?.request(ask) }
  }
}
