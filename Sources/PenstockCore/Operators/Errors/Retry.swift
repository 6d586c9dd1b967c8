// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Subscribes to the upstream publisher again after a failure, up to a number of times.
  ///
  /// ![After the failure, upstream is subscribed to once more. A second failure would be published.](retry)
  ///
  /// ```swift
  /// struct Busy: Error {}
  /// var attempts = 0
  /// let server = Deferred {
  ///   attempts += 1
  ///   let answer: Result<String, Busy> = attempts < 3 ? .failure(Busy()) : .success("attempt \(attempts)")
  ///   return answer.publisher
  /// }
  /// let cancellable = server.retry(5).sink(receiveCompletion: { _ in }, receiveValue: { print($0) })
  /// // Prints "attempt 3".
  /// ```
  ///
  /// Values delivered before a failure stay delivered: each attempt delivers its own.
  ///
  /// **Demand:** passed to the current attempt, and counted; demand that it has not met is requested from the next one.
  /// A value that was not requested traps.
  ///
  /// **Completion:** forwarded.
  ///
  /// **Failure:** subscribes again; forwarded when no attempt is left.
  ///
  /// **Concurrency:** subscribes again on the thread on which upstream fails, in a loop if it fails at once. If it
  /// fails during a delivery, values that the next attempt delivers on another thread wait until the delivery has
  /// returned. A cancel from any thread stops the loop, and also an attempt whose subscription has not arrived yet.
  ///
  /// Use ``catch(_:)`` to continue with a different publisher. `PenstockOperators` adds variants that wait before each
  /// attempt, or retry only some failures.
  ///
  /// - Parameter retries: The number of times to subscribe again.
  /// - Returns: A publisher that fails only when the last attempt does.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func retry(_ retries: Int) -> Publishers.Retry<Self> {
    Publishers.Retry(upstream: self, retries: retries)
  }
}

extension Publishers {
  /// A publisher that subscribes to upstream again after a failure; see ``Publisher/retry(_:)``.
  public struct Retry<Upstream: Publisher>: Publisher, _DerivedTypes {
    public typealias _Origin = Upstream

    /// The publisher that may fail.
    public let upstream: Upstream

    /// The number of times to subscribe again; without a limit if `nil` or negative.
    public let retries: Int?

    /// Creates a publisher that subscribes to upstream again after a failure.
    ///
    /// - Parameters:
    ///   - upstream: The publisher that may fail.
    ///   - retries: The number of times to subscribe again; without a limit if `nil`.
    @_alwaysEmitIntoClient
    public init(upstream: Upstream, retries: Int?) {
      self.upstream = upstream
      self.retries = retries
    }

    @_alwaysEmitIntoClient @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Self.Output == S.Input, Failure == S.Failure {
      SequentialSubscriber(RetryRule(upstream, retries: retries), to: subscriber).begin(
        with: upstream, upstreamOf: S.self)
    }
  }
}

/// The rule of `retry`: after a failure, the same publisher follows again.
@usableFromInline
internal struct RetryRule<Repeated: Publisher>: SequentialRule {
  @usableFromInline internal typealias Output = Repeated.Output
  @usableFromInline internal typealias Upstream = Repeated.Failure
  @usableFromInline internal typealias Downstream = Repeated.Failure
  /// `Void`, because the rule has the publisher: so an attempt allocates nothing.
  @usableFromInline internal typealias Next = Void

  @usableFromInline internal let upstream: Repeated
  @usableFromInline internal let retries: Int

  @_alwaysEmitIntoClient
  internal init(_ upstream: Repeated, retries: Int?) {
    self.upstream = upstream
    self.retries = retries ?? -1
  }

  @_alwaysEmitIntoClient
  internal static var name: String { "Retry" }

  @_alwaysEmitIntoClient
  internal static var traits: SequentialTraits { SequentialTraits(trapsUnrequested: true, isEndless: true) }

  @_alwaysEmitIntoClient
  internal func next(
    after completion: Subscribers.Completion<Upstream>, number: UInt
  ) -> SequentialStep<Next, Downstream> {
    guard case .failure = completion, retries < 0 || number <= UInt(retries) else { return .finish(completion) }
    return .start(with: ())
  }

  @_alwaysEmitIntoClient
  internal func subscribe(_ subscriber: SequentialSubscriber<Self>, to next: Void) {
    upstream.subscribe(subscriber)
  }
}

extension Publishers.Retry: Equatable where Upstream: Equatable {}

extension Publishers.Retry: Sendable where Upstream: Sendable {}
