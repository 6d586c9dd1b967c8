// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Replaces a failure with the values of another publisher.
  ///
  /// ```swift
  /// struct Offline: Error {}
  /// let network = Record<String, Offline>(output: ["first"], completion: .failure(Offline()))
  /// let cancellable = network
  ///   .catch { _ in Just("cached") }
  ///   .sink { print($0) }
  /// // Prints "first", "cached" on two lines.
  /// ```
  ///
  /// **Demand:** passed to upstream, and counted; demand that upstream has not met is requested from the replacement,
  /// and so is later demand. `request(.none)` traps, and so does a value from upstream that was not requested.
  ///
  /// **Completion:** `.finished` is forwarded, from upstream and from the replacement.
  ///
  /// **Failure:** a failure of upstream is passed to the closure; a failure of the replacement is forwarded, and not
  /// caught again.
  ///
  /// **Concurrency:** adds no thread. The closure runs on the thread on which upstream fails, and the replacement is
  /// subscribed to there. If that is during a delivery, values that the replacement delivers on another thread wait
  /// until the delivery has returned. A cancel from any thread also stops the replacement, even before its subscription
  /// arrives.
  ///
  /// Use ``replaceError(with:)`` to replace a failure with one value, ``retry(_:)`` to subscribe to the same publisher
  /// again, and ``tryCatch(_:)`` if the closure can throw.
  ///
  /// - Parameter handler: A closure that turns the failure into the publisher to continue with.
  /// - Returns: A publisher that fails only if the replacement does.
  @inlinable
  public func `catch`<P: Publisher>(
    _ handler: @escaping (Failure) -> P
  ) -> Publishers.Catch<Self, P> where Output == P.Output {
    Publishers.Catch(upstream: self, handler: handler)
  }
}

extension Publishers {
  /// A publisher that replaces an upstream failure with the values of another publisher; see ``Publisher/catch(_:)``.
  public struct Catch<Upstream: Publisher, NewPublisher: Publisher>: Publisher
  where Upstream.Output == NewPublisher.Output {
    public typealias Output = Upstream.Output
    public typealias Failure = NewPublisher.Failure

    /// The publisher that may fail.
    public let upstream: Upstream

    /// The closure that turns the failure into the replacement.
    public let handler: (Upstream.Failure) -> NewPublisher

    /// Creates a publisher that replaces an upstream failure with the values of another publisher.
    @inlinable
    public init(upstream: Upstream, handler: @escaping (Upstream.Failure) -> NewPublisher) {
      self.upstream = upstream
      self.handler = handler
    }

    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, S.Failure == NewPublisher.Failure {
      SequentialSubscriber(CatchRule(PassingUnary<_, _, NewPublisher.Failure>(handler)), to: subscriber).begin(
        with: upstream)
    }
  }
}

/// The rule of `catch` and `tryCatch`: after a failure, the publisher that a closure makes from it follows.
@usableFromInline
internal struct CatchRule<Handler: UnaryClosure>: SequentialRule
where Handler.Input: Error, Handler.Output: Publisher, Handler.Channel.Upstream == Handler.Output.Failure {
  @usableFromInline internal typealias Output = Handler.Output.Output
  @usableFromInline internal typealias Upstream = Handler.Input
  @usableFromInline internal typealias Downstream = Handler.Channel.Downstream

  @usableFromInline internal let handler: Handler

  @inlinable
  internal init(_ handler: Handler) { self.handler = handler }

  @inlinable
  internal static var name: String { Handler.Channel.namePrefix + "Catch" }

  @inlinable
  internal static var rules: SequentialTraits { SequentialTraits(isStrict: true, trapsUnrequested: true) }

  @inlinable
  internal func succeed<S: Subscriber>(
    _ completion: Subscribers.Completion<Upstream>, isLast: Bool, count: UInt,
    in handover: SequentialSubscriber<Self, S>.Type
  ) -> SequentialStep<Downstream> where S.Input == Output, S.Failure == Downstream {
    guard case .failure(let error) = completion else { return .end(.finished) }
    do throws(Handler.Channel.Thrown) {
      let replacement = try handler(error)
      return .by { operation in
        let handover = unsafeDowncast(operation, to: SequentialSubscriber<Self, S>.self)
        replacement.subscribe(SequentialSuccessor(handover, Handler.Channel.self))
      }
    } catch {
      return .end(.failure(Handler.Channel.raise(error)))
    }
  }
}
