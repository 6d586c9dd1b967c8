// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension Publisher {
  /// Republishes all values, and adds a name and a place in the source to a failure.
  ///
  /// ![The values pass. The failure gets the name of the checkpoint.](checkpoint)
  ///
  /// Nothing happens until a failure passes. The failure becomes a ``CheckpointFailure``, which keeps its type.
  ///
  /// ```swift
  /// struct Offline: Error {}
  /// let cancellable = Fail<Int, Offline>(error: Offline())
  ///   .checkpoint("search")
  ///   .sink(
  ///     receiveCompletion: { completion in
  ///       if case .failure(let failure) = completion { print(failure.underlying, failure.checkpoints[0].name) }
  ///     },
  ///     receiveValue: { print($0) })
  /// // Prints "Offline() search".
  /// ```
  ///
  /// **Demand:** passed to upstream unchanged.
  ///
  /// **Completion:** forwarded.
  ///
  /// **Failure:** forwarded in a ``CheckpointFailure``.
  ///
  /// **Concurrency:** adds no thread and no lock; values are delivered on the thread on which upstream delivers.
  ///
  /// Use `print` or `handleEvents` to see everything that passes, and `mapError(_:)` to have the failure without the
  /// checkpoints again: `mapError(\.underlying)`.
  ///
  /// - Parameters:
  ///   - name: The checkpoint's name.
  ///   - file: The file; by default that of the call.
  ///   - line: The line; by default that of the call.
  /// - Returns: A publisher of the same values, whose failure names this place.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func checkpoint(
    _ name: String, file: StaticString = #fileID, line: UInt = #line
  ) -> Publishers.MapError<Self, CheckpointFailure<Failure>> {
    mapError { CheckpointFailure($0, at: Checkpoint(name, file: "\(file)", line: line)) }
  }

  /// Republishes all values, and adds a name and a place in the source to a failure that has passed a checkpoint before.
  ///
  /// ![The failure gets the name of this checkpoint, too.](checkpoint-again)
  ///
  /// The type of the failure does not change: it collects the checkpoints, the nearest to its origin first.
  ///
  /// ```swift
  /// struct Offline: Error {}
  /// let cancellable = Fail<Int, Offline>(error: Offline())
  ///   .checkpoint("request")
  ///   .checkpoint("search")
  ///   .sink(
  ///     receiveCompletion: { completion in
  ///       if case .failure(let failure) = completion { print(failure.checkpoints.map(\.name)) }
  ///     },
  ///     receiveValue: { print($0) })
  /// // Prints "["request", "search"]".
  /// ```
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as for ``checkpoint(_:file:line:)->Publishers.MapError<Self,CheckpointFailure<Self.Failure>>``.
  ///
  /// - Parameters:
  ///   - name: The checkpoint's name.
  ///   - file: The file; by default that of the call.
  ///   - line: The line; by default that of the call.
  /// - Returns: A publisher of the same values, whose failure names this place, too. Not disfavoured, unlike the other
  // overload, which fits as well and would nest the failures. A client's own operator of that name has no such
  // failures.
  @_alwaysEmitIntoClient
  public consuming func checkpoint<Underlying: Error>(
    _ name: String, file: StaticString = #fileID, line: UInt = #line
  ) -> Publishers.MapError<Self, CheckpointFailure<Underlying>> where Failure == CheckpointFailure<Underlying> {
    mapError { $0.passing(Checkpoint(name, file: "\(file)", line: line)) }
  }
}
