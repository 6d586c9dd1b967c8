// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

/// Traps if none may run at a time: such a stream would never ask for a value.
///
/// - Parameters:
///   - limit: How many tasks or publishers run at a time.
///   - parameter: The parameter for which it was given.
@usableFromInline
internal func checkLimit(_ limit: Subscribers.Demand, of parameter: String) {
  require(limit != .none, of: parameter, rule: "a demand of 1 or more", given: "none")
}

/// Traps if less than one call may be made at a time.
@usableFromInline
internal func checkLimit(_ limit: Int, of parameter: String) {
  require(limit >= 1, of: parameter, rule: "a number of 1 or more", given: limit)
}
