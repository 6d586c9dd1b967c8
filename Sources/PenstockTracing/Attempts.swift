// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if Tracing
  internal import PenstockCore
  internal import Tracing

  /// The attempts of one stream, found through the context of a failure: a subscription to the same publisher in that
  /// context is a retry.
  ///
  /// It is an object, because if a retry fails at once, the next one is made in the context of the first failure.
  internal final class Attempts: Sendable {
    internal enum Key: ServiceContextKey {
      internal typealias Value = Attempts
    }

    private struct State {
      var number = 0
      /// The context of the span of the last attempt, if it has failed.
      var failed: ServiceContext?
    }

    private let origin: ObjectIdentifier
    private let state = Guarded(State())

    private init(_ origin: TraceOrigin) { self.origin = ObjectIdentifier(origin) }

    /// Begins an attempt: the first one of a stream, unless it is made in the context of an attempt that has failed.
    ///
    /// - Returns: The attempts, the number of this one, and the context of the failed one.
    internal static func begin(
      _ origin: TraceOrigin, in context: ServiceContext?
    ) -> (attempts: Attempts, number: Int, failed: ServiceContext?) {
      if let attempts = context?[Key.self], attempts.origin == ObjectIdentifier(origin), let failed = attempts.retry() {
        return (attempts, failed.number, failed.context)
      }
      let attempts = Attempts(origin)
      attempts.state.withLock { $0.number = 1 }
      return (attempts, 1, nil)
    }

    private func retry() -> (number: Int, context: ServiceContext)? {
      state.withLock { state in
        guard let failed = state.failed.take() else { return nil }
        state.number += 1
        return (state.number, failed)
      }
    }

    internal func fail(_ context: ServiceContext) { state.withLock { $0.failed = context } }
  }
#endif
