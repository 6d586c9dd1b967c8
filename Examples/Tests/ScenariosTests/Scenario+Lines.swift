// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import Scenarios

extension Scenario {
  /// The lines of the fast scenario.
  ///
  /// It runs on a thread of its own and waits there for its tasks, which could not run if waiting tests had taken all
  /// threads of Swift's pool.
  func lines() async -> [String] {
    await withCheckedContinuation { continuation in
      Thread {
        var lines: [String] = []
        self.run(in: .fast) { lines.append($0) }
        continuation.resume(returning: lines)
      }.start()
    }
  }
}
