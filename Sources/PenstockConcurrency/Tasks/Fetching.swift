// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension Publishers {
  /// Publishes the values that an asynchronous closure fetches in batches, as many as are requested.
  ///
  /// It turns any client that reads a number of entries at a time into a publisher with demand: a message queue, the
  /// rows behind a cursor, the lines of a log.
  ///
  /// ```swift
  /// actor Queue {
  ///   private var messages = Array("penstock")
  ///   func read(_ count: Int) -> [Character]? {
  ///     if messages.isEmpty { return nil }
  ///     defer { messages.removeFirst(min(count, messages.count)) }
  ///     print("asked for", count)
  ///     return Array(messages.prefix(count))
  ///   }
  /// }
  ///
  /// let queue = Queue()
  /// let letters = Publishers.fetching(batch: 1...4) { count in await queue.read(count) }
  /// for await letter in letters.prefix(2).values { print(letter) }
  /// // Prints "asked for 1", "p", "asked for 1", "e" on four lines.
  /// ```
  ///
  /// The closure gets the number of values that it may return, and returns them, in order; `nil` means that there will
  /// never be more. An empty array means that there are none now: the closure is called again at once, so it should
  /// wait for values before it returns. Values beyond the number wait for demand; nothing is lost.
  ///
  /// **Demand:** the closure is asked for the values that have been requested and are neither fetched nor being
  /// fetched; `batch` is the range of that number. With a lower bound above one, up to one value less than the bound
  /// may wait for demand. With `refillAt`, a batch is read ahead: the first call does not wait for demand, and the next
  /// one begins when no more than `refillAt` values are left beyond what is requested. Without it, nothing is read
  /// ahead. `request(.none)` traps.
  ///
  /// **Completion:** `.finished` after the closure has returned `nil`, and everything before that has been delivered. A
  /// cancel cancels the running calls; values that they return after that, and values that wait, go to `onDrop`. A
  /// subscriber that neither cancels nor receives the completion keeps the task alive.
  ///
  /// **Failure:** the error that the closure throws, after the values that have been fetched. The other calls are
  /// cancelled, and the values that they return are delivered before the failure.
  ///
  /// **Concurrency:** each subscriber has a task of its own, in which values are delivered, one at a time, off every
  /// actor. The task starts when the subscriber has received its subscription, with the task-local values of the code
  /// that subscribes. One call runs at a time, unless `maxCalls` allows more; values are delivered in the order in
  /// which calls return.
  ///
  /// **Traps:** a lower bound below one, a mark that is negative or not below the upper bound, and a `maxCalls` below
  /// one.
  ///
  /// Use the `publisher` of an `AsyncSequence` for elements that come one by one, and
  /// ``PenstockCore/Publishers/pages(first:refillAt:priority:_:)`` if each page names the next one.
  ///
  /// - Parameters:
  ///   - batch: The minimum and maximum number of values that a call asks for.
  ///   - lowMark: The number of values left at which a batch is read ahead; `nil` to read nothing ahead.
  ///   - maxCalls: How many calls run at a time.
  ///   - priority: The priority of the task; `nil` for that of the code that subscribes.
  ///   - onDrop: A closure that gets each value that has been fetched and can't be delivered, to hand it back.
  ///   - fetch: A closure that fetches values, up to the given number; it returns `nil` at the end.
  /// - Returns: A publisher that fetches for each subscriber.
  @inlinable
  public static func fetching<Value: Sendable, Failure: Error>(
    batch: ClosedRange<Int>, refillAt lowMark: Int? = nil, maxCalls: Int = 1, priority: TaskPriority? = nil,
    onDrop: (@Sendable (Value) -> Void)? = nil,
    _ fetch: @escaping @Sendable (_ count: Int) async throws(Failure) -> [Value]?
  ) -> some Publisher<Value, Failure> & Sendable {
    FetchPublisher(rules: .checked("fetching", batch, lowMark, maxCalls), name: "Fetching", priority: priority) { _ in
      FetchLoop.Client(onDrop: onDrop) { count async throws(Failure) in
        guard let values = try await fetch(count) else { return ([], true) }
        return (values, false)
      }
    }
  }

  /// Publishes the values of pages, each of which says where the next one begins.
  ///
  /// ```swift
  /// @Sendable func page(_ number: Int) async -> (values: [String], next: Int?) {
  ///   print("page", number)
  ///   return (["\(number)a", "\(number)b"], number < 3 ? number + 1 : nil)
  /// }
  /// for await row in Publishers.pages(first: 1, page).prefix(3).values { print(row) }
  /// // Prints "page 1", "1a", "1b", "page 2", "2a" on five lines.
  /// ```
  ///
  /// Each subscriber begins with the first page. A page without values is skipped.
  ///
  /// **Demand:** a page is fetched when more is requested than is left of the previous page; the rest of the page
  /// waits. With `refillAt`, the next page is fetched as soon as no more than `refillAt` values are left beyond what is
  /// requested, and the first one at once. `request(.none)` traps.
  ///
  /// **Completion:** `.finished` when the values of a page that names no next page have been delivered. A cancel
  /// cancels the running call.
  ///
  /// **Failure:** the error that the closure throws, after the values of the previous pages. A new subscription, such
  /// as one that `retry` makes, begins with the first page again: let the closure itself try again.
  ///
  /// **Concurrency:** as for ``PenstockCore/Publishers/fetching(batch:refillAt:maxCalls:priority:onDrop:_:)``, with one call
  /// at a time.
  ///
  /// **Traps:** a negative mark.
  ///
  /// - Parameters:
  ///   - first: The place where the first page begins.
  ///   - lowMark: The number of values left at which the next page is fetched ahead; `nil` to fetch none ahead, `.max`
  ///     to fetch all.
  ///   - priority: The priority of the task; `nil` for that of the code that subscribes.
  ///   - fetch: A closure that fetches the page at a given place: its values, and the place where the next page begins,
  ///     or `nil`.
  /// - Returns: A publisher of all values.
  @inlinable
  public static func pages<Cursor: Sendable, Value: Sendable, Failure: Error>(
    first: Cursor, refillAt lowMark: Int? = nil, priority: TaskPriority? = nil,
    _ fetch: @escaping @Sendable (_ cursor: Cursor) async throws(Failure) -> (values: [Value], next: Cursor?)
  ) -> some Publisher<Value, Failure> & Sendable {
    FetchPublisher(rules: .pages(refillAt: lowMark), name: "Pages", priority: priority) { _ in
      let place = PagePlace<Cursor>(first)
      return FetchLoop.Client { _ async throws(Failure) in
        let (values, next) = try await fetch(place.next)
        guard let next else { return (values, true) }
        place.next = next
        return (values, false)
      }
    }
  }
}

