// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// Ten publishers, operators and subjects, each with one mistake. The table at the end of the file lists them.
// Every one is written out in full, because a mistake in shared code would be one mistake and not ten.

import Foundation
import PenstockCore

/// A paging client: asks a server for pages of four photos and delivers them one by one.
///
/// Breaks P-07: takes only a short page as the last one, so after a full last page the end needs one more request.
struct PagedPhotos: Publisher {
  typealias Output = Int
  typealias Failure = Never

  let count: Int

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
    let client = Client(downstream: subscriber, count: count)
    subscriber.receive(subscription: client)
    client.drain()
  }

  private final class Client<Downstream: Subscriber>: Subscription where Downstream.Input == Int {
    private let lock = NSLock()
    private let count: Int
    private var downstream: Downstream?
    private var demand = Subscribers.Demand.none
    private var page: ArraySlice<Int> = []
    private var fetched = 0
    private var isLastPage = false
    // Busy from the start: nothing is delivered before the handshake has returned.
    private var isDraining = true

    init(downstream: Downstream, count: Int) {
      self.downstream = downstream
      self.count = count
      fetchPage()
    }

    private func fetchPage() {
      let pageSize = 4
      page = ArraySlice(fetched..<Swift.min(fetched + pageSize, count))
      fetched += page.count
      isLastPage = page.count < pageSize
    }

    func drain() {
      while true {
        lock.lock()
        guard let target = downstream else { break }
        if page.isEmpty, isLastPage {
          downstream = nil
          isDraining = false
          lock.unlock()
          target.receive(completion: .finished)
          return
        }
        guard demand > .none else { break }
        guard let photo = page.popFirst() else {
          fetchPage()
          lock.unlock()
          continue
        }
        demand -= 1
        lock.unlock()
        let more = target.receive(photo)
        lock.lock()
        demand += more
        lock.unlock()
      }
      isDraining = false
      lock.unlock()
    }

    func request(_ demand: Subscribers.Demand) {
      lock.lock()
      guard demand > .none, downstream != nil else { return lock.unlock() }
      self.demand += demand
      guard !isDraining else { return lock.unlock() }
      isDraining = true
      lock.unlock()
      drain()
    }

    func cancel() {
      lock.lock()
      let released = downstream
      downstream = nil
      lock.unlock()
      withExtendedLifetime(released) {}
    }
  }
}

/// A lines reader: reads a file in blocks of three lines and delivers the lines.
///
/// Breaks P-05: when demand runs out inside a block, the lines left in the block are lost.
struct LinesReader: Publisher {
  typealias Output = Int
  typealias Failure = Never

  let count: Int

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
    let reader = Reader(downstream: subscriber, count: count)
    subscriber.receive(subscription: reader)
    reader.drain()
  }

  private final class Reader<Downstream: Subscriber>: Subscription where Downstream.Input == Int {
    private let lock = NSLock()
    private let count: Int
    private var downstream: Downstream?
    private var demand = Subscribers.Demand.none
    private var position = 0
    private var isDraining = true

    init(downstream: Downstream, count: Int) {
      self.downstream = downstream
      self.count = count
    }

    func drain() {
      while let block = readBlock() {
        for line in block {
          lock.lock()
          guard demand > .none, let target = downstream else {
            lock.unlock()
            break
          }
          demand -= 1
          lock.unlock()
          let more = target.receive(line)
          lock.lock()
          demand += more
          lock.unlock()
        }
      }
    }

    /// The next block of lines; nothing when there is no demand, or no subscriber, or after the end.
    private func readBlock() -> Range<Int>? {
      lock.lock()
      if downstream != nil, count > position, demand > .none {
        let block = position..<Swift.min(position + 3, count)
        position = block.upperBound
        lock.unlock()
        return block
      }
      let finished = position == count ? downstream : nil
      if finished != nil { downstream = nil }
      isDraining = false
      lock.unlock()
      finished?.receive(completion: .finished)
      return nil
    }

    func request(_ demand: Subscribers.Demand) {
      lock.lock()
      guard demand > .none, downstream != nil else { return lock.unlock() }
      self.demand += demand
      guard !isDraining else { return lock.unlock() }
      isDraining = true
      lock.unlock()
      drain()
    }

    func cancel() {
      lock.lock()
      let released = downstream
      downstream = nil
      lock.unlock()
      withExtendedLifetime(released) {}
    }
  }
}

