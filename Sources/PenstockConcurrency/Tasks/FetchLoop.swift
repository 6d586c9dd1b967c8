// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import DequeModule
public import PenstockCore
public import Synchronization

/// The loop that fetches requested values for one subscriber, in a task.
@usableFromInline
internal final class FetchLoop<Value: Sendable, Failure: Error>: Sendable {
  /// Fetches values, up to a number, and tells whether there will be no others.
  @usableFromInline internal typealias Fetch =
    @Sendable (_ count: Int) async throws(Failure) -> (values: [Value], isLast: Bool)

  /// What fetches for one subscriber, and what gets the values that the subscriber can't have any more.
  @usableFromInline
  internal struct Client: Sendable {
    @usableFromInline internal let onDrop: (@Sendable (Value) -> Void)?
    @usableFromInline internal let way: Way

    @inlinable
    internal init(onDrop: (@Sendable (Value) -> Void)? = nil, fetch: @escaping Fetch) {
      self.onDrop = onDrop
      way = .fetch(fetch)
    }

    @usableFromInline
    internal init(onDrop: @escaping @Sendable (Value) -> Void, ask: @escaping @Sendable (_ count: Int) -> Void) {
      self.onDrop = onDrop
      way = .ask(ask)
    }
  }

  /// How values come.
  @usableFromInline
  internal enum Way: Sendable {
    /// Returned by calls.
    case fetch(Fetch)
    /// Sent for credit that has been given: see ``CreditStream``.
    case ask(@Sendable (_ count: Int) -> Void)
  }

  @usableFromInline internal let inbox: FetchInbox<Value, Failure>
  /// The subscription to which discarded values belong.
  @usableFromInline internal let subscription: SourceSubscription
  @usableFromInline internal let client: Client

  @inlinable
  internal init(_ inbox: FetchInbox<Value, Failure>, _ subscription: SourceSubscription, _ client: Client) {
    self.inbox = inbox
    self.subscription = subscription
    self.client = client
  }

  @inlinable internal var source: FetchSource { inbox.source }

  @inlinable
  internal func run() async {
    switch client.way {
    case .ask(let ask): await loop { count in if let count { ask(count) } }
    case .fetch where source.rules.callsInTurn: await loop { _ in }
    case .fetch:
      await withDiscardingTaskGroup { group in
        await loop { count in
          guard let count else { return group.cancelAll() }
          group.addTask { _ = await self.call(count) }
        }
      }
    }
    for batch in inbox.takeBatches(closing: true) { drop(batch) }
  }

  /// Does what the source says, until the end or a cancel.
  ///
  /// - Parameter start: Has a task fetch a number of values; `nil` cancels the running tasks.
  @inlinable
  internal func loop(_ start: (Int?) -> Void) async {
    var waiting: Deque<Value> = []
    var more = Subscribers.Demand.none
    while true {
      let step = await source.next(adding: more)
      more = .none
      switch step {
      case .deliver(let count, let downstream):
        for _ in 0..<count where !source.isOver.load(ordering: .relaxed) {
          more += downstream.receive(waiting.removeFirst())
        }
      case .fetch(let count):
        // A client that returns nothing has usually waited; in case it has not, the thread is left to others.
        if await call(count) == 0 { await Task.yield() }
        collect(into: &waiting)
      case .start(let count): start(count)
      case .collect: collect(into: &waiting)
      case .cancelCalls: start(nil)
      case .complete(let downstream):
        // They are left only if the source does not wait for their delivery.
        drop(waiting)
        return downstream.receive(completion: inbox.failure.map { .failure($0) } ?? .finished)
      case .stop: return drop(waiting)
      }
    }
  }

  /// Fetches values.
  ///
  /// - Returns: How many have been fetched.
  @inlinable
  internal func call(_ count: Int) async -> Int {
    guard case .fetch(let fetch) = client.way else { return 0 }
    do throws(Failure) {
      let (values, isLast) = try await fetch(count)
      if !values.isEmpty { inbox.add(values) }
      source.note(return: values.count, asked: count, isLast: isLast)
      return values.count
    } catch {
      inbox.fail(error)
      source.note(return: 0, asked: count, isFailure: true)
      return 0
    }
  }

  @inlinable
  internal func collect(into waiting: inout Deque<Value>) {
    for batch in inbox.takeBatches() { waiting.append(contentsOf: batch) }
  }

  /// Drops values that have been fetched and can't be delivered, since the stream has been cancelled.
  @inlinable
  internal func drop(_ values: some Collection<Value>) {
    if let onDrop = client.onDrop { for value in values { onDrop(value) } }
    subscription.noteDiscards(of: values, .ended)
  }
}
