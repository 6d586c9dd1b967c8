// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Publishes a given value if the upstream publisher finishes without one.
  ///
  /// ![A publisher that finishes without a value gives 0.](replace-empty)
  ///
  /// ```swift
  /// let cancellable = [1, 2].publisher.filter { $0 > 5 }.replaceEmpty(with: 0).sink { print($0) }
  /// // Prints "0"
  /// ```
  ///
  /// **Demand:** passed to upstream unchanged. The given value waits until a value is requested. `request(.none)`
  /// traps. Combine requests unlimited values from upstream, whatever downstream has requested, and so can deliver more
  /// than that.
  ///
  /// **Completion:** forwarded after a value; otherwise it follows the given value. A cancel drops a given value that
  /// waits.
  ///
  /// **Failure:** forwarded at once, whether values were delivered or not.
  ///
  /// **Concurrency:** adds no thread; the given value is delivered on the thread that finishes upstream, or on the one
  /// that requests it.
  ///
  /// Use ``replaceNil(with:)`` to replace `nil` values, and ``replaceError(with:)`` to replace a failure.
  ///
  /// - Parameter output: The value to publish if upstream delivers none.
  /// - Returns: A publisher that delivers at least one value or fails.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func replaceEmpty(with output: Output) -> Publishers.ReplaceEmpty<Self> {
    Publishers.ReplaceEmpty(upstream: self, output: output)
  }
}

extension Publishers {
  /// A publisher that publishes a given value if upstream finishes without one; see ``Publisher/replaceEmpty(with:)``.
  public struct ReplaceEmpty<Upstream: Publisher>: Publisher, _DerivedTypes {
    public typealias _Origin = Upstream

    /// The value to publish if upstream delivers none.
    public let output: Upstream.Output

    /// The publisher that may finish without a value.
    public let upstream: Upstream

    /// Creates a publisher that publishes a given value if upstream finishes without one.
    @_alwaysEmitIntoClient
    public init(upstream: Upstream, output: Self.Output) {
      self.upstream = upstream
      self.output = output
    }

    @_alwaysEmitIntoClient @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Failure == S.Failure, Self.Output == S.Input {
      attach(subscriber)
    }

    @_alwaysEmitIntoClient @inline(__always)
    internal func makeStage() -> ReplaceEmptyStage<Upstream.Output, Failure> {
      ReplaceEmptyStage(output)
    }
  }
}

extension Publishers.ReplaceEmpty: QueuedOperator {}

/// The stage of `replaceEmpty`: the output precedes `.finished`, if upstream delivered no value.
@usableFromInline
internal final class ReplaceEmptyStage<Input, Failure: Error>: QueuedStage {
  @usableFromInline internal typealias Channel = PassingChannel<Failure>

  @usableFromInline internal let output: Input
  @exclusivity(unchecked) @usableFromInline internal var isEmpty = true

  @_alwaysEmitIntoClient
  internal init(_ output: Input) {
    self.output = output
  }

  @_alwaysEmitIntoClient
  internal static var name: String { "ReplaceEmpty" }

  /// `none`: the output is delivered only if upstream delivered no value, so no value has used up demand.
  @_alwaysEmitIntoClient
  internal static var accounting: QueuedAccounting { .none }

  @_alwaysEmitIntoClient
  internal func receive(_ input: Input) -> Verdict<Input, Failure> {
    isEmpty = false
    return .emit(input)
  }

  @_alwaysEmitIntoClient
  internal func finish(
    _ completion: Subscribers.Completion<Failure>, into outputs: inout Outputs<Input>
  ) -> Subscribers.Completion<Failure> {
    if isEmpty { outputs.append(output) }
    return completion
  }
}

extension Publishers.ReplaceEmpty: Equatable where Upstream: Equatable, Upstream.Output: Equatable {}

extension Publishers.ReplaceEmpty: Sendable where Upstream: Sendable, Upstream.Output: Sendable {}
