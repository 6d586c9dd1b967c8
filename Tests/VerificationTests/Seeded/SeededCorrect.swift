// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// Ten publishers, operators and subjects that keep all rules. The table at the end of the file lists them.

import Foundation
import PenstockCore

/// One subscriber's mailbox, shared by most of the publishers below.
///
/// Values are put in by whoever has them. Only one thread at a time takes them out, as demand allows, and it holds no
/// lock while it calls out. A call that comes meanwhile, from inside a callback or from another thread, leaves its work
/// to that thread. So deliveries never overlap, and the stack stays flat.
class CleanMailbox<Downstream: Subscriber>: Subscription {
  typealias Demand = Subscribers.Demand
  typealias Completion = Subscribers.Completion<Downstream.Failure>

  // All four are set before the mailbox is shared.

  /// How much upstream is asked for each demanded, and for each delivered, value.
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

  /// Hands the subscription down and delivers what is there; called once.
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
    // No longer busy while upstream is asked, so that what it sends meanwhile is delivered and does not pile up.
    let asked = upstream
    let ask = owed
    owed = .none
    lock.unlock()
    if ask > .none { asked?.request(ask) }
  }
}

/// A paging client: asks a server for pages of four invoices, one page ahead, and delivers them one by one.
///
/// Keeps all rules.
struct PagedInvoices: Publisher {
  typealias Output = Int
  typealias Failure = Never

  let count: Int

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
    Client(subscriber, count: count).open()
  }

  private final class Client<Downstream: Subscriber>: CleanMailbox<Downstream> where Downstream.Input == Int {
    private let count: Int
    private var fetched = 0

    init(_ downstream: Downstream, count: Int) {
      self.count = count
      super.init(downstream)
      fetches = true
    }

    /// Every page says how many invoices there are, so the last one is known for what it is even when it is full.
    override func fetch() -> (values: [Int], isLast: Bool) {
      let page = Array(fetched..<Swift.min(fetched + 4, count))
      fetched += page.count
      return (page, fetched == count)
    }
  }
}

/// A lines reader: reads a file in blocks of three lines and keeps the rest of a block for later demand.
///
/// Keeps all rules.
struct BlockReader: Publisher {
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
    private var block: [Int] = []
    private var isDraining = true

    init(downstream: Downstream, count: Int) {
      self.downstream = downstream
      self.count = count
    }

