// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The demand that a subscriber has granted by both roads, and the number of values delivered.
///
/// A subscriber grants demand by `request(_:)`, and by the demand that it returns from `receive(_:)`. The two add up.
public struct Ledger: Hashable, Sendable, CustomStringConvertible {
  /// The sum of the requests.
  public private(set) var requested = Subscribers.Demand.none

  /// The sum of what was returned for values.
  public private(set) var returned = Subscribers.Demand.none

  /// The number of values delivered.
  public private(set) var delivered = 0

  /// The most demand that was open at one time.
  public private(set) var peak = Subscribers.Demand.none

  /// The demand that is granted and not used up; kept separately, since granted demand that passes the greatest number
  /// is lost.
  public private(set) var outstanding = Subscribers.Demand.none

  init() {}

  /// All that was granted, by both roads.
  public var granted: Subscribers.Demand { requested + returned }

  /// The demand in words: `granted 3 (requested 1, returned 2), delivered 2`.
  public var description: String {
    "granted \(granted.words) (requested \(requested.words), returned \(returned.words)), delivered \(delivered)"
  }

  mutating func request(_ demand: Subscribers.Demand) {
    requested += demand
    open(demand)
  }

  mutating func receiveReturned(_ demand: Subscribers.Demand) {
    returned += demand
    open(demand)
  }

  /// - Returns: Whether there was demand for the value.
  mutating func deliver() -> Bool {
    delivered += 1
    guard outstanding > .none else { return false }
    outstanding -= 1
    return true
  }

  private mutating func open(_ demand: Subscribers.Demand) {
    outstanding += demand
    peak = Swift.max(peak, outstanding)
  }
}
