// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher where Output: Publisher, Output.Failure == Failure {
  /// Delivers what the latest of the streams that upstream delivers does.
  ///
  /// ```swift
  /// let searches = PassthroughSubject<PassthroughSubject<String, Never>, Never>()
  /// let cancellable = searches.switchToLatest().sink { print($0) }
  /// let (first, second) = (PassthroughSubject<String, Never>(), PassthroughSubject<String, Never>())
  /// searches.send(first)
  /// first.send("pen")
  /// searches.send(second)
  /// first.send("pencil")
  /// second.send("penstock")
  /// // Prints "pen", "penstock" on two lines.
  /// ```
  ///
  /// **Demand:** upstream is asked for everything, and the latest stream for what downstream wants: what one stream has
  /// not met goes over to the next. `request(.none)`, and a value that was not asked for, trap.
  ///
  /// **Completion:** `.finished` when upstream and the latest stream have finished. A new stream cancels the one before it,
  /// and a cancel both the latest stream and upstream.
  ///
  /// **Failure:** the first failure of upstream or of the latest stream is forwarded at once, and the other is cancelled.
  ///
  /// **Concurrency:** upstream and the streams may deliver on any threads; downstream gets one value at a time. A stream
  /// that delivers while another thread does leaves its value to that thread, and goes on.
  ///
  /// - Returns: A publisher of the values of the latest stream.
  @inlinable
  public func switchToLatest() -> Publishers.SwitchToLatest<Output, Self> {
    Publishers.SwitchToLatest(upstream: self)
  }
}

extension Publisher where Failure == Never, Output: Publisher {
  /// Delivers what the latest of the streams that upstream delivers does, for an upstream that cannot fail.
  ///
  /// **Demand:** upstream is asked for everything, and the latest stream for what downstream wants.
  ///
  /// **Completion:** `.finished` when upstream and the latest stream have finished.
  ///
  /// **Failure:** a failure of the latest stream is forwarded at once, and upstream is cancelled.
  ///
  /// **Concurrency:** upstream and the streams may deliver on any threads; downstream gets one value at a time.
  ///
  /// - Returns: A publisher of the values of the latest stream.
  @inlinable
  public func switchToLatest()
    -> Publishers.SwitchToLatest<Output, Publishers.SetFailureType<Self, Output.Failure>>
  {
    Publishers.SwitchToLatest(upstream: setFailureType(to: Output.Failure.self))
  }

  /// Delivers what the latest of the streams that upstream delivers does, where nothing can fail.
  ///
  /// **Demand:** upstream is asked for everything, and the latest stream for what downstream wants.
  ///
  /// **Completion:** `.finished` when upstream and the latest stream have finished.
  ///
  /// **Failure:** there is none.
  ///
  /// **Concurrency:** upstream and the streams may deliver on any threads; downstream gets one value at a time.
  ///
  /// - Returns: A publisher of the values of the latest stream.
  @inlinable
  public func switchToLatest() -> Publishers.SwitchToLatest<Output, Self> where Output.Failure == Never {
    Publishers.SwitchToLatest(upstream: self)
  }
}

extension Publisher where Output: Publisher, Output.Failure == Never {
  /// Delivers what the latest of the streams that upstream delivers does, for streams that cannot fail.
  ///
  /// **Demand:** upstream is asked for everything, and the latest stream for what downstream wants.
  ///
  /// **Completion:** `.finished` when upstream and the latest stream have finished.
  ///
  /// **Failure:** a failure of upstream is forwarded at once, and the latest stream is cancelled.
  ///
  /// **Concurrency:** upstream and the streams may deliver on any threads; downstream gets one value at a time.
  ///
  /// - Returns: A publisher of the values of the latest stream.
  @inlinable
  public func switchToLatest()
    -> Publishers.SwitchToLatest<
      Publishers.SetFailureType<Output, Failure>, Publishers.Map<Self, Publishers.SetFailureType<Output, Failure>>
    >
  {
    Publishers.SwitchToLatest(upstream: map { $0.setFailureType(to: Failure.self) })
  }
}

extension Publishers {
  /// A publisher of what the latest of another's streams delivers; see `switchToLatest()` of ``Publisher``.
  public struct SwitchToLatest<P: Publisher, Upstream: Publisher>: Publisher
  where P == Upstream.Output, P.Failure == Upstream.Failure {
    public typealias Output = P.Output
    public typealias Failure = P.Failure

    /// The publisher of streams.
    public let upstream: Upstream

    /// Makes a publisher of what the latest of another's streams delivers.
    @inlinable
    public init(upstream: Upstream) {
      self.upstream = upstream
    }

    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where P.Output == S.Input, Upstream.Failure == S.Failure {
      let core = SwitchCore(to: subscriber)
      core.start(subscriber)
      upstream.subscribe(OuterStream(SwitchOuterFlow<P, S>(core)))
    }
  }
}

extension Publishers.SwitchToLatest: Sendable where Upstream: Sendable {}
