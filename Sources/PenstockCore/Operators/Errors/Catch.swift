// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Replaces a failure with the values of another publisher.
  ///
  /// ![In place of the failure, another publisher is subscribed to.](catch)
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
  @_alwaysEmitIntoClient
  public func `catch`<P: Publisher>(
    _ handler: @escaping (Failure) -> P
  ) -> Publishers.Catch<Self, P> where Output == P.Output {
    Publishers.Catch(upstream: self, handler: handler)
  }
}

extension Publishers {
  /// A publisher that replaces an upstream failure with the values of another publisher; see ``Publisher/catch(_:)``.
  public struct Catch<Upstream: Publisher, NewPublisher: Publisher>: Publisher, _DerivedTypes
  where Upstream.Output == NewPublisher.Output {
    public typealias _Origin = Empty<Upstream.Output, NewPublisher.Failure>

    /// The publisher that may fail.
    public let upstream: Upstream

    /// The closure that turns the failure into the replacement.
    public let handler: (Upstream.Failure) -> NewPublisher

    /// Creates a publisher that replaces an upstream failure with the values of another publisher.
    @_alwaysEmitIntoClient
    public init(upstream: Upstream, handler: @escaping (Upstream.Failure) -> NewPublisher) {
      self.upstream = upstream
      self.handler = handler
    }

    @_alwaysEmitIntoClient @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Self.Output == S.Input, S.Failure == NewPublisher.Failure {
      SequentialSubscriber(CatchRule(PassingUnary<_, _, NewPublisher.Failure>(handler)), to: subscriber).begin(
        with: upstream, upstreamOf: S.self)
    }
  }
}

/// The rule of `catch` and `tryCatch`: after a failure, the publisher that a closure makes from it follows.
@usableFromInline
internal struct CatchRule<Handler: UnaryClosure>: ReplacementRule
where Handler.Input: Error, Handler.Output: Publisher, Handler.Channel.Upstream == Handler.Output.Failure {
  @usableFromInline internal typealias Output = Handler.Output.Output
  @usableFromInline internal typealias Upstream = Handler.Input
  @usableFromInline internal typealias Downstream = Handler.Channel.Downstream
  @usableFromInline internal typealias Next = Handler.Output
  @usableFromInline internal typealias Channel = Handler.Channel

  @usableFromInline internal let handler: Handler

  @_alwaysEmitIntoClient
  internal init(_ handler: Handler) { self.handler = handler }

  @_alwaysEmitIntoClient
  internal static var name: String { Channel.namePrefix + "Catch" }

  @_alwaysEmitIntoClient
  internal static var traits: SequentialTraits { SequentialTraits(isStrict: true, trapsUnrequested: true) }

  @_alwaysEmitIntoClient
  internal func next(
    after completion: Subscribers.Completion<Upstream>, number: UInt
  ) -> SequentialStep<Next, Downstream> {
    guard case .failure(let error) = completion else { return .finish(.finished) }
    do throws(Channel.Thrown) {
      return .start(with: try handler(error))
    } catch {
      return .finish(.failure(Channel.raise(error)))
    }
  }
}