/// A countdown: delivers how many ticks have passed, one per demanded value, and then ends.
///
/// Breaks S-04: a cancel inside the last tick is still followed by the completion.
struct Countdown: Publisher {
  typealias Output = Int
  typealias Failure = Never

  let count: Int

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
    let clock = Clock(downstream: subscriber, count: count)
    subscriber.receive(subscription: clock)
    clock.run()
  }

  private final class Clock<Downstream: Subscriber>: Subscription where Downstream.Input == Int {
    private let lock = NSLock()
    private let count: Int
    private var downstream: Downstream?
    private var demand = Subscribers.Demand.none
    private var passed = 0
    private var isOver = false
    private var isRunning = true

    init(downstream: Downstream, count: Int) {
      self.downstream = downstream
      self.count = count
    }

    func run() {
      lock.lock()
      guard let target = downstream else { return lock.unlock() }
      while !isOver, demand > .none, passed != count {
        demand -= 1
        let tick = passed
        passed += 1
        lock.unlock()
        let more = target.receive(tick)
        lock.lock()
        demand += more
      }
      isRunning = false
      let isLast = passed == count
      if isLast {
        isOver = true
        downstream = nil
      }
      lock.unlock()
      if isLast { target.receive(completion: .finished) }
    }

    func request(_ demand: Subscribers.Demand) {
      lock.lock()
      guard demand > .none, !isOver else { return lock.unlock() }
      self.demand += demand
      guard !isRunning else { return lock.unlock() }
      isRunning = true
      lock.unlock()
      run()
    }

    func cancel() {
      lock.lock()
      isOver = true
      let released = downstream
      downstream = nil
      lock.unlock()
      withExtendedLifetime(released) {}
    }
  }
}

/// A resource pool: every subscriber gets a lease, whose slots are delivered in turn.
///
/// Breaks M-02: a lease is given back by `cancel` only, so after the end the pool still holds the subscriber.
struct LeasePool: Publisher {
  typealias Output = Int
  typealias Failure = Never

  let count: Int
  private let register = Register()

  init(count: Int) {
    self.count = count
  }

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
    let lease = Lease(downstream: subscriber, count: count, register: register)
    register.insert(lease)
    subscriber.receive(subscription: lease)
    lease.drain()
  }

  private final class Register {
    private let lock = NSLock()
    private var leases: [ObjectIdentifier: AnyObject] = [:]

    func insert(_ lease: AnyObject) {
      lock.lock()
      leases[ObjectIdentifier(lease)] = lease
      lock.unlock()
    }

    func remove(_ lease: AnyObject) {
      lock.lock()
      leases[ObjectIdentifier(lease)] = nil
      lock.unlock()
    }
  }

  private final class Lease<Downstream: Subscriber>: Subscription where Downstream.Input == Int {
    private let lock = NSLock()
    private let slots: Range<Int>
    private let register: Register
    private var downstream: Downstream?
    private var demand = Subscribers.Demand.none
    private var next = 0
    private var isOver = false
    private var isDraining = true

    init(downstream: Downstream, count: Int, register: Register) {
      self.downstream = downstream
      self.register = register
      slots = 0..<count
    }

    func drain() {
      while true {
        lock.lock()
        guard !isOver, let target = downstream else { break }
        if next == slots.upperBound {
          isOver = true
          isDraining = false
          lock.unlock()
          target.receive(completion: .finished)
          return
        }
        guard demand > .none else { break }
        demand -= 1
        let slot = next
        next += 1
        lock.unlock()
        let more = target.receive(slot)
        lock.lock()
        demand += more
        lock.unlock()
      }
      isDraining = false
      lock.unlock()
    }

    func request(_ demand: Subscribers.Demand) {
      lock.lock()
      guard demand > .none, !isOver else { return lock.unlock() }
      self.demand += demand
      guard !isDraining else { return lock.unlock() }
      isDraining = true
      lock.unlock()
      drain()
    }

    func cancel() {
      lock.lock()
      isOver = true
      let released = downstream
      downstream = nil
      lock.unlock()
      withExtendedLifetime(released) { register.remove(self) }
    }
  }
}

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

