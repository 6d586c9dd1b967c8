// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// What of a stream depends on when its values are requested, so that two runs are compared without it.
public enum DemandVariation: Hashable, Sendable {
  /// The order: the same values come, in another one. For `merge`, and for `flatMap` of several values each.
  case order
  /// The values: as many come, and they are others. For what publishes times or random numbers.
  case values
  /// Which values come, and how many, but for the last one. For `combineLatest`.
  case allButTheLast
}

extension Optional<DemandVariation> {
  /// Whether the values of a run are those that another one leads to expect.
  func agrees(_ values: [String], _ expected: [String]) -> Bool {
    switch self {
    case nil: values == expected
    case .order: values.sorted() == expected.sorted()
    case .values: values.count == expected.count
    case .allButTheLast: values.last == expected.last
    }
  }

  /// Whether the values of a run are so many of those that another one leads to expect.
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
    // What one of several upstreams delivers before the others have something uses up demand.
    case .allButTheLast: return values.count <= count
    }
  }
}
