// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension Publisher {
  /// Ignores all values, and declares another output type.
  ///
  /// ![No value passes. The output has the type of another publisher, so that one can follow.](ignore-output-type)
  ///
  /// ```swift
  /// let cancellable = (1...3).publisher
  ///   .ignoreOutput(setOutputType: String.self)
  ///   .append("all saved")
  ///   .sink { print($0) }
  /// // Prints "all saved".
  /// ```
  ///
  /// **Demand:** unlimited values are requested from upstream at once. Downstream's requests are passed to upstream as
  /// well.
  ///
  /// **Completion:** forwarded.
  ///
  /// **Failure:** forwarded.
  ///
  /// **Concurrency:** adds no thread and no lock.
  ///
  /// Use `ignoreOutput()` for the output type `Never`, and ``mapToValue(_:)`` to replace each value.
  ///
  /// - Parameter outputType: The output type to declare.
  /// - Returns: A publisher without values.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func ignoreOutput<NewOutput>(setOutputType outputType: NewOutput.Type)
    -> Publishers.Map<Publishers.IgnoreOutput<Self>, NewOutput>
  {
    ignoreOutput().setOutputType(to: outputType)
  }
}