/// A hand-driven socket: a subject that drops what nobody asked for and hangs up after its last listener.
///
/// Breaks S-06: every `cancel` counts as one listener gone, so a second cancel of one cuts off the others.
final class SocketFeed<Failure: Error>: Subject {
  typealias Output = Int

  private let lock = NSLock()
  private var ending: Subscribers.Completion<Failure>?
  private var listeners: [Listener] = []
  private var listening = 0

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Failure {
    lock.lock()
    let listener = Listener(AnySubscriber(subscriber), socket: self, ending: ending)
    if ending == nil {
      listeners.append(listener)
      listening += 1
    }
    lock.unlock()
    listener.open()
  }

  func send(subscription: any Subscription) {
    subscription.request(.unlimited)
  }

  func send(_ value: Int) {
    lock.lock()
    let peers = listeners
    for peer in peers { peer.put(value) }
    lock.unlock()
    for peer in peers { peer.kick() }
  }

  func send(completion: Subscribers.Completion<Failure>) {
    lock.lock()
    guard ending == nil else { return lock.unlock() }
    ending = completion
    let peers = listeners
    listeners = []
    for peer in peers { peer.put(completion) }
    lock.unlock()
    for peer in peers { peer.kick() }
  }

  private func left(_ listener: Listener) {
    lock.lock()
    listeners.removeAll { $0 === listener }
    listening -= 1
    // The line is closed when nobody listens any more.
    let unreachable = listening == 0 ? listeners : []
    if listening == 0 { listeners = [] }
    lock.unlock()
    withExtendedLifetime(unreachable) {}
  }

  private final class Listener: Subscription {
    private let lock = NSLock()
    private weak var socket: SocketFeed?
    private var downstream: AnySubscriber<Int, Failure>?
    private var accepted: [Int] = []
    private var ending: Subscribers.Completion<Failure>?
    private var demand = Subscribers.Demand.none
    private var isBusy = true

    init(_ downstream: AnySubscriber<Int, Failure>, socket: SocketFeed, ending: Subscribers.Completion<Failure>?) {
      self.downstream = downstream
      self.socket = socket
      self.ending = ending
    }

    func open() {
      let target = downstream
      target?.receive(subscription: self)
      drain()
    }

    func put(_ value: Int) {
      lock.lock()
      if downstream != nil, demand > .none {
        demand -= 1
        accepted.append(value)
      }
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
        guard !accepted.isEmpty else {
          guard let ending else { break }
          downstream = nil
          isBusy = false
          lock.unlock()
          target.receive(completion: ending)
          return
        }
        let value = accepted.removeFirst()
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
    }

    func cancel() {
      lock.lock()
      let released = downstream
      downstream = nil
      accepted = []
      lock.unlock()
      withExtendedLifetime(released) { socket?.left(self) }
    }
  }
}

/// A retry with a limit: subscribes to a failed upstream again, three times at most.
///
/// Breaks O-12: demand returned from `receive(_:)` is not remembered, so the next attempt is not asked for it.
struct RetryUpTo<Upstream: Publisher>: Publisher where Upstream.Output == Int {
  typealias Output = Int
  typealias Failure = Upstream.Failure

