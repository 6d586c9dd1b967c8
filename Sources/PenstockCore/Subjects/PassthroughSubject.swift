// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A subject that passes values on and keeps none.
///
/// ```swift
/// let subject = PassthroughSubject<String, Never>()
/// subject.send("lost")
/// let cancellable = subject.sink { print($0) }
/// subject.send("heard")
/// // Prints "heard"
/// ```
///
/// **Demand:** counted for each subscriber. A value that a subscriber has not asked for is dropped for that subscriber.
/// `request(.none)` traps.
///
/// **Completion:** reaches every subscriber, whatever its demand. Later ones get the empty subscription and the
/// completion. What is sent afterwards is ignored.
///
/// **Concurrency:** any thread may send. Subscribers are served in the order they came, one delivery at a time, and all
/// see the same order. A send from inside a delivery is delivered at once, nested, or behind what other threads have sent
/// before. A send while another thread is delivering is queued, without bound, and that thread delivers it: the value may
/// still be under way when ``send(_:)`` returns. Combine blocks the second sender instead, which deadlocks two pipelines
/// that feed each other. Subscribing is synchronous, whatever other threads do.
///
/// That the subject is `Sendable` says only that its own state is safe. What a plain `sink` captures runs on the sender's
/// thread; only a closure that belongs to an actor is guarded, at run time: see <doc:InPlaceOfCombine>.
public final class PassthroughSubject<Output, Failure: Error>: Subject {
  @usableFromInline internal let fanOut: FanOut<Output, Failure>

  /// Makes a subject without subscribers.
  @inlinable
  public init() {
    fanOut = FanOut()
  }

  deinit {
    fanOut.upstream.cancel()
  }

  @inlinable
  public func send(_ value: Output) {
    fanOut.send(value)
  }

  @inlinable
  public func send(completion: Subscribers.Completion<Failure>) {
    fanOut.send(completion: completion)
  }

  /// Keeps an upstream subscription, and asks it for everything as soon as any subscriber has asked for anything.
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
    fanOut.attach(Conduit(subscriber.erased(), of: fanOut, source: self, name: "PassthroughSubject"))
  }
}

extension PassthroughSubject: FanOutSource {
  @usableFromInline
  package func demandRose() { fanOut.upstream.demandRose() }
}

// `@unchecked`: all state is behind the fan-out's loop and the guard of the upstream subscriptions.
extension PassthroughSubject: @unchecked Sendable where Output: Sendable {}
