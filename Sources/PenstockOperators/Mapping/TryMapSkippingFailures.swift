// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension Publisher {
  /// Transforms each value with a throwing closure, and leaves out the values for which it throws.
  ///
  /// ![The closure throws for 5, which is left out; the stream continues.](try-map-skipping)
  ///
  /// Another closure receives each error, and the value, before the next value is requested.
  ///
  /// ```swift
  /// struct TooLarge: Error {}
  /// let cancellable = [1, 200, 300, 4].publisher
  ///   .tryMap(skippingFailures: { error, value in print("left out:", value, error) }) { value in
  ///     guard let byte = UInt8(exactly: value) else { throw TooLarge() }
  ///     return byte
  ///   }
  ///   .sink { print($0) }
  /// // Prints "1", "200", "left out: 300 TooLarge()", "4" on four lines.
  /// ```
  ///
  /// Only errors of this closure are skipped: a failure of upstream ends the stream, and no operator before or after
  /// this one behaves differently.
  ///
  /// **Demand:** passed to upstream; for each value that is left out, one more is requested.
  ///
  /// **Completion:** forwarded.
  ///
  /// **Failure:** forwarded. There is no other failure: an error that the closure throws does not reach the subscriber.
  ///
  /// **Concurrency:** adds no thread and no lock; the closures run on the thread that delivers the value.
  ///
  /// Use `tryMap(_:)` to end the stream with the first error, and `compactMap(_:)` for a closure that returns `nil`.
  ///
  /// - Parameters:
  ///   - report: A closure that receives an error and the value for which it was thrown.
  ///   - transform: A closure that turns a value into a new one, or throws.
  /// - Returns: A publisher of the transformed values, with upstream's failure.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func tryMap<T>(
    skippingFailures report: @escaping (_ error: any Error, _ value: Output) -> Void,
    _ transform: @escaping (Output) throws -> T
  ) -> Publishers.Lifted<T, Failure> {
    calling(as: TryMapSkippingFailuresName.self) { value in
      do {
        return try transform(value)
      } catch {
        report(error, value)
        return nil
      }
    }
  }
}

/// The name of `tryMap(skippingFailures:_:)`.
@usableFromInline
internal enum TryMapSkippingFailuresName: UseName {
  @inlinable
  internal static var name: String { "TryMap" }
}
