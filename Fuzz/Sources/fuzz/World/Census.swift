// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Synchronization

/// Counts of objects in memory and of events.
///
/// A process has one run at a time.
enum Census {
  static let items = Atomic<Int>(0)
  static let tracers = Atomic<Int>(0)
  static let checkpoints = Atomic<Int>(0)
  static let consumers = Atomic<Int>(0)
  static let tickets = Atomic<Int>(0)
  static let deliveries = Atomic<Int>(0)

  static var isEmpty: Bool { living.isEmpty }

  /// The objects in memory, as text.
  static var living: String {
    [
      ("values", read(items)), ("closures", read(tracers)), ("subscribers between operators", read(checkpoints)),
      ("subscribers", read(consumers)), ("scheduled blocks", read(tickets)),
    ].filter { $0.1 != 0 }.map { "\($0.1) \($0.0)" }.joined(separator: ", ")
  }

  private static func read(_ count: borrowing Atomic<Int>) -> Int { count.load(ordering: .acquiring) }
}

/// Captured by a closure, to count closures in memory.
final class Tracer: Sendable {
  init() { Census.tracers.add(1, ordering: .relaxed) }
  deinit { Census.tracers.subtract(1, ordering: .acquiringAndReleasing) }

  func touch() {}
}

/// Captured by a scheduled block, to count blocks in memory.
final class Ticket: Sendable {
  init() { Census.tickets.add(1, ordering: .relaxed) }
  deinit { Census.tickets.subtract(1, ordering: .acquiringAndReleasing) }

  func touch() {}
}
