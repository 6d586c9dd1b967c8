// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// An operator that goes on with another publisher: demand that one has not met is requested from the next.
struct SuccessionMachine: Machine {
  private let first: Int
  private let next: @Sendable (_ place: Int, _ isFailure: Bool) -> Int?
  private var place = 0
  private var demand = Amount.none
  private var isSubscribed = false

  /// - Parameters:
  ///   - first: The upstream to begin with.
  ///   - next: The upstream that follows an end, if any: the number of the ends before it, and whether it is a failure.
  init(first: Int = 0, _ next: @escaping @Sendable (_ place: Int, _ isFailure: Bool) -> Int?) {
    self.first = first
    self.next = next
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
    case .value(let value, _): return demand.take() ? [.deliver(value)] : []
    case .end(let isFailure, _):
      guard let upstream = next(place, isFailure) else { return [.end(isFailure: isFailure)] }
      place += 1
      isSubscribed = false
      return [.subscribe(place, upstream: upstream)]
    case .go: return []
    }
  }
}
