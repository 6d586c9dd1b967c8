// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension Publisher {
  /// Requests values from upstream in batches, whatever downstream requests.
  ///
  /// ![Two values at a time are requested. The next two follow when both have come.](limit-requests)
  ///
  /// A source that works on everything it is asked for, such as one that reads from a service, is asked for at most
  /// `count` values at a time, although a `sink` asks for all. When no more than `low` of them are still to come, more
  /// are requested, so that `count` are outstanding again: the source need not stop between two batches.
  ///
  /// ```swift
  /// let cancellable = (1...5).publisher
  ///   .handleEvents(receiveRequest: { print("requested:", $0) })
  ///   .limitRequests(to: 4, refillAt: 2)
  ///   .sink { print($0, terminator: " ") }
  /// // Prints "requested: max(4)", "1 2 requested: max(2)", "3 4 requested: max(2)", "5 " on four lines.
  /// ```
  ///
  /// Values pass as they come, and none is kept.
  ///
  /// **Demand:** no more than `count` values are outstanding at any time, and no more than downstream has requested.
  /// `request(.none)` traps.
  ///
  /// **Completion:** forwarded.
  ///
  /// **Failure:** forwarded.
  ///
  /// **Concurrency:** values are delivered on the thread on which upstream delivers. A request may come on any thread.
  ///
  /// **Traps:** a `count` below 1, and a `low` that is negative or not below `count`.
  ///
  /// Use ``buffer(upTo:resumingAt:)`` to have values ready before they are requested, and
  /// ``pace(_:per:burst:scheduler:options:)`` to limit the rate.
  ///
  /// - Parameters:
  ///   - count: The maximum number of values that are outstanding.
  ///   - low: The number of outstanding values at which more are requested; `nil` for a quarter of `count`.
  /// - Returns: A publisher of the same values.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func limitRequests(to count: Int, refillAt low: Int? = nil) -> Publishers.Lifted<Output, Failure> {
    require(count >= 1, of: "limitRequests(to:)", rule: "a count of 1 or more", given: count)
    let low = low ?? count / 4
    require(
      low >= 0 && low < count, of: "limitRequests(to:refillAt:)", rule: "a low mark of 0 or more, and below the count",
      given: low)
    return rationed { LimitRequestsStage(most: count, low: low) }
  }
}