  let upstream: Upstream

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Failure {
    Inner(downstream: subscriber, upstream: upstream).connect()
  }

  private final class Inner<Downstream: Subscriber>: Subscription
  where Downstream.Input == Int, Downstream.Failure == Upstream.Failure {
    private let lock = NSLock()
    private let upstream: Upstream
    private var downstream: Downstream?
    private var current: (any Subscription)?
    private var demand = Subscribers.Demand.none
    private var attempt = 0
    private var isHandedDown = false
    private var isConnecting = false
    private var connectsAgain = false

    init(downstream: Downstream, upstream: Upstream) {
      self.downstream = downstream
      self.upstream = upstream
    }

    /// Subscribes in a loop, because an attempt may fail before `subscribe` has returned.
    func connect() {
      lock.lock()
      connectsAgain = true
      guard !isConnecting else { return lock.unlock() }
      isConnecting = true
      while connectsAgain, downstream != nil {
        connectsAgain = false
        let number = attempt
        lock.unlock()
        upstream.subscribe(Attempt(inner: self, number: number))
        lock.lock()
      }
      isConnecting = false
      lock.unlock()
    }

    func began(_ subscription: any Subscription, _ number: Int) {
      lock.lock()
      guard number == attempt, current == nil, let target = downstream else {
        lock.unlock()
        return subscription.cancel()
      }
      current = subscription
      let isFirst = !isHandedDown
      isHandedDown = true
      let owed = demand
      lock.unlock()
      if isFirst {
        target.receive(subscription: self)
      } else if owed > .none {
        subscription.request(owed)
      }
    }

    func arrived(_ value: Int, _ number: Int) -> Subscribers.Demand {
      lock.lock()
      guard number == attempt, current != nil, let target = downstream else {
        lock.unlock()
        return .none
      }
      if demand > .none { demand -= 1 }
      lock.unlock()
      return target.receive(value)
    }

    func ended(_ completion: Subscribers.Completion<Failure>, _ number: Int) {
      lock.lock()
      guard number == attempt, let old = current, let target = downstream else { return lock.unlock() }
      current = nil
      attempt += 1
      if case .failure = completion, attempt <= 3 {
        lock.unlock()
        withExtendedLifetime(old) { connect() }
        return
      }
      downstream = nil
      lock.unlock()
      withExtendedLifetime(old) { target.receive(completion: completion) }
    }

    func request(_ demand: Subscribers.Demand) {
      lock.lock()
      guard demand > .none, downstream != nil else { return lock.unlock() }
      self.demand += demand
      let source = current
      lock.unlock()
      source?.request(demand)
    }

    func cancel() {
      lock.lock()
      let released = downstream
      downstream = nil
      let source = current
      current = nil
      lock.unlock()
      withExtendedLifetime(released) { source?.cancel() }
    }
  }

  /// One attempt; its number tells its events from those of an older one.
  private struct Attempt<Downstream: Subscriber>: Subscriber
  where Downstream.Input == Int, Downstream.Failure == Upstream.Failure {
    let combineIdentifier = CombineIdentifier()
    let inner: Inner<Downstream>
    let number: Int

    func receive(subscription: any Subscription) {
      inner.began(subscription, number)
    }

    func receive(_ input: Int) -> Subscribers.Demand {
      inner.arrived(input, number)
    }

    func receive(completion: Subscribers.Completion<Upstream.Failure>) {
      inner.ended(completion, number)
    }
  }
}

/// A sampling filter: passes the first value of every three and rejects the other two.
///
/// Breaks O-04: pays for rejected values together with the next value passed, which may never be asked for.
struct EveryThird<Upstream: Publisher>: Publisher where Upstream.Output == Int {
  typealias Output = Int
  typealias Failure = Upstream.Failure

  let upstream: Upstream

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Failure {
    upstream.subscribe(Inner(downstream: subscriber))
  }

