// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The subscriptions that wait for the result of a ``Future``, in the order of subscription.
///
/// Each knows its index, so that removing one has constant cost; it leaves a gap. Accessed under the future's lock.
@usableFromInline
internal struct FutureWaitingList {
  private var list: ContiguousArray<FutureSubscription?> = []
  private var gaps = 0

  @usableFromInline
  internal init() {}

  /// The number of subscriptions.
  internal var count: Int { list.count - gaps }

  @usableFromInline
  internal mutating func add(_ subscription: FutureSubscription) {
    subscription.place = list.count
    list.append(subscription)
  }

  /// Removes a subscription that has been cancelled.
  ///
  /// - Returns: The subscription, to be released outside the lock; `nil` if it was not in the list.
  @usableFromInline
  internal mutating func remove(_ subscription: FutureSubscription) -> FutureSubscription? {
    let place = subscription.place
    // After the result, the list is another one.
    guard list.indices.contains(place), list[place] === subscription else { return nil }
    subscription.place = -1
    list[place] = nil
    gaps += 1
    if gaps > list.count / 2 { closeGaps() }
    return subscription
  }

  private mutating func closeGaps() {
    list.removeAll { $0 == nil }
    for (place, subscription) in list.enumerated() { subscription?.place = place }
    gaps = 0
  }

  /// Tells the subscriptions that the result has arrived; called without the lock.
  @usableFromInline
  internal consuming func settle(_ outcome: FutureSubscription.Outcome) {
    for subscription in list { subscription?.settle(outcome) }
  }
}