extension FetchRules {
  /// Returns the rules for pages: the size of a page is up to the client, so one value is asked for, and further values
  /// wait.
  @usableFromInline
  internal static func pages(refillAt lowMark: Int?) -> FetchRules {
    guard let lowMark else { return FetchRules(1...1, lowMark: nil, maxCalls: 1) }
    require(lowMark >= 0, of: "pages(refillAt:)", rule: "a mark of 0 or more", given: lowMark)
    // A batch is larger than the mark, and no number is larger than `Int.max`.
    let mark = min(lowMark, .max - 1)
    return FetchRules(1...(mark + 1), lowMark: mark, maxCalls: 1)
  }

  /// Returns the rules, if the numbers fit together.
  @usableFromInline
  internal static func checked(
    _ name: String, _ batch: ClosedRange<Int>, _ lowMark: Int?, _ maxCalls: Int, givesCredit: Bool = false
  ) -> FetchRules {
    require(batch.lowerBound >= 1, of: "\(name)(batch:)", rule: "batches of at least one value", given: batch)
    if let lowMark {
      require(
        (0..<batch.upperBound).contains(lowMark), of: "\(name)(refillAt:)",
        rule: "a mark from 0 to less than a batch, which is \(batch.upperBound)", given: lowMark)
    }
    require(maxCalls >= 1, of: "\(name)(maxCalls:)", rule: "at least one call", given: maxCalls)
    return FetchRules(batch, lowMark: lowMark, maxCalls: maxCalls, givesCredit: givesCredit)
  }
}

/// The publisher of fetched values.
@usableFromInline
internal struct FetchPublisher<Output: Sendable, Failure: Error>: Publisher, Sendable {
  @usableFromInline internal let rules: FetchRules
  @usableFromInline internal let name: String
  @usableFromInline internal let priority: TaskPriority?
  /// Makes the client for one subscriber.
  @usableFromInline internal let makeClient:
    @Sendable (FetchInbox<Output, Failure>) -> FetchLoop<Output, Failure>.Client

  @inlinable
  internal init(
    rules: FetchRules, name: String, priority: TaskPriority?,
    makeClient: @escaping @Sendable (FetchInbox<Output, Failure>) -> FetchLoop<Output, Failure>.Client
  ) {
    self.rules = rules
    self.name = name
    self.priority = priority
    self.makeClient = makeClient
  }

  @_alwaysEmitIntoClient
  internal func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    let source = FetchSource(rules)
    let subscription = source.introduce(subscriber.erased(), name: name)
    // Started afterwards, so that nothing is delivered to a subscriber that is still busy with its subscription.
    source.start { [priority, makeClient] in
      let inbox = FetchInbox<Output, Failure>(source)
      let loop = FetchLoop(inbox, subscription, makeClient(inbox))
      return Task(priority: priority) { await loop.run() }
    }
  }
}
