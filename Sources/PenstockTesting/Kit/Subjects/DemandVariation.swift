// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The properties of a stream that depend on when its values are requested, and that comparisons of two runs leave out.
public enum DemandVariation: Hashable, Sendable {
  /// The order: the same values come in another order. For `merge`, and for `flatMap` of several values each.
  case order
  /// The values: the same number of values come, but different ones. For publishers of times or random numbers.
  case values
  /// Which values come, and how many, except the last one. For `combineLatest`.
  case allButTheLast
}

extension Optional<DemandVariation> {
  /// Whether the values of a run are the ones that another run leads to expect.
  func agrees(_ values: [String], _ expected: [String]) -> Bool {
    switch self {
    case nil: values == expected
    case .order: values.sorted() == expected.sorted()
    case .values: values.count == expected.count
    case .allButTheLast: values.last == expected.last
    }
  }

  /// Whether the values of a run are that number of the ones that another run leads to expect.
  func agrees(_ values: [String], first count: Int, of expected: [String]) -> Bool {
    switch self {
    case nil: return values == Array(expected.prefix(count))
    case .order:
      var rest = expected
      for value in values {
        guard let place = rest.firstIndex(of: value) else { return false }
        rest.remove(at: place)
      }
      return values.count == count
    case .values: return values.count == count
    // One of several upstreams uses up demand with values that it delivers before the others have any.
    case .allButTheLast: return values.count <= count
    }
  }
}
