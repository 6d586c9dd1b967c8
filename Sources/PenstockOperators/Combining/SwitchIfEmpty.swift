// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension Publisher {
  /// Republishes another publisher if this one finishes without a value.
  ///
  /// ![Upstream finishes without a value, so the other one is subscribed to.](switch-if-empty)
  ///
  /// ```swift
  /// let found = Empty<String, Never>()
  /// let cancellable = found.switchIfEmpty(["a default", "and another"].publisher).sink { print($0) }
  /// // Prints "a default", "and another" on two lines.
  /// ```
  ///
  /// **Demand:** passed to this publisher; what it has not met is passed to the other one.
  ///
  /// **Completion:** forwarded if there was a value; otherwise the other publisher's.
  ///
  /// **Failure:** forwarded.
  ///
  /// **Concurrency:** adds no thread; the other publisher is subscribed to on the thread on which this one finishes.
  ///
  /// Use `replaceEmpty(with:)` for a single value, and `append(_:)` for a publisher that follows in any case.
  ///
  /// - Parameter other: The publisher that follows one without values.
  /// - Returns: A publisher of the values of one of them.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func switchIfEmpty<Other: Publisher>(_ other: Other) -> Publishers.Lifted<Output, Failure>
  where Other.Output == Output, Other.Failure == Failure {
    Publishers.Lifted(SwitchIfEmpty(upstream: self, other: other))
  }
}

/// The publisher of `switchIfEmpty`.
@usableFromInline
internal struct SwitchIfEmpty<Upstream: Publisher, Other: Publisher>: PortedPublisher
where Other.Output == Upstream.Output, Other.Failure == Upstream.Failure {
  @usableFromInline internal typealias Output = Upstream.Output
  @usableFromInline internal typealias Failure = Upstream.Failure

  @usableFromInline internal let upstream: Upstream
  @usableFromInline internal let other: Other

  @inlinable
  internal init(upstream: Upstream, other: Other) {
    self.upstream = upstream
    self.other = other
  }

  @_alwaysEmitIntoClient @inline(__always)
  internal func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
    SequentialSubscriber(SwitchIfEmptyRule(other), to: subscriber).begin(with: upstream, upstreamOf: S.self)
  }
}

/// The rule of `switchIfEmpty`: after a completion without values, the other publisher follows.
@usableFromInline
internal final class SwitchIfEmptyRule<Other: Publisher>: SequentialRule {
  @usableFromInline internal typealias Output = Other.Output
  @usableFromInline internal typealias Upstream = Other.Failure
  @usableFromInline internal typealias Downstream = Other.Failure
  @usableFromInline internal typealias Next = Other

  @usableFromInline internal let other: Other
  /// Whether there has been a value; belongs to upstream's delivery.
  @exclusivity(unchecked) @usableFromInline internal var isEmpty = true

  @inlinable
  internal init(_ other: Other) { self.other = other }

  @inlinable
  internal static var name: String { "SwitchIfEmpty" }

  @inlinable
  internal static var traits: SequentialTraits { SequentialTraits(acceptsZeroDemand: false) }

  @inlinable
  internal func willDeliver() { isEmpty = false }

  @inlinable
  internal func next(
    after completion: Subscribers.Completion<Upstream>, number: UInt
  ) -> SequentialStep<Next, Downstream> {
    guard case .finished = completion, isEmpty, number == 1 else { return .finish(completion) }
    return .start(with: other)
  }
}
