// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import Synchronization

/// Detects calls of a subscriber that overlap.
///
/// Its atomics are relaxed: they order nothing, and so hide nothing from the thread sanitizer.
struct OverlapDetector: ~Copyable, Sendable {
  /// The number of calls that are running, and the thread of the first of them.
  private let running = Atomic<Int>(0)
  private let owner = Atomic<UInt>(0)
  /// The number of deliveries among them.
  private let delivering = Atomic<Int>(0)
  private let threadsOverlap = Atomic<Bool>(false)
  private let deliveriesNest = Atomic<Bool>(false)

  /// Whether two threads have been in a call at the same time.
  var hasOverlapped: Bool { threadsOverlap.load(ordering: .relaxed) }

  /// Whether a call has begun during a delivery on the same thread.
  var hasNested: Bool { deliveriesNest.load(ordering: .relaxed) }

  var isIdle: Bool { running.load(ordering: .relaxed) == 0 }

  /// Runs a call of the subscriber.
  ///
  /// - Parameter delivers: Whether the call delivers a value or a completion: deliveries may nest in the introduction,
  ///   in which the subscriber requests its first values.
  func call<Result>(delivers: Bool, _ body: () -> Result) -> Result {
    let thread = currentThread()
    if running.add(1, ordering: .relaxed).oldValue == 0 {
      owner.store(thread, ordering: .relaxed)
    } else if owner.load(ordering: .relaxed) != thread {
      threadsOverlap.store(true, ordering: .relaxed)
    } else if delivering.load(ordering: .relaxed) > 0 {
      deliveriesNest.store(true, ordering: .relaxed)
    }
    if delivers { delivering.add(1, ordering: .relaxed) }
    defer {
      if delivers { delivering.subtract(1, ordering: .relaxed) }
      // Set before the number, so that no thread mistakes itself for the owner of a call that another one has begun.
      if running.load(ordering: .relaxed) == 1 { owner.store(0, ordering: .relaxed) }
      running.subtract(1, ordering: .relaxed)
    }
    return body()
  }
}
