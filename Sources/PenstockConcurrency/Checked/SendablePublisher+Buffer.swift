// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension SendablePublisher {
  /// Stores values that downstream has not requested yet, up to a maximum number; as
  /// ``/PenstockCore/Publisher/buffer(size:prefetch:whenFull:)``.
  ///
  /// ```swift
  /// let buffered = [1, 2, 3].publisher.sendable.buffer(size: 2, prefetch: .keepFull, whenFull: .dropOldest)
  /// let cancellable = buffered.sink { print($0) }
  /// // Prints "1", "2", "3" on three lines.
  /// ```
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as there.
  ///
  /// - Parameters:
  ///   - size: The maximum number of stored values.
  ///   - prefetch: The strategy for requesting values from upstream.
  ///   - whenFull: The strategy for a value that does not fit. The closure of `.customError` is `@Sendable`.
  /// - Returns: A publisher of the stored values.
  @inlinable
  public func buffer(
    size: Int, prefetch: Publishers.PrefetchStrategy, whenFull: BufferingStrategy
  ) -> SendablePublisher<Publishers.Buffer<Base>> {
    SendablePublisher<Publishers.Buffer<Base>>(
      unchecked: base.buffer(size: size, prefetch: prefetch, whenFull: whenFull.plain))
  }

  /// A strategy for a value that does not fit into a buffer; ``/PenstockCore/Publishers/BufferingStrategy`` with a closure
  /// that is `@Sendable`.
  public enum BufferingStrategy: Sendable {
    /// Drops the new value.
    case dropNewest
    /// Drops the oldest stored value.
    case dropOldest
    /// Cancels upstream, and fails with the error that the closure returns.
    case customError(@Sendable () -> Failure)

    @usableFromInline
    internal var plain: Publishers.BufferingStrategy<Base.Failure> {
      switch self {
      case .dropNewest: .dropNewest
      case .dropOldest: .dropOldest
      case .customError(let error): .customError(error)
      }
    }
  }
}
