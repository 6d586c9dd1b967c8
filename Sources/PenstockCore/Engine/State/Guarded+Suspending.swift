// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Guarded {
  /// Suspends the calling task until the continuation is resumed that a closure has stored in the state.
  ///
  /// What the task waits for may have happened meanwhile, so the closure decides under the lock. To resume the
  /// continuation, take it out of the state under the lock, and resume it afterwards.
  ///
  /// - Parameter store: Stores the continuation and returns `nil`, or returns the result, with which the task continues at
  ///   once.
  @inlinable
  package borrowing func suspend<Result: Sendable>(
    isolation: isolated (any Actor)? = #isolation,
    _ store: (inout State, UnsafeContinuation<Result, Never>) -> Result?
  ) async -> Result {
    await withUnsafeContinuation { continuation in
      if let result = withLock({ store(&$0, continuation) }) { continuation.resume(returning: result) }
    }
  }
}
