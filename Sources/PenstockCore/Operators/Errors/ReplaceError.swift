// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Replaces a failure with a given value, and finishes.
  ///
  /// ![In place of the failure, 0 is published, and the output finishes.](replace-error)
  ///
  /// ```swift
  /// struct NotANumber: Error {}
  /// let cancellable = ["1", "two", "3"].publisher
  ///   .tryMap { text in
  ///     guard let number = Int(text) else { throw NotANumber() }
  ///     return number
  ///   }
  ///   .replaceError(with: -1)
  ///   .sink { print($0) }
  /// // Prints "1", "-1" on two lines.
  /// ```
  ///
  /// **Demand:** passed to upstream unchanged, and counted. The given value waits until it is requested.
  /// `request(.none)` traps, and so does a value that was not requested.
  ///
  /// **Completion:** forwarded. A cancel drops a given value that waits.
  ///
  /// **Failure:** never fails: a failure is replaced by the given value and `.finished`.
  ///
  /// **Concurrency:** adds no thread; the given value is delivered on the thread on which upstream fails, or on the one
  /// that requests it.
  ///
  /// Use ``catch(_:)`` to continue with another publisher, ``mapError(_:)`` to change the error, and
  /// ``assertNoFailure(_:file:line:)`` if a failure would be a programming error.
  ///
  /// - Parameter output: The value that replaces a failure.
  /// - Returns: A publisher that cannot fail.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func replaceError(with output: Output) -> Publishers.ReplaceError<Self> {
    Publishers.ReplaceError(upstream: self, output: output)
  }
}

extension Publishers {
  /// A publisher that replaces an upstream failure with a given value; see ``Publisher/replaceError(with:)``.
  public struct ReplaceError<Upstream: Publisher>: Publisher, _DerivedTypes {
    public typealias _Origin = Empty<Upstream.Output, Never>

    /// The value that replaces a failure.
    public let output: Upstream.Output

    /// The publisher that may fail.
    public let upstream: Upstream

    /// Creates a publisher that replaces an upstream failure with a given value.
    @_alwaysEmitIntoClient
    public init(upstream: Upstream, output: Self.Output) {
      self.upstream = upstream
      self.output = output
    }

    @_alwaysEmitIntoClient @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Self.Output == S.Input, S.Failure == Never {
      attach(subscriber)
    }

    @_alwaysEmitIntoClient @inline(__always)
    internal func makeStage() -> ReplaceErrorStage<Upstream.Output, Upstream.Failure> {
      ReplaceErrorStage(output)
    }
  }
}

extension Publishers.ReplaceError: QueuedOperator {}

/// The stage of `replaceError`: the output and `.finished` take the place of a failure.
@frozen
@usableFromInline
internal struct ReplaceErrorStage<Input, Failure: Error>: QueuedStage {
  @usableFromInline internal typealias Channel = ReplacingChannel<Failure, Never>

  @usableFromInline internal let output: Input

  @_alwaysEmitIntoClient
  internal init(_ output: Input) {
    self.output = output
  }

  @_alwaysEmitIntoClient
  internal static var name: String { "ReplaceError" }

  @_alwaysEmitIntoClient
  internal static var accounting: QueuedAccounting { .strict }

  @_alwaysEmitIntoClient
  internal func receive(_ input: Input) -> Verdict<Input, Never> { .emit(input) }

  @_alwaysEmitIntoClient
  internal func finish(
    _ completion: Subscribers.Completion<Failure>, into outputs: inout Outputs<Input>
  ) -> Subscribers.Completion<Never> {
    if case .failure = completion { outputs.append(output) }
    return .finished
  }
}

extension Publishers.ReplaceError: Equatable where Upstream: Equatable, Upstream.Output: Equatable {}

extension Publishers.ReplaceError: Sendable where Upstream: Sendable, Upstream.Output: Sendable {}
