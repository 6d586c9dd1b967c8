// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import Synchronization

/// A subject without a ``FanOut``, in another module, that releases an upstream subscription when it ends.
@usableFromInline
package protocol UpstreamKeeper: AnyObject {
  /// Keeps a subscription, and requests unlimited values from it.
  func add(upstream subscription: any Subscription & AnyObject)

  /// Releases a subscription that has ended.
  func remove(upstream subscription: any Subscription & AnyObject)
}

/// The upstream subscriptions of a subject, from which it requests unlimited demand, at once or on its first
/// subscriber's request.
///
/// One word: most subjects have no upstream, and no ``Table`` of them.
@usableFromInline
package struct UpstreamSubscriptions: ~Copyable, @unchecked Sendable {
  // `@unchecked`, because a subscription may be of any type; the contract allows calls of its methods on every thread.

  /// A subscription with its position in the order of arrival.
  private struct Entry {
    let number: UInt
    let subscription: any Subscription
  }

  /// Subscriptions that are kept.
  private final class Table {
    struct State: ~Copyable {
      /// Subscriptions that are removed when they end, keyed by identity, so that each is found without a search.
      var members: [ObjectIdentifier: Entry] = [:]
      /// Foreign subscriptions, which do not report their end.
      var foreign: [Entry] = []
      var count: UInt = 0
      var open: Bool
      /// Whether the subject has been freed.
      var closed = false

      /// Numbers a subscription.
      mutating func entry(_ subscription: any Subscription) -> Entry {
        count += 1
        return Entry(number: count, subscription: subscription)
      }

      /// All subscriptions, in the order of their arrival.
      var all: [any Subscription] {
        (foreign + members.values).sorted { $0.number < $1.number }.map(\.subscription)
      }
    }

    let state: Guarded<State>

    /// A copy of the state's flag that spares later requests the lock.
    let open: AtomicCell<Bool>

    init(open: Bool) {
      state = Guarded(State(open: open))
      self.open = AtomicCell(open)
    }
  }

  /// The address of the table, to which it owns a reference; without one, one of the numbers below.
  ///
  /// In one word, so that a request and the first subscription see each other.
  @usableFromInline internal let word: AtomicCell<UInt>

  /// There is no table, and no subscriber has requested values.
  @_alwaysEmitIntoClient
  internal static var waiting: UInt { 0 }

  /// There is no table, and upstream is to be requested at once.
  @_alwaysEmitIntoClient
  internal static var open: UInt { 1 }

  /// There is no table, and the subject has been freed.
  @_alwaysEmitIntoClient
  internal static var closed: UInt { 2 }

  /// The number of subscriptions above which the storage is freed when the last one is removed.
  private static var spareLimit: Int { 16 }

  /// - Parameter open: Whether upstream is requested at once, or only when a subscriber requests.
  @_alwaysEmitIntoClient
  package init(open: Bool) {
    word = AtomicCell(open ? Self.open : Self.waiting)
  }

  @inlinable
  deinit {
    if word.load(ordering: .acquiring) > Self.closed { release() }
  }

  @usableFromInline
  internal borrowing func release() { unmanagedTable?.release() }

  private var unmanagedTable: Unmanaged<Table>? { Self.table(at: word.load(ordering: .acquiring)) }

  private static func table(at word: UInt) -> Unmanaged<Table>? {
    word > closed ? UnsafeRawPointer(bitPattern: word).map(Unmanaged.fromOpaque) : nil
  }

  /// The table, if there is one.
  private var table: Table? { unmanagedTable?.takeUnretainedValue() }

  /// The table, created if needed; `nil` if there is none and the subject has been freed.
  private borrowing func tableForAdding() -> Table? {
    var found = word.load(ordering: .acquiring)
    while true {
      if let table = Self.table(at: found) { return table.takeUnretainedValue() }
      if found == Self.closed { return nil }
      let table = Unmanaged.passRetained(Table(open: found == Self.open))
      let (exchanged, original) = word.compareExchange(
        expected: found, desired: UInt(bitPattern: table.toOpaque()), successOrdering: .acquiringAndReleasing,
        failureOrdering: .acquiring)
      if exchanged { return table.takeUnretainedValue() }
      table.release()
      found = original
    }
  }

  /// Stores a foreign subscription until the subject is freed, and requests unlimited demand, now or in
  /// ``demandRose()``.
  ///
  /// A subscription that arrives after the subject has been freed is cancelled.
  @usableFromInline
  package borrowing func add(_ subscription: any Subscription) {
    ask(subscription, add: { $0.foreign.append($0.entry(subscription)) })
  }

  /// Stores a subscription that is removed when it ends.
  ///
  /// It may have ended already when this returns, so the caller has to check.
  @usableFromInline
  package borrowing func add(member subscription: any Subscription & AnyObject) {
    ask(subscription, add: { $0.members[ObjectIdentifier(subscription)] = $0.entry(subscription) })
  }

  private borrowing func ask(_ subscription: any Subscription, add: (inout Table.State) -> Void) {
    guard let table = tableForAdding() else { return subscription.cancel() }
    let (open, closed) = table.state.withLock { state in
      if !state.closed { add(&state) }
      return (state.open, state.closed)
    }
    if closed { return subscription.cancel() }
    if open { subscription.request(.unlimited) }
  }

  /// Removes a subscription that has ended.
  @usableFromInline
  package borrowing func remove(member subscription: any Subscription & AnyObject) {
    // Released outside the lock.
    let removed = table?.state.withLock { state in
      let removed = state.members.removeValue(forKey: ObjectIdentifier(subscription))
      if state.members.isEmpty, state.members.capacity > Self.spareLimit { state.members = [:] }
      return removed
    }
    withExtendedLifetime(removed) {}
  }

  /// The subscriptions that report their end, for tools.
  package var objects: [AnyObject] {
    table?.state.withLock { $0.members.values.map { $0.subscription as AnyObject } } ?? []
  }

  /// The number of stored subscriptions.
  package var kept: Int { table?.state.withLock { $0.members.count + $0.foreign.count } ?? 0 }

  /// Requests unlimited demand from every subscription, on the first call.
  @_alwaysEmitIntoClient
  package borrowing func demandRose() {
    if word.load(ordering: .relaxed) != Self.open { requestAll() }
  }

  @usableFromInline
  internal borrowing func requestAll() {
    if word.compareExchange(expected: Self.waiting, desired: Self.open, ordering: .acquiringAndReleasing).exchanged {
      return
    }
    guard let table, !table.open.load(ordering: .relaxed) else { return }
    let waiting = table.state.withLock { state -> [any Subscription] in
      if state.open { return [] }
      state.open = true
      return state.all
    }
    table.open.store(true, ordering: .relaxed)
    for subscription in waiting { subscription.request(.unlimited) }
  }

  /// Cancels all subscriptions, because the subject is being freed.
  @_alwaysEmitIntoClient
  package borrowing func cancel() {
    // An upstream that is about to add its subscription refers to the fan-out only, so it may come later.
    if word.load(ordering: .relaxed) != Self.open || !close(Self.open) { cancelAll() }
  }

  /// - Returns: Whether there was no table.
  @_alwaysEmitIntoClient
  internal borrowing func close(_ found: UInt) -> Bool {
    word.compareExchange(expected: found, desired: Self.closed, ordering: .acquiringAndReleasing).exchanged
  }

  @usableFromInline
  internal borrowing func cancelAll() {
    if table == nil, close(Self.waiting) || close(Self.open) { return }
    guard let table else { return }
    let all = table.state.withLock { state in
      let all = state.all
      state.members = [:]
      state.foreign = []
      state.closed = true
      return all
    }
    for subscription in all { subscription.cancel() }
  }
}
