// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import Testing

/// A gate that holds up a thread where a test wants it.
final class Gate: Sendable {
  private let opened = DispatchSemaphore(value: 0)
  private let reached: AsyncStream<Void>
  private let reach: AsyncStream<Void>.Continuation

  init() { (reached, reach) = AsyncStream.makeStream() }

  /// Waits, on the calling thread, until the gate is open.
  func pass() {
    reach.yield()
    if opened.wait(timeout: .now() + 60) == .timedOut { Issue.record("the gate has stayed closed for a minute") }
  }

  func isReached() async { for await _ in reached { return } }

  func open() { opened.signal() }
}

/// Waits until a condition is true, or a minute has passed.
func becomes(_ condition: () -> Bool) async -> Bool {
  let end = ContinuousClock.now + .seconds(60)
  while !condition() {
    if ContinuousClock.now > end { return false }
    await Task.yield()
  }
  return true
}
