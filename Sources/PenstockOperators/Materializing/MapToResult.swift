// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension Publisher {
  /// Publishes each value, and the failure, as a result.
  ///
  /// ![The values and the failure are published as results. Then the output finishes.](map-to-result)
  ///
  /// ```swift
  /// struct Offline: Error {}
  /// let cancellable = Fail<Int, Offline>(error: Offline()).prepend(1).mapToResult().sink { print($0) }
  /// // Prints "success(1)", "failure(Offline())" on two lines.
  /// ```
  ///
  /// **Demand:** passed to upstream unchanged. The result of a failure waits until it is requested. `request(.none)`
  /// traps.
  ///
  /// **Completion:** forwarded.
  ///
  /// **Failure:** published as a result; `.finished` follows it.
  ///
  /// **Concurrency:** adds no thread; results are delivered on the thread on which upstream delivers, and the last one
  /// on the thread that requests it if that happens later.
  ///
  /// Use ``materialize()`` to see the end of the stream as well, and put this operator inside the closure of `flatMap`
  /// to continue after a failure.
  ///
  /// - Returns: A publisher of results, which cannot fail.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func mapToResult() -> Publishers.Lifted<Result<Output, Failure>, Never> {
    lift { MapToResultStage<Output, Failure>() }
  }
}

/// The stage of `mapToResult()`.
@frozen
@usableFromInline
internal struct MapToResultStage<Input, Failure: Error>: QueuedStage, Sendable {
  @usableFromInline internal typealias Output = Result<Input, Failure>
  @usableFromInline internal typealias Channel = ReplacingChannel<Failure, Never>

  @inlinable
  internal init() {}

  @inlinable
  internal static var name: String { "MapToResult" }

  @inlinable
  internal func receive(_ input: Input) -> Verdict<Output, Never> { .emit(.success(input)) }

  @inlinable
  internal func finish(
    _ completion: Subscribers.Completion<Failure>, into outputs: inout Outputs<Output>
  ) -> Subscribers.Completion<Never> {
    if case .failure(let failure) = completion { outputs.append(.failure(failure)) }
    return .finished
  }
}
