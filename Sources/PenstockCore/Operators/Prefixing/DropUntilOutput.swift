// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Leaves values out until another publisher delivers one.
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
  /// **Demand:** passed to upstream unchanged; what is asked for before upstream has a subscription is added up. A value
  /// that is left out has used up demand, and is not made up for: a subscriber that asks for few values may get none. The
  /// other publisher is asked for one value. A value before that which was not asked for traps.
  ///
  /// **Completion:** upstream's is forwarded. One of the other publisher that comes before its value is forwarded too. Either
  /// cancels the other side.
  ///
  /// **Failure:** forwarded, in the same way.
  ///
  /// **Concurrency:** the two may deliver on any threads; downstream gets one signal at a time.
  ///
  /// - Parameter publisher: The publisher whose first value lets values through.
  /// - Returns: A publisher of the values after that.
  @inlinable
  public func drop<P: Publisher>(untilOutputFrom publisher: P) -> Publishers.DropUntilOutput<Self, P>
  where Failure == P.Failure {
    Publishers.DropUntilOutput(upstream: self, other: publisher)
  }
}

extension Publishers {
  /// A publisher of the values after another publisher's first; see ``Publisher/drop(untilOutputFrom:)``.
  public struct DropUntilOutput<Upstream: Publisher, Other: Publisher>: Publisher
  where Upstream.Failure == Other.Failure {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// The publisher whose values are forwarded.
    public let upstream: Upstream

    /// The publisher whose first value lets values through.
    public let other: Other

    /// Makes a publisher of the values after another publisher's first.
    @inlinable
    public init(upstream: Upstream, other: Other) {
      self.upstream = upstream
      self.other = other
    }

    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Upstream.Output == S.Input, Other.Failure == S.Failure {
      let core = DropUntilCore(to: subscriber)
      core.beginJoining()
      core.start(subscriber)
      other.subscribe(Tributary(DropTriggerFlow<Other.Output, S>(core)))
      upstream.subscribe(DropUntilLink(core))
      core.endJoining()
    }
  }
}

extension Publishers.DropUntilOutput: Equatable where Upstream: Equatable, Other: Equatable {}

extension Publishers.DropUntilOutput: Sendable where Upstream: Sendable, Other: Sendable {}
