// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Goes on with another publisher where this one fails.
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
  /// **Demand:** passed to upstream, and counted; the replacement is asked for what upstream has left outstanding, and
  /// for everything after that. `request(.none)`, and a value of upstream's that was not asked for, trap.
  ///
  /// **Completion:** `.finished` is forwarded, upstream's and the replacement's.
  ///
  /// **Failure:** upstream's goes to the closure; the replacement's is forwarded, and not caught again.
  ///
  /// **Concurrency:** adds no thread. The closure runs where upstream fails, and the replacement is subscribed to there.
  /// If that is during a delivery, what the replacement delivers on another thread waits until that has returned.
  /// A cancel from any thread stops the replacement, too, even if its subscription has not arrived.
  ///
  /// - Parameter handler: Makes the publisher to go on with from the failure.
  /// - Returns: A publisher that fails only if the replacement does.
  @inlinable
  public func `catch`<P: Publisher>(
    _ handler: @escaping (Failure) -> P
  ) -> Publishers.Catch<Self, P> where Output == P.Output {
    Publishers.Catch(upstream: self, handler: handler)
  }
}

extension Publishers {
  /// A publisher that goes on with another one where its upstream fails; see ``Publisher/catch(_:)``.
  public struct Catch<Upstream: Publisher, NewPublisher: Publisher>: Publisher
  where Upstream.Output == NewPublisher.Output {
    public typealias Output = Upstream.Output
    public typealias Failure = NewPublisher.Failure

    /// The publisher that may fail.
    public let upstream: Upstream

    /// The closure that makes the replacement.
    public let handler: (Upstream.Failure) -> NewPublisher

    /// Makes a publisher that goes on with another one where its upstream fails.
    @inlinable
    public init(upstream: Upstream, handler: @escaping (Upstream.Failure) -> NewPublisher) {
      self.upstream = upstream
      self.handler = handler
    }

    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, S.Failure == NewPublisher.Failure {
      Handover(CatchRule(PassingUnary<_, _, NewPublisher.Failure>(handler)), to: subscriber).begin(with: upstream)
    }
  }
}

/// The rule of `catch` and `tryCatch`: after a failure, the publisher that a closure makes from it follows.
@usableFromInline
internal struct CatchRule<Handler: Unary>: HandoverRule
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
  internal static var rules: HandoverRules { HandoverRules(isStrict: true, trapsUnrequested: true) }

  @inlinable
  internal func succeed<S: Subscriber>(
    _ completion: Subscribers.Completion<Upstream>, isLast: Bool, count: UInt,
    in handover: Handover<Self, S>.Type
  ) -> Succession<Downstream> where S.Input == Output, S.Failure == Downstream {
    guard case .failure(let error) = completion else { return .end(.finished) }
    do throws(Handler.Channel.Thrown) {
      let replacement = try handler(error)
      return .by { operation in
        let handover = unsafeDowncast(operation, to: Handover<Self, S>.self)
        replacement.subscribe(HandoverSuccessor(handover, Handler.Channel.self))
      }
    } catch {
      return .end(.failure(Handler.Channel.raise(error)))
    }
  }
}
