// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Skips values until another publisher delivers one.
  ///
  /// ![Values are left out until the other publisher delivers.](drop-until-output)
  ///
  /// ```swift
  /// let (ticks, start) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Void, Never>())
  /// let cancellable = ticks.drop(untilOutputFrom: start).sink { print($0) }
  /// ticks.send(1)
  /// start.send()
  /// ticks.send(2)
  /// // Prints "2".
  /// ```
  ///
  /// **Demand:** passed to upstream unchanged; requests made before upstream has a subscription are added up. A skipped
  /// value uses up demand, and no other is requested in its place: a subscriber that requests few values may receive
  /// none. One value is requested from the other publisher. A value that arrives before the other publisher's and was
  /// not requested traps.
  ///
  /// **Completion:** upstream's completion is forwarded. So is a completion of the other publisher, if it has delivered
  /// no value before. Either cancels the other side.
  ///
  /// **Failure:** forwarded in the same way.
  ///
  /// **Concurrency:** both publishers may deliver on any thread; downstream receives one signal at a time.
  ///
  /// Use ``prefix(untilOutputFrom:)`` for the opposite: the values before the other publisher's first. ``drop(while:)``
  /// decides by the values themselves.
  ///
  /// - Parameter publisher: The publisher whose first value ends the skipping.
  /// - Returns: A publisher of the values after that.
  @_alwaysEmitIntoClient
  public consuming func drop<P: Publisher>(untilOutputFrom publisher: P) -> Publishers.DropUntilOutput<Self, P>
  where Failure == P.Failure {
    Publishers.DropUntilOutput(upstream: self, other: publisher)
  }
}

extension Publishers {
  /// A publisher that skips upstream values until another publisher delivers one; see
  /// ``Publisher/drop(untilOutputFrom:)``.
  public struct DropUntilOutput<Upstream: Publisher, Other: Publisher>: Publisher, _DerivedTypes
  where Upstream.Failure == Other.Failure {
    public typealias _Origin = Upstream

    /// The publisher whose values are republished.
    public let upstream: Upstream

    /// The publisher whose first value ends the skipping.
    public let other: Other

    /// Creates a publisher that skips upstream values until another publisher delivers one.
    @_alwaysEmitIntoClient
    public init(upstream: Upstream, other: Other) {
      self.upstream = upstream
      self.other = other
    }

    @_alwaysEmitIntoClient @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Upstream.Output == S.Input, Other.Failure == S.Failure {
      upstream.steer(by: other, DropUntilStage(), to: subscriber)
    }
  }
}

/// The stage of `drop(untilOutputFrom:)`.
@usableFromInline
internal struct DropUntilStage<Input, Failure: Error, Signal>: PassingStage {
  @usableFromInline internal var isOpen = false

  @_alwaysEmitIntoClient
  internal init() {}

  @_alwaysEmitIntoClient
  internal static var name: String { "DropUntilOutput" }

  @_alwaysEmitIntoClient
  internal static var method: String { "drop(untilOutputFrom:)" }

  @_alwaysEmitIntoClient
  internal static var rules: SteeredRules {
    SteeredRules(
      demand: .forwarded, signals: .max(1), acceptsEarlySignals: true, dropsUntilSignal: true, sharesIdentity: true,
      acceptsZeroDemand: true, subscribesAfterEnd: true)
  }

  @_alwaysEmitIntoClient
  internal mutating func receive(signal: Signal) -> Verdict<Input, Failure> {
    isOpen = true
    return .absorb
  }

  @_alwaysEmitIntoClient
  internal func receive(signalCompletion: Subscribers.Completion<Failure>) -> Verdict<Input, Failure> {
    isOpen ? .absorb : .complete(signalCompletion)
  }
}

extension Publishers.DropUntilOutput: Equatable where Upstream: Equatable, Other: Equatable {}

extension Publishers.DropUntilOutput: Sendable where Upstream: Sendable, Other: Sendable {}
