// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Holds back all values, and lets only the completion through.
  ///
  /// ```swift
  /// let cancellable = (1...1000).publisher
  ///   .ignoreOutput()
  ///   .sink(receiveCompletion: { print($0) }, receiveValue: { _ in })
  /// // Prints "finished"
  /// ```
  ///
  /// **Demand:** upstream is asked for everything at once. What downstream asks for goes to upstream too.
  ///
  /// **Completion:** forwarded.
  ///
  /// **Failure:** forwarded.
  ///
  /// **Concurrency:** adds no thread and no lock.
  ///
  /// - Returns: A publisher without values.
  @inlinable
  public func ignoreOutput() -> Publishers.IgnoreOutput<Self> {
    Publishers.IgnoreOutput(upstream: self)
  }
}

extension Publishers {
  /// A publisher that lets only the completion of another through; see ``Publisher/ignoreOutput()``.
  public struct IgnoreOutput<Upstream: Publisher>: Publisher {
    public typealias Output = Never
    public typealias Failure = Upstream.Failure

    /// The publisher whose values are held back.
    public let upstream: Upstream

    /// Makes a publisher that lets only the completion of another through.
    @inlinable
    public init(upstream: Upstream) {
      self.upstream = upstream
    }

    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Never, Failure == S.Failure {
      upstream.subscribe(Transparent(IgnoreOutputStage<Upstream.Output, Passing<Failure>>(), to: subscriber))
    }
  }
}

@frozen
@usableFromInline
internal struct IgnoreOutputStage<Input, Channel: ForwardingChannel>: Stage, Sendable
where Channel.Thrown == Never {
  @inlinable
  internal init() {}

  @inlinable
  internal static var name: String { "IgnoreOutput" }

  @inlinable
  internal func pass<S: Subscriber>(_ subscription: any Subscription, to downstream: S) {
    downstream.receive(subscription: subscription)
    subscription.request(.unlimited)
  }

  @inlinable
  internal func receive(_ input: Input) -> Verdict<Never> { .swallow }
}

extension Publishers.IgnoreOutput: Equatable where Upstream: Equatable {}

extension Publishers.IgnoreOutput: Sendable where Upstream: Sendable {}
