// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import SanitizerSupport

/// An action that is repeated on one publisher, which must not keep memory for it.
public struct Coming: Sendable {
  public let name: String
  /// Makes the publisher, and returns the action to repeat on it.
  public let make: @Sendable () -> (Int) -> Void

  public init(_ name: String, _ make: @escaping @Sendable () -> (Int) -> Void) {
    self.name = name
    self.make = make
  }

  /// The growth of the heap by a number of repetitions, after an equal number before them, in bytes per repetition.
  ///
  /// Only in a separate process, since everything in a process shares the heap.
  public func growth(times: Int) -> Double {
    let cycle = make()
    for number in 0..<times { cycle(number) }
    let before = penstock_heap_in_use()
    for number in 0..<times { cycle(number) }
    return Double(penstock_heap_in_use() - before) / Double(times)
  }

  /// The actions after which memory is left, by name.
  ///
  /// Storage grows by doubling, and freed memory may stay in a cache: less than the size of one reference per
  /// repetition does not count as growth.
  public static func growing(_ all: [Coming]) -> [String] {
    all.compactMap { coming in
      // An action that keeps something each time grows after a few repetitions, too; so does storage that has just
      // doubled, which is therefore measured once more.
      if coming.growth(times: 1_000) < 8 { return nil }
      let growth = coming.growth(times: 4_000)
      return growth < 8 ? nil : "\(coming.name): \(growth) bytes each time"
    }
  }
}
