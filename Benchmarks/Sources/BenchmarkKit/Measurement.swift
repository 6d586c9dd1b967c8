// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The cost of each of a number of values, in nanoseconds.
public func cost(_ count: Int, _ work: (Int) -> Int) -> Double {
  let clock = ContinuousClock()
  let start = clock.now
  _ = opaque(work(opaque(count)))
  return (clock.now - start).nanoseconds / Double(count)
}

extension Duration {
  public var nanoseconds: Double { self / .nanoseconds(1) }
}

extension [Double] {
  public var median: Double {
    let sorted = sorted()
    let middle = count / 2
    return count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
  }
}
