// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import DequeModule
public import Synchronization

/// The shape of publishers that feed many subscribers from one place: subjects, and what is built on them.
///
/// Values, attaching, detaching and the completion go through one loop and one queue. Hence all subscribers see one
/// order, whoever sends, and no two deliveries overlap. ``Membership`` has the part that depends on no type.
///
/// A fan-out that repeats its latest value numbers its values from 1. A member who has seen a number is not given that
/// one or an earlier one again, so it can never end on a stale value.
@usableFromInline
package final class FanOut<Output, Failure: Error>: Membership {
  @usableFromInline
  internal enum Signal {
    case value(Output, number: UInt)
    case completion(Subscribers.Completion<Failure>)
    case change(Change, Conduit)
    case dismissal
  }

  /// What any thread may reach, under the lock.
  @usableFromInline
  internal struct Shared {
    @usableFromInline internal var queue: Deque<Signal> = []
    /// The value that members who have not seen it get when they ask.
    @usableFromInline internal var latest: Output?
    @usableFromInline internal var number: UInt
    /// How many of the newest numbers belong to values that are being announced, and become the latest after that.
    @usableFromInline internal var announced: UInt = 0

    @inlinable
    internal init(repeating first: Output?) {
      latest = first
      number = first == nil ? 0 : 1
    }
  }

  /// An empty queue, with the storage that the last one has left.
  ///
  /// Belongs to the owner of the loop.
  @exclusivity(unchecked) @usableFromInline internal var spare: Deque<Signal>?

  /// The number of signals beyond which their storage is freed.
  @inlinable
  internal static var spareLimit: Int { 1_024 }

  /// How the stream ended, once that has had its turn.
  ///
  /// Belongs to the owner of the loop.
  @exclusivity(unchecked) @usableFromInline internal var ending: Subscribers.Completion<Failure>?

  /// The number of the newest value that has been delivered.
  ///
  /// Belongs to the owner of the loop.
  @exclusivity(unchecked) @usableFromInline internal var newest: UInt = 0

  /// Whether a member that asked during an announcement was given the value from before it.
  ///
  /// Belongs to the owner of the loop.
  @exclusivity(unchecked) @usableFromInline internal var hasGivenOld = false

  // What all threads write to comes last, a cache line away from what the owner uses for each delivery.
  @usableFromInline internal let padding = CacheLine()
  @usableFromInline internal let shared: Guarded<Shared>

  /// - Parameter first: The value to repeat to members who have not seen it; `nil` for a fan-out that repeats none.
  @inlinable
  package init(repeating first: Output? = nil) {
    shared = Guarded(Shared(repeating: first))
    super.init(
      TypedWork(
        queue: { unsafeDowncast($0, to: FanOut.self).append(.change($1, $2)) },
        performQueued: { unsafeDowncast($0, to: FanOut.self).performQueued() },
        admit: { unsafeDowncast($0, to: FanOut.self).admit($1) },
        hasUnseen: { unsafeDowncast($0, to: FanOut.self).hasUnseen($1) },
        catchUp: { unsafeDowncast($0, to: FanOut.self).catchUp($1) }),
      repeatsLatest: first != nil)
  }

  // MARK: Sending

  /// Delivers a value to every member that has asked for one; queues it if another thread is delivering.
  @inlinable
  package func send(_ value: Output) {
    if closed.load(ordering: .relaxed) { return }
    act({ deliver(value, number: 0) }, orQueue: { append(.value(value, number: 0)) })
  }

  /// Does with a value what the subject's own `send(_:)` does.
  @inlinable
  package func pass(_ value: Output) {
    if repeatsLatest { sendLatest(value, evenWhenClosed: false) } else { send(value) }
  }

  /// Makes a value the latest, and delivers it.
  ///
  /// The value gets its number and, where that is needed, its place in the queue in one step, so that the values leave
  /// in the order of their numbers.
  ///
  /// - Parameter evenWhenClosed: Whether a value that comes after the end is still kept.
  @inlinable
  package func sendLatest(_ value: Output, evenWhenClosed: Bool) {
    let thread = currentThread()
    let entry = loop.enter(thread)
    // Changes places with the one before.
    var replaced: Output? = value
    var mustQueue = false
    let number = shared.withLock { shared -> UInt in
      let open = !closed.load(ordering: .relaxed)
      guard open || evenWhenClosed else { return 0 }
      swap(&shared.latest, &replaced)
      guard open else { return 0 }
      shared.number += 1
      mustQueue = entry == .busy || (entry == .entered && !shared.queue.isEmpty)
      if mustQueue { shared.queue.append(.value(value, number: shared.number)) }
      return shared.number
    }
    if number != 0, !mustQueue { deliver(value, number: number) }
    if entry == .entered {
      if mustQueue { performQueued() }
      leave(thread)
    } else if mustQueue, loop.announce(thread) {
      leave(thread)
    }
    // Freed only here, where its deinit may do what it likes.
    _ = replaced
  }

  @inlinable
  internal func deliver(_ value: Output, number: UInt) {
    // An older value that comes late, or that is overtaken by one sent from inside of this delivery, is not news.
    if number < newest { return }
    newest = number
    // Members who join during the delivery come behind the ones counted here.
    var place = 0
    let end = members.count
    while place < end, number == newest {
      if let member = members[place] {
        member._withUnsafeGuaranteedRef { $0.offer(value, number: number) }
      }
      place += 1
    }
  }

  /// Ends the stream for every member.
  ///
  /// Only the first call counts.
  @inlinable
  package func send(completion: Subscribers.Completion<Failure>) {
    // Under the lock, so that a value which is made the latest comes either before the end or not at all.
    guard shared.withLock({ _ in !closed.exchange(true, ordering: .relaxed) }) else { return }
    act({ complete(completion) }, orQueue: { append(.completion(completion)) })
  }

  @inlinable
  internal func complete(_ completion: Subscribers.Completion<Failure>) {
    ending = completion
    // Nobody joins any more, so from here on the list only gets gaps.
    for place in members.indices {
      guard let reference = members[place] else { continue }
      reference._withUnsafeGuaranteedRef { member in
        remove(member)
        member.finish(completion)
      }
    }
  }

  // MARK: The queue

  @inlinable
  internal func append(_ signal: Signal) {
    shared.withLock { $0.queue.append(signal) }
  }

  @inlinable
  internal func performQueued() {
    // The storage goes to and fro, so that senders who queue all the time allocate nothing.
    var signals = spare.take() ?? []
    shared.withLock { swap(&signals, &$0.queue) }
    let isKept = signals.count <= Self.spareLimit
    while let signal = signals.popFirst() {
      switch signal {
      case .value(let value, let number): deliver(value, number: number)
      case .completion(let completion): complete(completion)
      case .change(let change, let member): perform(change, member)
      case .dismissal: letGo()
      }
      // No delivery is running here, whatever the signal was.
      if !retired.isEmpty { clear() }
    }
    if isKept { spare = signals }
  }

  // MARK: The latest value

  /// The latest value; `nil` in a fan-out that repeats none.
  @inlinable
  package var latest: Output? {
    shared.withLock { $0.latest }
  }

  /// Whether there is a value that a member has not seen.
  ///
  /// Its ledger was credited before the lock is taken here, and a new value is stored under the lock before the ledger
  /// is read: one of the two sees the other, so a request never misses the latest value.
  @inlinable
  internal func hasUnseen(_ member: Conduit) -> Bool {
    shared.withLock { $0.number } > member.seen.load(ordering: .relaxed)
  }

  @inlinable
  internal func catchUp(_ member: Conduit) {
    let (latest, number, announced) = shared.withLock { ($0.latest, $0.number, $0.announced) }
    if announced != 0 { hasGivenOld = true }
    if let latest { member.offer(latest, number: number - announced) }
  }

  @inlinable
  internal func admit(_ member: Conduit) -> Bool {
    guard let ending else { return true }
    member.refuse(ending)
    return false
  }
}