    func drain() {
      while true {
        lock.lock()
        guard let target = downstream else { break }
        if block.isEmpty, position == count {
          downstream = nil
          isDraining = false
          lock.unlock()
          return target.receive(completion: .finished)
        }
        guard demand > .none else { break }
        if block.isEmpty {
          block = Array(position..<Swift.min(position + 3, count))
          position += block.count
        }
        demand -= 1
        let line = block.removeFirst()
        lock.unlock()
        let more = target.receive(line)
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

/// A resource pool: every subscriber gets a lease, which is given back at the end, by `cancel` or when dropped.
///
/// Keeps all rules.
struct LeasedSlots: Publisher {
  typealias Output = Int
  typealias Failure = Never

  let count: Int
  private let register = Register()

  init(count: Int) {
    self.count = count
  }

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
    let lease = Lease(downstream: subscriber, slots: 0..<count, register: register)
    subscriber.receive(subscription: lease)
    lease.drain()
  }

  /// Knows which leases are out, but holds none of them.
  private final class Register {
    private let lock = NSLock()
    private var leases: Set<ObjectIdentifier> = []

    func insert(_ lease: ObjectIdentifier) {
      lock.lock()
      leases.insert(lease)
      lock.unlock()
    }

    func remove(_ lease: ObjectIdentifier) {
      lock.lock()
      leases.remove(lease)
      lock.unlock()
    }
  }

  private final class Lease<Downstream: Subscriber>: Subscription where Downstream.Input == Int {
    private let lock = NSLock()
    private let register: Register
    private var slots: Range<Int>
    private var downstream: Downstream?
    private var demand = Subscribers.Demand.none
    private var isDraining = true

    init(downstream: Downstream, slots: Range<Int>, register: Register) {
      self.downstream = downstream
      self.slots = slots
      self.register = register
      register.insert(ObjectIdentifier(self))
    }

    deinit {
      register.remove(ObjectIdentifier(self))
    }

    func drain() {
      while true {
        lock.lock()
        guard let target = downstream else { break }
        if slots.isEmpty {
          downstream = nil
          isDraining = false
          lock.unlock()
          register.remove(ObjectIdentifier(self))
          return target.receive(completion: .finished)
        }
        guard demand > .none else { break }
        demand -= 1
        let slot = slots.lowerBound
        slots = slots.dropFirst()
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
      withExtendedLifetime(released) { register.remove(ObjectIdentifier(self)) }
    }
  }
}

/// A merging of two: takes a value from the even and one from the odd numbers in turn.
///
/// Keeps all rules.
struct MergedHalves: Publisher {
  typealias Output = Int
  typealias Failure = Never

  let count: Int

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
    Merger(subscriber, count: count).open()
  }

  private final class Merger<Downstream: Subscriber>: CleanMailbox<Downstream> where Downstream.Input == Int {
    private var evens: StrideTo<Int>.Iterator
    private var odds: StrideTo<Int>.Iterator

    init(_ downstream: Downstream, count: Int) {
      evens = stride(from: 0, to: count, by: 2).makeIterator()
      odds = stride(from: 1, to: count, by: 2).makeIterator()
      super.init(downstream)
      fetches = true
    }

    override func fetch() -> (values: [Int], isLast: Bool) {
      let pair = [evens.next(), odds.next()].compactMap { $0 }
      return (pair, pair.isEmpty)
    }
  }
}

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

/// A hand-driven socket: a subject that drops what a listener has not asked for.
///
/// Keeps all rules. An end, failures too, comes after what was accepted before it.
final class SocketWire<Failure: Error>: Subject {
  typealias Output = Int

  private let lock = NSLock()
  private var ending: Subscribers.Completion<Failure>?
  private var listeners: [Listener] = []

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Failure {
    let listener = Listener(AnySubscriber(subscriber), wire: self)
    lock.lock()
    if let ending {
      listener.put(ending)
    } else {
      listeners.append(listener)
    }
    lock.unlock()
    listener.open()
  }

  func send(subscription: any Subscription) {
    subscription.request(.unlimited)
  }

  func send(_ value: Int) {
    // All listeners get all values in one order, whichever threads send; so they are put in under the lock.
    lock.lock()
    let peers = listeners
    for peer in peers { peer.put(value, onlyIfAsked: true) }
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
    lock.unlock()
  }

  private final class Listener: CleanMailbox<AnySubscriber<Int, Failure>> {
    private weak var wire: SocketWire?

    init(_ downstream: AnySubscriber<Int, Failure>, wire: SocketWire) {
      self.wire = wire
      super.init(downstream)
      // What was asked for and sent comes first; it waits for nothing but the callback that is open.
      failureWaits = true
    }

    override func cancel() {
      super.cancel()
      wire?.left(self)
    }
  }
}

/// A retry with a limit: subscribes to a failed upstream again, three times at most.
///
/// Keeps all rules.
struct RetryThrice<Upstream: Publisher>: Publisher where Upstream.Output == Int {
  typealias Output = Int
  typealias Failure = Upstream.Failure

  let upstream: Upstream

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Failure {
    Inner(downstream: subscriber, upstream: upstream).connect()
  }

  private final class Inner<Downstream: Subscriber>: Subscription
  where Downstream.Input == Int, Downstream.Failure == Upstream.Failure {
    private let lock = NSLock()
    private var upstream: Upstream?
    private var downstream: Downstream?
    private var current: (any Subscription)?
    /// What downstream has asked for, on both roads, and not yet received.
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
      lock.unlock()
      while let (source, number) = nextAttempt() {
        source.subscribe(Attempt(inner: self, number: number))
      }
    }

    private func nextAttempt() -> (Upstream, Int)? {
      lock.lock()
      defer { lock.unlock() }
      guard connectsAgain, let upstream else {
        isConnecting = false
        return nil
      }
      connectsAgain = false
      return (upstream, attempt)
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
      let more = target.receive(value)
      lock.lock()
      demand += more
      let isStale = number != attempt
      let asked = current
      lock.unlock()
      guard isStale else { return more }
      // The attempt failed inside the callback: what was just asked for is owed by the next one.
      if more > .none { asked?.request(more) }
      return .none
    }

    func ended(_ completion: Subscribers.Completion<Upstream.Failure>, _ number: Int) {
      lock.lock()
      guard number == attempt, let old = current, let target = downstream else { return lock.unlock() }
      current = nil
      attempt += 1
      if case .failure = completion, attempt <= 3 {
        lock.unlock()
        return withExtendedLifetime(old) { connect() }
      }
      downstream = nil
      let source = upstream
      upstream = nil
      lock.unlock()
      withExtendedLifetime((old, source)) { target.receive(completion: completion) }
    }

    func request(_ demand: Subscribers.Demand) {
      lock.lock()
      guard demand > .none, downstream != nil else { return lock.unlock() }
      self.demand += demand
      let asked = current
      lock.unlock()
      asked?.request(demand)
    }

    func cancel() {
      lock.lock()
      let released = (downstream, upstream)
      downstream = nil
      upstream = nil
      let old = current
      current = nil
      lock.unlock()
      withExtendedLifetime(released) { old?.cancel() }
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

/// A batching operator: delivers values in pairs, and a last one without a partner alone.
///
/// Keeps all rules. A failure does not wait: it replaces the values that are still held.
struct PairBatches<Upstream: Publisher>: Publisher where Upstream.Output == Int {
  typealias Output = [Int]
  typealias Failure = Upstream.Failure

  let upstream: Upstream

  func receive<S: Subscriber>(subscriber: S) where S.Input == [Int], S.Failure == Failure {
    upstream.subscribe(Inner(subscriber))
  }

  private final class Inner<Downstream: Subscriber>: CleanMailbox<Downstream>, Subscriber
  where Downstream.Input == [Int] {
    typealias Input = Int
    typealias Failure = Downstream.Failure

    private let halfLock = NSLock()
    private var half: Int?

    init(_ downstream: Downstream) {
      super.init(downstream, hasUpstream: true)
      asksPerDemand = 2
    }

    private func takeHalf() -> Int? {
      halfLock.lock()
      defer { halfLock.unlock() }
      defer { half = nil }
      return half
    }

    func receive(subscription: any Subscription) {
      attach(subscription)
    }

    func receive(_ input: Int) -> Subscribers.Demand {
      guard isOpen else { return .none }
      if let first = takeHalf() {
        put([first, input])
        kick()
      } else {
        halfLock.lock()
        half = input
        halfLock.unlock()
      }
      return .none
    }

    func receive(completion: Subscribers.Completion<Failure>) {
      guard isOpen else { return }
      let rest = takeHalf()
      if case .finished = completion, let rest { put([rest]) }
      put(completion)
      kick()
    }
  }
}

/// A read-ahead buffer: keeps up to four values in stock, so that upstream works before it is asked.
///
/// Keeps all rules. A failure does not wait for the stock, which is then dropped.
struct PrefetchFour<Upstream: Publisher>: Publisher where Upstream.Output == Int {
  typealias Output = Int
  typealias Failure = Upstream.Failure

  let upstream: Upstream

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Failure {
    upstream.subscribe(Inner(subscriber))
  }

  private final class Inner<Downstream: Subscriber>: CleanMailbox<Downstream>, Subscriber
  where Downstream.Input == Int {
    typealias Input = Int
    typealias Failure = Downstream.Failure

    init(_ downstream: Downstream) {
      super.init(downstream, hasUpstream: true, asksFirst: 4)
      asksPerValue = 1
    }

    func receive(subscription: any Subscription) {
      attach(subscription)
    }

    func receive(_ input: Int) -> Subscribers.Demand {
      put(input)
      kick()
      return .none
    }

    func receive(completion: Subscribers.Completion<Failure>) {
      put(completion)
      kick()
    }
  }
}

/// A running total: a scan that delivers the sum of all values so far.
///
/// Keeps all rules.
struct PlainTotal<Upstream: Publisher>: Publisher where Upstream.Output == Int {
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
      guard source != nil, let target = downstream else {
        lock.unlock()
        return .none
      }
      total &+= input
      let sum = total
      lock.unlock()
      return target.receive(sum)
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

// name          | kind           | rule | what a developer would see
// PagedInvoices | cold publisher | none | every invoice, and the end with the last one
// BlockReader   | cold publisher | none | every line, however demand comes
// LeasedSlots   | cold publisher | none | every slot; subscriber and lease are gone at the end and after `cancel`
// MergedHalves  | cold publisher | none | even and odd numbers in turn
// ReplayShelf   | subject        | none | the last three values and the end, also when late; nothing is lost
// SocketWire    | subject        | none | what was asked for when it was sent, in one order
// RetryThrice   | operator       | none | up to four attempts that look like one stream
// PairBatches   | operator       | none | pairs, a last single one, and failures at once
// PrefetchFour  | operator       | none | upstream is at most four values ahead
// PlainTotal    | operator       | none | the sum so far, for every value
