// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension Publisher {
  /// Divides the values into groups with the same key, each of which is a publisher.
  ///
  /// ![A publisher is published for each remainder; it publishes the numbers that have it.](grouped)
  ///
  /// A group is published when the first value with its key arrives. Its values wait in it until its subscriber
  /// requests them. A group whose subscriber has cancelled, or to which nobody can subscribe any more, is forgotten;
  /// the next value with its key begins a new group.
  ///
  /// ```swift
  /// let words = ["sluice", "gate", "spill", "gauge"].publisher
  /// let cancellable = words.grouped { $0.first! }
  ///   .flatMap { group in group.scan(0) { count, _ in count + 1 }.map { "\(group.key): \($0)" } }
  ///   .sink { _ in } receiveValue: { print($0) }
  /// // Prints "s: 1", "g: 1", "s: 2", "g: 2" on four lines.
  /// ```
  ///
  /// **Demand:** a group uses up demand. With `.hold`, values are requested from upstream one at a time, as soon as a
  /// group is wanted, and while each published group has room for a value; so a group with a slow subscriber, or
  /// without a subscriber yet, holds upstream back when it is full. As long as unlimited groups are requested, and
  /// unlimited values of each of them, `buffer` values are requested ahead, or everything if that is `.max`. With the
  /// other strategies unlimited values are requested. `request(.none)` traps.
  ///
  /// **Completion:** `.finished` ends all groups, in the order in which they began, each after the values that wait in
  /// it, and is forwarded after the groups that have not been requested. When downstream has cancelled, groups that
  /// have a subscriber continue; upstream is cancelled when no such group is left.
  ///
  /// **Failure:** ends all groups, in the order in which they began, and is forwarded, at once; values that wait and
  /// groups that have not been requested are dropped. The result may fail although upstream cannot, with a
  /// ``GroupingError`` that names the key and the bound: when a value has a new key and there are `maxGroups` groups;
  /// when a group that has not been requested is full; and, with the strategy `.fail`, when any group is full. So a
  /// `flatMap` that takes fewer publishers at a time than there are keys does not hang: it fails.
  ///
  /// **Concurrency:** upstream and the subscribers of groups may be on different threads; groups and all their values are
  /// delivered one at a time. The closure is called on upstream's thread.
  ///
  /// **Traps:** `maxGroups` or `buffer` below 1; a second subscriber of a group.
  ///
  /// If a subscriber, while it receives a value, sends another one to a subject upstream, that value is delivered
  /// afterwards, as long as everything is requested and `buffer` is more than 1. Otherwise, or if an operator between
  /// them asks for one value at a time, as `merge` does, a subject drops what has not been requested:
  /// `buffer(size:prefetch:whenFull:)` in front of this operator keeps it, and a `buffer` of `.max` requests
  /// everything.
  ///
  /// A subscriber that asks for one group at a time, such as a loop over the `values`, takes them too late if upstream
  /// is faster: `buffer(size: maxGroups, prefetch: .keepFull, whenFull: .dropNewest)` after this operator asks for all
  /// of them. Values that are dropped, or that wait in a group that is cancelled, are reported to handlers of discarded
  /// values.
  ///
  /// Use ``chunked(on:)`` for arrays of neighbours with the same key, and ``partition(_:)`` for two groups.
  ///
  /// - Parameters:
  ///   - key: A closure that returns the key of a value.
  ///   - maxGroups: The maximum number of groups at the same time, including ended groups whose values still wait.
  ///   - buffer: The maximum number of values that wait in a group.
  ///   - whenFull: The strategy for a value whose group is full.
  /// - Returns: A publisher of groups.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func grouped<Key: Hashable>(
    by key: @escaping (Output) -> Key, maxGroups: Int = 1_024, buffer: Int = 16,
    whenFull: Publishers.GroupBufferingStrategy = .hold
  ) -> Publishers.Lifted<GroupedPublisher<Key, Output, any Error>, any Error> {
    if maxGroups < 1 || buffer < 1 { trap(.countBelowOne(operator: "grouped(by:maxGroups:buffer:)")) }
    return Publishers.Lifted(
      SplitPublisher(map { (key: key($0), value: $0) }, signals: Empty<Never, Failure>?.none) {
        GroupRule<Key, Output, Failure, ImmediateScheduler>(
          maxGroups: maxGroups, buffer: buffer, whenFull: whenFull, idle: nil)
      })
  }

  /// Divides the values into groups with the same key, which end when they have had no value for some time.
  ///
  /// ![The group of a letter finishes three ticks after its last value, and begins again with the next.](grouped-idle)
  ///
  /// It works as ``grouped(by:maxGroups:buffer:whenFull:)``, and suits keys that come and go. After a group has ended,
  /// the next value with its key begins a new one.
  ///
  /// ```swift
  /// import PenstockTesting
  ///
  /// let scheduler = VirtualTimeScheduler()
  /// let visits = PassthroughSubject<String, Never>()
  /// let cancellable = visits
  ///   .grouped(by: { $0 }, idleAfter: 60, scheduler: scheduler)
  ///   .flatMap { group in group.count().map { "\(group.key): \($0)" } }
  ///   .sink { _ in } receiveValue: { print($0, scheduler.now) }
  /// for visitor in ["Ada", "Bob", "Ada"] {
  ///   visits.send(visitor)
  ///   scheduler.advance(by: 10)
  /// }
  /// scheduler.advance(by: 100)
  /// // Prints "Bob: 1 70s", "Ada: 2 80s" on two lines.
  /// ```
  ///
  /// **Demand:** as for ``grouped(by:maxGroups:buffer:whenFull:)``. While a full group holds upstream back, the time of
  /// the other groups runs.
  ///
  /// **Completion:** as for ``grouped(by:maxGroups:buffer:whenFull:)``. A group whose time is over finishes after the
  /// values that wait in it.
  ///
  /// **Failure:** as for ``grouped(by:maxGroups:buffer:whenFull:)``.
  ///
  /// **Concurrency:** a group that ends after its time does so on the scheduler; one timer serves all groups, and keeps
  /// the pipeline alive while there are groups.
  ///
  /// **Traps:** `maxGroups` or `buffer` below 1; a second subscriber of a group.
  ///
  /// Use `timeout(_:scheduler:options:customError:)` in a group to fail instead of finishing.
  ///
  /// - Parameters:
  ///   - key: A closure that returns the key of a value.
  ///   - maxGroups: The maximum number of groups at the same time, including ended groups whose values still wait.
  ///   - buffer: The maximum number of values that wait in a group.
  ///   - whenFull: The strategy for a value whose group is full.
  ///   - interval: The time after its last value at which a group ends.
  ///   - scheduler: The scheduler that waits.
  ///   - options: The scheduler options for the timer.
  /// - Returns: A publisher of groups.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func grouped<Key: Hashable, S: Scheduler>(
    by key: @escaping (Output) -> Key, maxGroups: Int = 1_024, buffer: Int = 16,
    whenFull: Publishers.GroupBufferingStrategy = .hold, idleAfter interval: S.SchedulerTimeType.Stride, scheduler: S,
    options: S.SchedulerOptions? = nil
  ) -> Publishers.Lifted<GroupedPublisher<Key, Output, any Error>, any Error> {
    if maxGroups < 1 || buffer < 1 { trap(.countBelowOne(operator: "grouped(by:maxGroups:buffer:)")) }
    return Publishers.Lifted(
      SplitPublisher(map { (key: key($0), value: $0) }, signals: Empty<Never, Failure>?.none) {
        GroupRule<Key, Output, Failure, S>(
          maxGroups: maxGroups, buffer: buffer, whenFull: whenFull,
          idle: IdleGroups(after: interval, scheduler: scheduler, options: options))
      })
  }
}
