// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A subject that keeps its latest value, and gives it to everyone who has not seen it.
///
/// ```swift
/// let level = CurrentValueSubject<Int, Never>(1)
/// let cancellable = level.sink { print($0) }
/// level.value += 1
/// // Prints "1", "2" on two lines.
/// ```
///
/// **Demand:** counted for each subscriber. The first request is answered with the current value. A value that a
/// subscriber has not asked for is skipped; its next request is answered with the latest one. `request(.none)` traps.
///
/// **Completion:** reaches every subscriber, whatever its demand. Later ones get the empty subscription and the
/// completion, not the last value. What is sent afterwards is ignored; setting ``value`` still stores.
///
/// **Concurrency:** any thread may send and may read or set ``value``; a change like `value += 1` is a read and then a
/// set, between which another thread may come. Subscribers are served in the order they came, one delivery at a time,
/// and all see the same order; none ends on a stale value. A send from inside a delivery is delivered at once, nested,
/// or behind what other threads have sent before. A send while another thread is delivering is queued, without bound, and
/// that thread delivers it: the value may still be under way when ``send(_:)`` returns, though ``value`` has it already.
/// Combine blocks the second sender instead. Subscribing is synchronous: a subscriber that asks as soon as it has its
/// subscription has the present value when `subscribe` returns, whatever other threads do.
///
/// That the subject is `Sendable` says only that its own state is safe. What a plain `sink` captures runs on the sender's
/// thread; only a closure that belongs to an actor is guarded, at run time: see <doc:InPlaceOfCombine>.
public final class CurrentValueSubject<Output, Failure: Error>: Subject {
  @usableFromInline internal let fanOut: FanOut<Output, Failure>

  /// Makes a subject with a first value.
  ///
  /// - Parameter value: The first value.
  @inlinable
  public init(_ value: Output) {
    fanOut = FanOut(repeating: .some(value))
  }

  deinit {
    fanOut.upstream.cancel()
  }

  /// The latest value.
  ///
  /// Setting it sends, every time, also if the value has not changed.
  ///
  /// It has its new value already when subscribers are told.
  @inlinable
  public var value: Output {
    get { fanOut.latest.unsafelyUnwrapped }
    set { fanOut.sendLatest(newValue, evenWhenClosed: true) }
  }

  @inlinable
  public func send(_ value: Output) {
    fanOut.sendLatest(value, evenWhenClosed: false)
  }

  @inlinable
  public func send(completion: Subscribers.Completion<Failure>) {
    fanOut.send(completion: completion)
  }

  /// Keeps an upstream subscription, and asks it for everything at once.
  ///
  /// It is cancelled when the subject is freed. Until then it is kept, also when it is over, of which a subscription does
  /// not tell: where upstreams come and go, use ``Publisher/subscribe(_:)->_``, whose subscriptions are forgotten
  /// at their end.
  @inlinable
  public func send(subscription: any Subscription) {
    fanOut.upstream.add(subscription)
  }

  @inlinable
  public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
    fanOut.attach(Conduit(subscriber.erased(), of: fanOut, source: self, name: "CurrentValueSubject"))
  }
}

extension CurrentValueSubject: FanOutSource {
  @usableFromInline
  package func demandRose() {}
}

// `@unchecked`: all state is behind the fan-out's loop and locks.
extension CurrentValueSubject: @unchecked Sendable where Output: Sendable {}