  private final class Inner<Downstream: Subscriber>: Subscriber, Subscription where Downstream.Input == Int {
    typealias Input = Int
    typealias Failure = Downstream.Failure

    private let lock = NSLock()
    private var downstream: Downstream?
    private var source: (any Subscription)?
    private var index = 0
    private var rejected = 0

    init(downstream: Downstream) {
      self.downstream = downstream
    }

    func receive(subscription: any Subscription) {
      lock.lock()
      guard source == nil, let target = downstream else {
        lock.unlock()
        return subscription.cancel()
      }
      source = subscription
      lock.unlock()
      target.receive(subscription: self)
    }

    func receive(_ input: Int) -> Subscribers.Demand {
      lock.lock()
      guard source != nil, let target = downstream else {
        lock.unlock()
        return .none
      }
      let passes = index == 0
      index = (index + 1) % 3
      guard passes else {
        rejected += 1
        lock.unlock()
        return .none
      }
      let refund = rejected
      rejected = 0
      lock.unlock()
      return target.receive(input) + .max(refund)
    }

    func receive(completion: Subscribers.Completion<Failure>) {
      lock.lock()
      guard let old = source, let target = downstream else { return lock.unlock() }
      source = nil
      downstream = nil
      lock.unlock()
      withExtendedLifetime(old) { target.receive(completion: completion) }
    }

    func request(_ demand: Subscribers.Demand) {
      lock.lock()
      let asked = source
      lock.unlock()
      if demand > .none { asked?.request(demand) }
    }

    func cancel() {
      lock.lock()
      let old = source
      let released = downstream
      source = nil
      downstream = nil
      lock.unlock()
      withExtendedLifetime(released) { old?.cancel() }
    }
  }
}

/// A read-ahead buffer: keeps up to four values in stock, so that upstream works before it is asked.
///
/// Breaks C-01: an end that finds the stock empty is passed on at once, even while the last value is being delivered.
/// A failure does not wait for the stock, which is then dropped.
struct ReadAhead<Upstream: Publisher>: Publisher where Upstream.Output == Int {
  typealias Output = Int
  typealias Failure = Upstream.Failure

  let upstream: Upstream

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Failure {
    upstream.subscribe(Inner(downstream: subscriber))
  }

  private final class Inner<Downstream: Subscriber>: Subscriber, Subscription where Downstream.Input == Int {
    typealias Input = Int
    typealias Failure = Downstream.Failure

    private let lock = NSLock()
    private var downstream: Downstream?
    private var source: (any Subscription)?
    private var stock: [Int] = []
    private var demand = Subscribers.Demand.none
    private var isStarted = false
    private var isEnding = false
    private var isDraining = true

    init(downstream: Downstream) {
      self.downstream = downstream
    }

    func receive(subscription: any Subscription) {
      lock.lock()
      guard !isStarted, let target = downstream else {
        lock.unlock()
        return subscription.cancel()
      }
      isStarted = true
      source = subscription
      lock.unlock()
      target.receive(subscription: self)
      drain()
      lock.lock()
      let asked = source
      lock.unlock()
      asked?.request(.max(4))
    }

    func receive(_ input: Int) -> Subscribers.Demand {
      lock.lock()
      guard source != nil else {
        lock.unlock()
        return .none
      }
      stock.append(input)
      lock.unlock()
      kick()
      return .none
    }

    func receive(completion: Subscribers.Completion<Failure>) {
      lock.lock()
      guard let old = source, let target = downstream else { return lock.unlock() }
      source = nil
      if case .failure = completion { stock = [] }
      let isLast = stock.isEmpty
      isEnding = !isLast
      if isLast { downstream = nil }
      lock.unlock()
      withExtendedLifetime(old) {
        if isLast { target.receive(completion: completion) }
      }
    }

    private func kick() {
      lock.lock()
      guard !isDraining else { return lock.unlock() }
      isDraining = true
      lock.unlock()
      drain()
    }

