// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension Publisher {
  /// Turns each value into a publisher of further values, and does the same with those.
  ///
  /// ![Each letter is published, and then its publisher's values are, which become publishers as well.](expand)
  ///
  /// For values that lead to more of their kind: the pages of a list, each of which names the next; the folders in a folder;
  /// the replies to a comment.
  ///
  /// ```swift
  /// let replies = ["a": ["b", "c"], "b": ["d"], "c": ["e"]]
  /// let cancellable = Just("a")
  ///   .expand(maxPublishers: .max(1)) { (replies[$0] ?? []).publisher }
  ///   .sink { print($0, terminator: " ") }
  /// // Prints "a b c d e ".
  /// ```
  ///
  /// A value is published first, and then given to the closure, whose publisher's values follow. Values are turned into
  /// publishers in the order in which they have been published: with one publisher at a time, level by level. As with
  /// `flatMap`, publishers that run at the same time mix their values. An empty publisher ends a branch; if there is
  /// always a further value, the stream never ends. Values are not compared: a value that leads back to itself is
  /// published again and again, unless the closure leaves it out.
  ///
  /// No value waits on the stack, so a chain of a million values takes no more stack than a chain of two.
  ///
  /// **Demand:** no more is requested from upstream than downstream has requested, and only while the publishers that
  /// run, the values that wait to become publishers, and the requested values are together fewer than `maxPublishers`.
  /// One value at a time is requested from each inner publisher, the first in advance, and unlimited values once
  /// downstream has unlimited demand. So the values that wait for demand are at most one from each inner publisher, and
  /// those that have been requested from upstream. No value is turned into a publisher before it has been requested and
  /// delivered: the next page is fetched when downstream has received the previous one. `request(.none)` traps.
  ///
  /// Published values wait to become publishers until fewer than `maxPublishers` run. Only downstream's demand limits
  /// their number, and nothing else can: a publisher makes room for the next only when it has finished, and it finishes
  /// only when its own values have been delivered.
  ///
  /// **Completion:** `.finished` when upstream and all inner publishers have finished, and no value waits. A cancel is passed
  /// to all inner publishers, and then to upstream.
  ///
  /// **Failure:** the first failure, of upstream or of an inner publisher, is forwarded at once. Values that wait are
  /// dropped, and everything else is cancelled. A closure that may fail returns `Fail`, or a publisher of a `Result`.
  ///
  /// **Concurrency:** upstream and the inner publishers may deliver on any thread; downstream receives one value at a
  /// time, and a value that arrives during a delivery follows it. The closure is called for one value at a time, on a
  /// thread on which upstream or an inner publisher delivers, or on one that requests, and without a lock. While a
  /// publisher delivers values during its subscription, no other publisher is subscribed to.
  ///
  /// **Traps:** a `maxPublishers` of none.
  ///
  /// Use `flatMap(maxPublishers:_:)` for one level.
  ///
  /// - Parameters:
  ///   - maxPublishers: The maximum number of inner publishers at a time.
  ///   - transform: A closure that makes a publisher of further values of a value.
  /// - Returns: A publisher of upstream's values, and of those of all inner publishers.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func expand<P: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> P
  ) -> Publishers.Lifted<Output, Failure> where P.Output == Output, P.Failure == Failure {
    if maxPublishers == .none { trap(.countBelowOne(operator: "expand(maxPublishers:_:)")) }
    return Publishers.Lifted(ExpandPublisher(upstream: self, maxPublishers: maxPublishers, transform: transform))
  }
}

extension Publisher where Failure == Never {
  /// Turns each value into a publisher of further values that can fail, and does the same with those; upstream cannot fail.
  ///
  /// ![Each letter is published, and then its publisher's values are, which become publishers as well.](expand)
  ///
  /// It works as ``expand(maxPublishers:_:)-74ux9``, which takes publishers with the same failure type.
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as there.
  ///
  /// - Parameters:
  ///   - maxPublishers: The maximum number of inner publishers at a time.
  ///   - transform: A closure that makes a publisher of further values of a value.
  /// - Returns: A publisher of upstream's values, and of those of all inner publishers.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func expand<P: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> P
  ) -> Publishers.Lifted<Output, P.Failure> where P.Output == Output {
    Publishers.Lifted(setFailureType(to: P.Failure.self).expand(maxPublishers: maxPublishers, transform))
  }

  /// Turns each value into a publisher of further values, and does the same with those; neither side can fail.
  ///
  /// ![Each letter is published, and then its publisher's values are, which become publishers as well.](expand)
  ///
  /// It works as ``expand(maxPublishers:_:)-74ux9``, which takes publishers with the same failure type.
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as there.
  ///
  /// - Parameters:
  ///   - maxPublishers: The maximum number of inner publishers at a time.
  ///   - transform: A closure that makes a publisher of further values of a value.
  /// - Returns: A publisher of upstream's values, and of those of all inner publishers.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func expand<P: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> P
  ) -> Publishers.Lifted<Output, Never> where P.Output == Output, P.Failure == Never {
    if maxPublishers == .none { trap(.countBelowOne(operator: "expand(maxPublishers:_:)")) }
    return Publishers.Lifted(ExpandPublisher(upstream: self, maxPublishers: maxPublishers, transform: transform))
  }
}

extension Publisher {
  /// Turns each value into a publisher of further values that cannot fail, and does the same with those.
  ///
  /// ![Each letter is published, and then its publisher's values are, which become publishers as well.](expand)
  ///
  /// It works as ``expand(maxPublishers:_:)-74ux9``, which takes publishers with the same failure type.
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as there.
  ///
  /// - Parameters:
  ///   - maxPublishers: The maximum number of inner publishers at a time.
  ///   - transform: A closure that makes a publisher of further values of a value.
  /// - Returns: A publisher of upstream's values, and of those of all inner publishers.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func expand<P: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> P
  ) -> Publishers.Lifted<Output, Failure> where P.Output == Output, P.Failure == Never {
    expand(maxPublishers: maxPublishers) { transform($0).setFailureType(to: Failure.self) }
  }
}
