// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Ignores all values, and republishes only the completion.
  ///
  /// ![No value passes; the end does.](ignore-output)
  ///
  /// ```swift
  /// let cancellable = (1...1000).publisher
  ///   .ignoreOutput()
  ///   .sink(receiveCompletion: { print($0) }, receiveValue: { _ in })
  /// // Prints "finished"
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
  /// Use ``last()`` to keep the last value, and ``filter(_:)`` to ignore some values only.
  ///
  /// - Returns: A publisher that delivers no values.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func ignoreOutput() -> Publishers.IgnoreOutput<Self> {
    Publishers.IgnoreOutput(upstream: self)
  }
}

extension Publishers {
  /// A publisher that ignores all upstream values; see ``Publisher/ignoreOutput()``.
  public struct IgnoreOutput<Upstream: Publisher>: Publisher, _DerivedTypes {
    public typealias _Origin = Empty<Never, Upstream.Failure>

    /// The publisher whose values are ignored.
    public let upstream: Upstream

    /// Creates a publisher that ignores all upstream values.
    @_alwaysEmitIntoClient
    public init(upstream: Upstream) {
      self.upstream = upstream
    }

    @_alwaysEmitIntoClient @inline(__always)
    internal var stage: IgnoreOutputStage<Upstream.Output, PassingChannel<Failure>> { IgnoreOutputStage() }

    @_alwaysEmitIntoClient @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Never, Failure == S.Failure {
      attach(subscriber)
    }
  }
}

extension Publishers.IgnoreOutput: TransparentOperator {}

@frozen
@usableFromInline
internal struct IgnoreOutputStage<Input, Channel: ForwardingChannel>: Stage, Sendable
where Channel.Thrown == Never {
  @_alwaysEmitIntoClient
  internal init() {}

  @_alwaysEmitIntoClient
  internal static var name: String { "IgnoreOutput" }

  @_alwaysEmitIntoClient
  internal func forward<S: Subscriber>(_ subscription: any Subscription, to downstream: S) {
    downstream.receive(subscription: subscription)
    subscription.request(.unlimited)
  }

  @_alwaysEmitIntoClient
  internal func receive(_ input: Input) -> Verdict<Never, Channel.Downstream> { .absorb }
}

extension Publishers.IgnoreOutput: Equatable where Upstream: Equatable {}

extension Publishers.IgnoreOutput: Sendable where Upstream: Sendable {}
