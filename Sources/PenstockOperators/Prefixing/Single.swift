// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

/// The reason why a publisher that should have one value failed; see ``PenstockCore/Publisher/single()``.
public enum SingleValueError: Error, Sendable {
  /// The publisher finished without a value.
  case noValue

  /// The publisher had a second value.
  case severalValues
}

extension Publisher {
  /// Publishes the only value of the upstream publisher, and fails if there is none, or more than one.
  ///
  /// ![The only value is published when upstream finishes.](single)
  ///
  /// The value is published when upstream has finished: only then is it known to be the only one.
  ///
  /// ```swift
  /// let cancellable = [1, 2].publisher.single().sink(
  ///   receiveCompletion: { if case .failure(let error) = $0 { print(error) } },
  ///   receiveValue: { print($0) })
  /// // Prints "severalValues".
  /// ```
  ///
  /// **Demand:** nothing is requested from upstream until the value is wanted. Then values are requested one at a time,
  /// or all of them if all were requested; the second one cancels upstream. `request(.none)` traps.
  ///
  /// **Completion:** `.finished` follows the value.
  ///
  /// **Failure:** ``SingleValueError/noValue`` if upstream finishes without a value, and
  /// ``SingleValueError/severalValues`` at a second one; neither waits for demand.
  ///
  /// **Concurrency:** adds no thread; the value is delivered on the thread that finishes upstream, or on the one that
  /// requests it.
  ///
  /// Use ``single(failingWith:)`` with a publisher that can fail, `first()` for the first of several values, and `last()`
  /// for the last.
  ///
  /// - Returns: A publisher of one value.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func single() -> Publishers.Lifted<Output, SingleValueError> where Failure == Never {
    lift { SingleStage<Output, Never, SingleValueError>(failure: { $0 }, forward: { $0 }) }
  }

  /// Publishes the only value of the upstream publisher, and fails with an error of its type if there is none, or more
  /// than one.
  ///
  /// ![At the second value upstream is cancelled, and the output fails.](single-failing)
  ///
  /// It works as ``single()``, for a publisher that can fail.
  ///
  /// ```swift
  /// enum Problem: Error { case offline, wrongCount(SingleValueError) }
  /// let rows = [String]().publisher.setFailureType(to: Problem.self)
  /// let cancellable = rows.single { .wrongCount($0) }.sink(
  ///   receiveCompletion: { if case .failure(.wrongCount(let error)) = $0 { print(error) } },
  ///   receiveValue: { print($0) })
  /// // Prints "noValue".
  /// ```
  ///
  /// **Demand:**, **Completion:** and **Concurrency:** as for ``single()``.
  ///
  /// **Failure:** forwarded at once; a value that is kept is dropped. The closure makes the failure for a wrong number of
  /// values.
  ///
  /// - Parameter failure: A closure that makes the failure for a wrong number of values.
  /// - Returns: A publisher of one value.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func single(
    failingWith failure: @escaping (SingleValueError) -> Failure
  ) -> Publishers.Lifted<Output, Failure> {
    lift { SingleStage<Output, Failure, Failure>(failure: failure, forward: { $0 }) }
  }
}

/// The stage of `single`.
@usableFromInline
internal final class SingleStage<Input, Upstream: Error, Downstream: Error>: QueuedStage {
  @usableFromInline internal typealias Channel = ReplacingChannel<Upstream, Downstream>

  @usableFromInline internal let failure: (SingleValueError) -> Downstream
  @usableFromInline internal let forward: (Upstream) -> Downstream
  @exclusivity(unchecked) @usableFromInline internal var value: Input?

  @inlinable
  internal init(
    failure: @escaping (SingleValueError) -> Downstream, forward: @escaping (Upstream) -> Downstream
  ) {
    self.failure = failure
    self.forward = forward
  }

  @inlinable
  internal static var name: String { "Single" }

  @inlinable
  internal var demand: QueuedDemand { .whileUnmet }

  @inlinable
  internal func receive(_ input: Input) -> Verdict<Input, Downstream> {
    if exchange(&value, with: input) == nil { return .absorb }
    dispose(of: exchange(&value, with: nil))
    return .fail(failure(.severalValues))
  }

  @inlinable
  internal func finish(
    _ completion: Subscribers.Completion<Upstream>, into outputs: inout Outputs<Input>
  ) -> Subscribers.Completion<Downstream> {
    let value = exchange(&value, with: nil)
    switch completion {
    case .failure(let error): return .failure(forward(error))
    case .finished:
      guard let value else { return .failure(failure(.noValue)) }
      outputs.append(value)
      return .finished
    }
  }
}
