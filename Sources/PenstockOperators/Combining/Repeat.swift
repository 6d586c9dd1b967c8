// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension Publisher {
  /// Subscribes to the upstream publisher again when it has finished, until it has finished a number of times.
  ///
  /// ![When upstream has finished, it is subscribed to again, twice in all.](repeat-count)
  ///
  /// ```swift
  /// let cancellable = [1, 2].publisher.repeat(2).sink { print($0) }
  /// // Prints "1", "2", "1", "2" on four lines.
  /// ```
  ///
  /// **Demand:** passed to the current run, and counted; demand that it has not met is requested from the next one. A
  /// value that was not requested traps, and so does `request(.none)`.
  ///
  /// **Completion:** subscribes again; forwarded after the last run. With 0 runs the publisher finishes at once, and
  /// upstream is not subscribed to.
  ///
  /// **Failure:** forwarded at once.
  ///
  /// **Concurrency:** subscribes again on the thread on which upstream finishes, in a loop if it finishes at once. If
  /// it finishes during a delivery, values that the next run delivers on another thread wait until the delivery has
  /// returned. A cancel, on any thread, ends the loop.
  ///
  /// **Traps:** a negative number.
  ///
  /// Use `retry(_:)` to subscribe again after a failure, and `append(_:)` to continue with another publisher.
  ///
  /// - Parameter times: The number of runs.
  /// - Returns: A publisher of the values of all runs.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public func `repeat`(_ times: Int) -> Publishers.Lifted<Output, Failure> {
    if times < 0 { trap(.negativeCount(operator: "repeat(_:)")) }
    return times == 0 ? Publishers.Lifted(Empty()) : Publishers.Lifted(RepeatPublisher(upstream: self, times: times))
  }

  /// Subscribes to the upstream publisher again whenever it has finished, without an end.
  ///
  /// ![Whenever upstream has finished, it is subscribed to again, without end.](repeat)
  ///
  /// It works as ``repeat(_:)``, without a last run: a failure or a cancel ends it. A publisher that finishes at once
  /// without a value is subscribed to again and again until another thread cancels.
  ///
  /// ```swift
  /// let cancellable = ["tick", "tock"].publisher.repeat().prefix(3).sink { print($0) }
  /// // Prints "tick", "tock", "tick" on three lines.
  /// ```
  ///
  /// **Demand:**, **Failure:** and **Concurrency:** as for ``repeat(_:)``.
  ///
  /// **Completion:** subscribes again.
  ///
  /// - Returns: A publisher of the values of all runs.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public func `repeat`() -> Publishers.Lifted<Output, Failure> {
    Publishers.Lifted(RepeatPublisher(upstream: self, times: nil))
  }
}

/// The publisher of `repeat`.
@usableFromInline
internal struct RepeatPublisher<Upstream: Publisher>: PortedPublisher {
  @usableFromInline internal typealias Output = Upstream.Output
  @usableFromInline internal typealias Failure = Upstream.Failure

  @usableFromInline internal let upstream: Upstream
  /// The number of runs, one or more; without a limit if `nil`.
  @usableFromInline internal let times: Int?

  @inlinable
  internal init(upstream: Upstream, times: Int?) {
    self.upstream = upstream
    self.times = times
  }

  @_alwaysEmitIntoClient @inline(__always)
  internal func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
    SequentialSubscriber(RepeatRule(upstream, times: times), to: subscriber).begin(with: upstream, upstreamOf: S.self)
  }
}

/// The rule of `repeat`: after a `.finished`, the same publisher follows again.
@usableFromInline
internal struct RepeatRule<Repeated: Publisher>: SequentialRule {
  @usableFromInline internal typealias Output = Repeated.Output
  @usableFromInline internal typealias Upstream = Repeated.Failure
  @usableFromInline internal typealias Downstream = Repeated.Failure
  /// Nothing, because the rule has the publisher: so a run allocates nothing.
  @usableFromInline internal typealias Next = Void

  @usableFromInline internal let upstream: Repeated
  @usableFromInline internal let times: UInt?

  @inlinable
  internal init(_ upstream: Repeated, times: Int?) {
    self.upstream = upstream
    self.times = times.map { UInt($0) }
  }

  @inlinable
  internal static var name: String { "Repeat" }

  @inlinable
  internal static var traits: SequentialTraits {
    SequentialTraits(trapsUnrequested: true, isEndless: true, acceptsZeroDemand: false)
  }

  @inlinable
  internal func next(
    after completion: Subscribers.Completion<Upstream>, number: UInt
  ) -> SequentialStep<Next, Downstream> {
    if case .finished = completion, times.map({ number < $0 }) ?? true { return .start(with: ()) }
    return .finish(completion)
  }

  @inlinable
  internal func subscribe(_ subscriber: SequentialSubscriber<Self>, to next: Void) {
    upstream.subscribe(subscriber)
  }
}
