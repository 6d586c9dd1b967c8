// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// The code that the programs share.

import Dispatch
import Foundation
import PenstockCore

/// A class as in everyday code: it changes, and nothing protects it.
final class Model {
  var count = 0
}

/// A class that protects itself.
///
/// `@unchecked`: `sum` is behind the lock. It would be a `Mutex`, if the thread sanitizer knew that type on Linux.
final class Total: @unchecked Sendable {
  private let lock = NSLock()
  private var sum = 0

  func add(_ number: Int) { lock.withLock { sum += number } }

  var value: Int {
    get { lock.withLock { sum } }
    set { lock.withLock { sum = newValue } }
  }
}

/// Work on another thread.
struct Elsewhere {
  private let group = DispatchGroup()

  /// Calls a closure a thousand times on a thread of its own.
  init(_ body: @escaping @Sendable () -> Void) {
    let group = group
    group.enter()
    Thread.detachNewThread {
      for _ in 0..<1_000 { body() }
      group.leave()
    }
  }

  /// Waits for the end of the work.
  func wait() { group.wait() }
}

/// Does something a thousand times on the thread of the caller.
func here(_ body: () -> Void) {
  for _ in 0..<1_000 { body() }
}

let queue = DispatchQueue(label: "programs")

/// Waits until a queue has done its work so far.
func settle(_ queue: DispatchQueue) { queue.sync {} }

// A `main` of the program's own would be on the main actor.
@main enum Main {
  static func main() async { await Program.run() }
}
