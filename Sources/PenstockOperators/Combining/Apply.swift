// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension Publisher {
  /// Transforms the publisher itself with a function, so that several pipelines can share a part.
  ///
  /// ![The values pass the operators that the function adds: those that differ are published as text.](apply)
  ///
  /// ```swift
  /// func labelled(_ levels: some Publisher<Int, Never>) -> some Publisher<String, Never> {
  ///   levels.removeDuplicates().map { "level \($0)" }
  /// }
  ///
  /// let cancellable = [1, 1, 2].publisher.apply(labelled).sink { print($0) }
  /// // Prints "level 1", "level 2" on two lines.
  /// ```
  ///
  /// The function is called once, when the pipeline is made, and not for each subscriber; use `Deferred` for that.
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as in the publisher that the function returns.
  ///
  /// - Parameter transform: A function from this publisher to another.
  /// - Returns: What the function returns.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public func apply<P: Publisher>(_ transform: (Self) throws -> P) rethrows -> P { try transform(self) }
}
