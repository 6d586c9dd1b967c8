// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import SanitizerSupport

/// Something that is done again and again to one publisher, which must not keep anything of it.
public struct Coming: Sendable {
  public let name: String
  /// Makes the publisher, and returns what is done to it each time.
  public let make: @Sendable () -> (Int) -> Void

  public init(_ name: String, _ make: @escaping @Sendable () -> (Int) -> Void) {
    self.name = name
    self.make = make
  }

  /// What many times leave on the heap beyond what as many times before them have left, by bytes for each time.
  ///
  /// Only in a process of its own: the heap is everybody's.
  public func growth(times: Int = 4_000) -> Double {
    let cycle = make()
    for number in 0..<times { cycle(number) }
    let before = penstock_heap_in_use()
    for number in 0..<times { cycle(number) }
    return Double(penstock_heap_in_use() - before) / Double(times)
  }

  /// Those after which something is left, by name.
  ///
  /// Storage grows by doubling, and freed memory may lie in a cache: less than what one reference takes for each time is
  /// no growth.
  public static func growing(_ all: [Coming]) -> [String] {
    all.compactMap { coming in
      let growth = coming.growth()
      return growth < 8 ? nil : "\(coming.name): \(growth) bytes each time"
    }
  }
}
