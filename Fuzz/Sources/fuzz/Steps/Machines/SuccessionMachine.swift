// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// An operator that continues with another publisher: demand that one publisher has not met is requested from the next.
struct SuccessionMachine: Machine {
  private let first: Int
  /// Whether the values of the first upstream are left out, and others requested in their place.
  private let dropsFirst: Bool
  private let next: @Sendable (_ place: Int, _ isFailure: Bool, _ isEmpty: Bool) -> Int?
  private var place = 0
  /// Whether there has been no value.
  private var isEmpty = true
  private var demand = Amount.none
  private var isSubscribed = false

  /// - Parameters:
  ///   - first: The upstream to begin with.
  ///   - dropsFirst: Whether the values of the first upstream are left out.
  ///   - next: The upstream that follows an end, if any: the number of the ends before it, whether it is a failure, and
  ///     whether there has been no value.
  init(
    first: Int = 0, dropsFirst: Bool = false,
    next: @escaping @Sendable (_ place: Int, _ isFailure: Bool, _ isEmpty: Bool) -> Int?
  ) {
    self.first = first
    self.dropsFirst = dropsFirst
    self.next = next
  }

  init(first: Int = 0, _ next: @escaping @Sendable (_ place: Int, _ isFailure: Bool) -> Int?) {
    self.init(first: first) { place, isFailure, _ in next(place, isFailure) }
  }

  mutating func step(_ event: StepEvent) -> [StepAction] {
    switch event {
    case .start: return [.subscribe(0, upstream: first)]
    case .subscribed:
      isSubscribed = true
      if place == 0 { return [.introduce] }
      return demand > .none ? [.request(demand, of: place)] : []
    case .request(let amount):
      demand += amount
      return isSubscribed ? [.request(amount, of: place)] : []
    case .value(let value, _):
      isEmpty = false
      if dropsFirst, place == 0 { return [.request(Amount(1), of: 0)] }
      return demand.take() ? [.deliver(value)] : []
    case .end(let isFailure, _):
      guard let upstream = next(place, isFailure, isEmpty) else { return [.end(isFailure: isFailure)] }
      place += 1
      isSubscribed = false
      return [.subscribe(place, upstream: upstream)]
    case .go: return []
    }
  }
}
