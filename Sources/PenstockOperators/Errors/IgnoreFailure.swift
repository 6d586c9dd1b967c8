// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension Publisher {
  /// Republishes all values, and finishes when upstream fails.
  ///
  /// ![The values pass. The failure is left out: the output finishes.](ignore-failure)
  ///
  /// ```swift
  /// struct Offline: Error {}
  /// let cancellable = Fail<Int, Offline>(error: Offline()).prepend(1).ignoreFailure().sink(
  ///   receiveCompletion: { print($0) },
  ///   receiveValue: { print($0) })
  /// // Prints "1", "finished" on two lines.
  /// ```
  ///
  /// **Demand:** passed to upstream unchanged. `request(.none)` traps.
  ///
  /// **Completion:** forwarded.
  ///
  /// **Failure:** replaced by `.finished`. The failure is lost; a `handleEvents` or `print` before this operator sees
  /// it.
  ///
  /// **Concurrency:** adds no thread and no lock; values are delivered on the thread on which upstream delivers.
  ///
  /// Use `replaceError(with:)` to publish a value in the place of the failure, `catch(_:)` to continue with another
  /// publisher, and ``mapToResult()`` to keep the failure.
  ///
  /// - Returns: A publisher that cannot fail.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func ignoreFailure() -> Publishers.Lifted<Output, Never> {
    ignoreFailure(setFailureType: Never.self)
  }

  /// Republishes all values, finishes when upstream fails, and declares another failure type.
  ///
  /// ![The output finishes in place of the failure. It has the failure type of another publisher, so that can
  /// follow.](ignore-failure-type)
  ///
  /// It works as ``ignoreFailure()``, for a pipeline whose other publishers can fail.
  ///
  /// ```swift
  /// struct Offline: Error {}
  /// struct Invalid: Error {}
  /// let cancellable = Fail<Int, Offline>(error: Offline())
  ///   .ignoreFailure(setFailureType: Invalid.self)
  ///   .append(Fail(error: Invalid()))
  ///   .sink(receiveCompletion: { print($0) }, receiveValue: { print($0) })
  /// // Prints "failure(Invalid())".
  /// ```
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as for ``ignoreFailure()``.
  ///
  /// Use `mapError(_:)` to convert the failure instead.
  ///
  /// - Parameter failureType: The failure type to declare.
  /// - Returns: A publisher that does not fail.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func ignoreFailure<NewFailure: Error>(
    setFailureType failureType: NewFailure.Type
  ) -> Publishers.Lifted<Output, NewFailure> {
    lift { IgnoreFailureStage<Output, Failure, NewFailure>() }
  }
}

/// The stage of `ignoreFailure`.
@frozen
@usableFromInline
internal struct IgnoreFailureStage<Input, Failure: Error, NewFailure: Error>: ManagedStage, Sendable {
  @usableFromInline internal typealias Channel = ReplacingChannel<Failure, NewFailure>

  @inlinable
  internal init() {}

  @inlinable
  internal static var name: String { "IgnoreFailure" }

  @inlinable
  internal func receive(_ input: Input) -> Verdict<Input, NewFailure> { .emit(input) }

  @inlinable
  internal func receive(completion: Subscribers.Completion<Failure>) -> Subscribers.Completion<NewFailure> { .finished }
}
