// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension Publisher where Output == Never {
  /// Declares an output type for a publisher that has no values.
  ///
  /// ![A publisher without values gets an output type, so the values of another publisher can follow
  /// it.](set-output-type)
  ///
  /// So it can be combined with publishers that have values.
  ///
  /// ```swift
  /// let saved = Deferred { Just("draft") }.ignoreOutput()
  /// let cancellable = saved.setOutputType(to: String.self).append("saved").sink { print($0) }
  /// // Prints "saved".
  /// ```
  ///
  /// **Demand:** passed to upstream unchanged.
  ///
  /// **Completion:** forwarded.
  ///
  /// **Failure:** forwarded.
  ///
  /// **Concurrency:** adds no thread and no lock.
  ///
  /// Use ``ignoreOutput(setOutputType:)`` for a publisher whose values are to be ignored, and `setFailureType(to:)` to
  /// declare a failure.
  ///
  /// - Parameter outputType: The output type to declare.
  /// - Returns: A publisher without values.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func setOutputType<NewOutput>(to outputType: NewOutput.Type) -> Publishers.Map<Self, NewOutput> {
    map(converted)
  }
}

/// Converts a value that cannot exist to any type.
@inlinable
internal func converted<Value>(_ never: Never) -> Value {}
