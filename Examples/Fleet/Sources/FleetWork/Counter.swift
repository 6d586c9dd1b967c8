// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Synchronization

/// Counts that several tasks change.
public final class Counter: Sendable {
  private let counts = Mutex(WorkerCounts())

  public init() {}

  public var value: WorkerCounts { counts.withLock { $0 } }

  public func change(_ change: (inout WorkerCounts) -> Void) { counts.withLock { change(&$0) } }
}
