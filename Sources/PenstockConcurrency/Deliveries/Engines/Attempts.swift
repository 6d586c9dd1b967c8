// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import PenstockCore
internal import PenstockOperators

/// A call to a broker that is made again while its failures allow that, with longer and longer pauses.
package struct Attempts<Value: Sendable, Failure: Error>: Sendable {
  package typealias Done = @Sendable (Result<Value, Failure>) -> Void

  private let count: Int
  private let mayRepeat: @Sendable (Failure) -> Bool
  private let call: @Sendable (@escaping Done) -> Void

  /// - Parameters:
  ///   - count: The greatest number of times that the call is made.
  ///   - mayRepeat: Whether the call may be made again after a failure.
  ///   - call: Makes the call.
  package init(
    _ count: Int, mayRepeat: @escaping @Sendable (Failure) -> Bool, _ call: @escaping @Sendable (@escaping Done) -> Void
  ) {
    (self.count, self.mayRepeat, self.call) = (count, mayRepeat, call)
  }

  /// Makes the call, and reports its result, or the last failure with the number of the attempt.
  package func run(
    _ attempt: Int = 1, _ done: @escaping @Sendable (Result<Value, Failure>, _ attempt: Int) -> Void
  ) {
    call { result in
      guard case .failure(let failure) = result, attempt < count, mayRepeat(failure) else {
        return done(result, attempt)
      }
      Task {
        try? await ContinuousClock().sleep(for: publishingPause(after: attempt))
        run(attempt + 1, done)
      }
    }
  }
}

/// Returns how long to wait before a message is sent again that a broker has not confirmed.
package func publishingPause(after attempt: Int) -> Duration {
  RetryPolicy.exponential(.max, initial: .milliseconds(100), ceiling: .seconds(2)).delay(beforeRetry: attempt - 1)
}
