// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Synchronization

/// Decides which requests to an archive are lost.
final class Losses: Sendable {
  private let rest: Mutex<[Bool]>

  init(_ losses: [Bool]) { rest = Mutex(losses) }

  func next() -> Bool { rest.withLock { $0.isEmpty ? false : $0.removeFirst() } }
}
