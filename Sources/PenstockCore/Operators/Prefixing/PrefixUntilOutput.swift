// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Forwards values until another publisher delivers one, and then finishes.
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
  /// **Demand:** passed to upstream unchanged. The other publisher is asked for one value.
  ///
  /// **Completion:** upstream's is forwarded, and the other publisher is cancelled; the other's value cancels upstream and
  /// makes a `.finished`. A completion of the other publisher means nothing.
  ///
  /// **Failure:** upstream's is forwarded.
  ///
  /// **Concurrency:** the two may deliver on any threads; downstream gets one signal at a time. A value of the other
  /// publisher that comes while a value is delivered on another thread takes effect when that delivery has ended.
  ///
  /// - Parameter publisher: The publisher whose first value ends the stream.
  /// - Returns: A publisher of the values before that.
  @inlinable
  public func prefix<P: Publisher>(untilOutputFrom publisher: P) -> Publishers.PrefixUntilOutput<Self, P> {
    Publishers.PrefixUntilOutput(upstream: self, other: publisher)
  }
}

extension Publishers {
  /// A publisher of the values before another publisher's first; see ``Publisher/prefix(untilOutputFrom:)``.
  public struct PrefixUntilOutput<Upstream: Publisher, Other: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// The publisher whose values are forwarded.
    public let upstream: Upstream

    /// The publisher whose first value ends the stream.
    public let other: Other

    /// Makes a publisher of the values before another publisher's first.
    @inlinable
    public init(upstream: Upstream, other: Other) {
      self.upstream = upstream
      self.other = other
    }

    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Upstream.Failure == S.Failure, Upstream.Output == S.Input {
      let core = PrefixUntilCore(to: subscriber)
      core.beginJoining()
      other.subscribe(Tributary(PrefixTriggerFlow<Other.Output, Other.Failure, S>(core)))
      upstream.subscribe(PrefixUntilSide(core))
      core.endJoining()
    }
  }
}

extension Publishers.PrefixUntilOutput: Sendable where Upstream: Sendable, Other: Sendable {}