    private func drain() {
      var sold = 0
      while true {
        lock.lock()
        guard let target = downstream else { break }
        if stock.isEmpty, isEnding {
          downstream = nil
          isDraining = false
          lock.unlock()
          return target.receive(completion: .finished)
        }
        guard demand > .none, !stock.isEmpty else { break }
        demand -= 1
        sold += 1
        let value = stock.removeFirst()
        lock.unlock()
        let more = target.receive(value)
        lock.lock()
        demand += more
        lock.unlock()
      }
      isDraining = false
      let asked = source
      lock.unlock()
      if sold > 0 { asked?.request(.max(sold)) }
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
      let old = source
      downstream = nil
      source = nil
      stock = []
      lock.unlock()
      withExtendedLifetime(released) { old?.cancel() }
    }
  }
}

/// A running total: a scan that delivers the sum of all values so far.
///
/// Breaks C-05: holds its lock while the subscriber works; a recursive lock hides that from a single thread.
struct RunningTotal<Upstream: Publisher>: Publisher where Upstream.Output == Int {
  typealias Output = Int
  typealias Failure = Upstream.Failure

  let upstream: Upstream

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Failure {
    upstream.subscribe(Inner(downstream: subscriber))
  }

  private final class Inner<Downstream: Subscriber>: Subscriber, Subscription where Downstream.Input == Int {
    typealias Input = Int
    typealias Failure = Downstream.Failure

    private let lock = NSRecursiveLock()
    private var downstream: Downstream?
    private var source: (any Subscription)?
    private var total = 0

    init(downstream: Downstream) {
      self.downstream = downstream
    }

    func receive(subscription: any Subscription) {
      lock.lock()
      guard source == nil, let target = downstream else {
        lock.unlock()
        return subscription.cancel()
      }
      source = subscription
      lock.unlock()
      target.receive(subscription: self)
    }

    func receive(_ input: Int) -> Subscribers.Demand {
      lock.lock()
      defer { lock.unlock() }
      guard source != nil, let target = downstream else { return .none }
      total &+= input
      return target.receive(total)
    }

    func receive(completion: Subscribers.Completion<Failure>) {
      lock.lock()
      guard let old = source, let target = downstream else { return lock.unlock() }
      source = nil
      downstream = nil
      lock.unlock()
      withExtendedLifetime(old) { target.receive(completion: completion) }
    }

    func request(_ demand: Subscribers.Demand) {
      lock.lock()
      let asked = source
      lock.unlock()
      if demand > .none { asked?.request(demand) }
    }

    func cancel() {
      lock.lock()
      let old = source
      let released = downstream
      source = nil
      downstream = nil
      lock.unlock()
      withExtendedLifetime(released) { old?.cancel() }
    }
  }
}

// name         | kind           | rule | what a developer would see
// PagedPhotos  | cold publisher | P-07 | with 8 photos and a demand of 8 the stream never ends; with 7 of 7 it does
// LinesReader  | cold publisher | P-05 | asked line by line, only every third line arrives
// Countdown    | cold publisher | S-04 | a screen that closes itself on the last tick is told of the end afterwards
// LeasePool    | cold publisher | M-02 | view models of finished streams stay alive as long as the pool
// ReplayCache  | subject        | J-02 | finished, then failed by a late timeout: who subscribes now gets the failure
// SocketFeed   | subject        | S-06 | one listener cancels twice, and another goes silent for ever
// RetryUpTo    | operator       | O-12 | after a failure nothing more reaches a subscriber that asks by returning
// EveryThird   | operator       | O-04 | works with `sink`; who asks for one at a time gets one value and waits
// ReadAhead    | operator       | C-01 | the end arrives on a second thread while the last value is being handled
// RunningTotal | operator       | C-05 | `cancel` on the main thread hangs until the subscriber's slow callback returns
