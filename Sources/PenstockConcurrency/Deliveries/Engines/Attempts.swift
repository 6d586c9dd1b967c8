// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import PenstockCore
internal import PenstockOperators

/// A call to a broker that is made again while its failures allow that, with longer and longer pauses.
package struct Attempts<Value: Sendable, Failure: Error>: Sendable {
  package typealias Done = @Sendable (Result<Value, Failure>) -> Void

  private let count: Int
  private let mayRepeat: @Sendable (Failure) -> Bool
  private let call: @Sendable (Cancellation?, @escaping Done) -> Void

  /// - Parameters:
  ///   - count: The greatest number of times that the call is made.
  ///   - mayRepeat: Whether the call may be made again after a failure.
  ///   - call: Makes the call, which a cancel ends.
  package init(
    _ count: Int, mayRepeat: @escaping @Sendable (Failure) -> Bool,
    _ call: @escaping @Sendable (Cancellation?, @escaping Done) -> Void
  ) {
    (self.count, self.mayRepeat, self.call) = (count, mayRepeat, call)
  }

  /// Makes the call, and reports its result, or the last failure with the number of the attempt.
  package func run(
    _ attempt: Int = 1, _ cancellation: Cancellation? = nil,
    _ done: @escaping @Sendable (Result<Value, Failure>, _ attempt: Int) -> Void
  ) {
    call(cancellation) { result in
      guard case .failure(let failure) = result, attempt < count, mayRepeat(failure) else {
        return done(result, attempt)
      }
      let pause = Task {
        let delay = Self.pauses.delay(beforeRetry: attempt - 1)
        guard (try? await ContinuousClock().sleep(for: delay)) != nil else { return done(result, attempt) }
        run(attempt + 1, cancellation, done)
      }
      cancellation?.onCancel { pause.cancel() }
    }
  }

  private static var pauses: RetryPolicy {
    .exponential(.max, initial: .milliseconds(100), ceiling: .seconds(2))
  }
}
