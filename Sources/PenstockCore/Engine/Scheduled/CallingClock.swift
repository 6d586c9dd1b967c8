// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A clock that calls a closure at a date, without a task that sleeps: a clock whose time is moved by a test.
///
/// A task that is resumed runs at some later moment, which a test could not wait for. A closure has been called when the
/// call that moves the time returns.
package protocol CallingClock: Clock {
  /// Calls a closure when the time reaches a date, on the thread that moves the time.
  ///
  /// - Returns: A closure that cancels the call.
  func call(at date: Instant, _ action: @escaping @Sendable () -> Void) -> @Sendable () -> Void
}

extension Clock {
  /// Calls a closure when the time reaches a date.
  ///
  /// - Returns: A closure that cancels the call.
  package func call(
    at date: Instant, tolerance: Duration, _ action: @escaping @Sendable () -> Void
  ) -> @Sendable () -> Void {
    if let clock = self as? any CallingClock { return clock.call(at: date, action) }
    let task = Task.detached {
      // The sleep throws if the task is cancelled; then nothing is called.
      guard (try? await self.sleep(until: date, tolerance: tolerance)) != nil else { return }
      action()
    }
    return { task.cancel() }
  }
}

extension CallingClock {
  /// The same call for a date whose type is known only while running.
  fileprivate func call(at date: some InstantProtocol, _ action: @escaping @Sendable () -> Void) -> @Sendable () -> Void
  {
    call(at: date as! Instant, action)
  }
}
