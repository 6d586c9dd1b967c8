// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Republishes values until another publisher delivers one, and then finishes.
  ///
  /// ![Values pass until the other publisher delivers. Then upstream is cancelled.](prefix-until-output)
  ///
  /// ```swift
  /// let (ticks, stop) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Void, Never>())
  /// let cancellable = ticks.prefix(untilOutputFrom: stop)
  ///   .sink(receiveCompletion: { print($0) }, receiveValue: { print($0) })
  /// ticks.send(1)
  /// stop.send()
  /// ticks.send(2)
  /// // Prints "1", "finished" on two lines.
  /// ```
  ///
  /// **Demand:** passed to upstream unchanged. One value is requested from the other publisher.
  ///
  /// **Completion:** upstream's completion is forwarded, and cancels the other publisher. A value of the other
  /// publisher cancels upstream and finishes this one. A completion of the other publisher has no effect.
  ///
  /// **Failure:** upstream's failure is forwarded.
  ///
  /// **Concurrency:** both publishers may deliver on any thread; downstream receives one signal at a time. A value of
  /// the other publisher that arrives while a value is being delivered on another thread takes effect after that
  /// delivery.
  ///
  /// Use ``drop(untilOutputFrom:)`` for the values after the other publisher's first, ``prefix(while:)`` to end by a
  /// predicate, and ``timeout(_:scheduler:options:customError:)`` to end after a silence.
  ///
  /// - Parameter publisher: The publisher whose first value finishes this one.
  /// - Returns: A publisher of the values before that.
  @_alwaysEmitIntoClient
  public consuming func prefix<P: Publisher>(untilOutputFrom publisher: P) -> Publishers.PrefixUntilOutput<Self, P> {
    Publishers.PrefixUntilOutput(upstream: self, other: publisher)
  }
}

extension Publishers {
  /// A publisher that republishes upstream values until another publisher delivers one; see
  /// ``Publisher/prefix(untilOutputFrom:)``.
  public struct PrefixUntilOutput<Upstream: Publisher, Other: Publisher>: Publisher, _DerivedTypes {
    public typealias _Origin = Upstream

    /// The publisher whose values are republished.
    public let upstream: Upstream

    /// The publisher whose first value finishes this one.
    public let other: Other

    /// Creates a publisher that republishes upstream values until another publisher delivers one.
    @_alwaysEmitIntoClient
    public init(upstream: Upstream, other: Other) {
      self.upstream = upstream
      self.other = other
    }

    @_alwaysEmitIntoClient @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Upstream.Failure == S.Failure, Upstream.Output == S.Input {
      upstream.steer(by: other, PrefixUntilStage(), to: subscriber)
    }
  }
}

/// The stage of `prefix(untilOutputFrom:)`.
@usableFromInline
internal struct PrefixUntilStage<Input, Failure: Error, Signal, SignalFailure: Error>: PassingStage {
  @_alwaysEmitIntoClient
  internal init() {}

  @_alwaysEmitIntoClient
  internal static var name: String { "PrefixUntilOutput" }

  @_alwaysEmitIntoClient
  internal static var rules: SteeredRules {
    SteeredRules(
      demand: .forwarded, signals: .max(1), introducesFirst: false, sharesIdentity: true, acceptsZeroDemand: true,
      subscribesAfterEnd: true)
  }

  @_alwaysEmitIntoClient
  internal func receive(signal: Signal) -> Verdict<Input, Failure> { .finish }

  @_alwaysEmitIntoClient
  internal func receive(signalCompletion: Subscribers.Completion<SignalFailure>) -> Verdict<Input, Failure> { .absorb }
}

extension Publishers.PrefixUntilOutput: Sendable where Upstream: Sendable, Other: Sendable {}
