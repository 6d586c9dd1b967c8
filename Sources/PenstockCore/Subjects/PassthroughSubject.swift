// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A subject that delivers values to its subscribers and keeps none.
///
/// ```swift
/// let subject = PassthroughSubject<String, Never>()
/// subject.send("lost")
/// let cancellable = subject.sink { print($0) }
/// subject.send("heard")
/// // Prints "heard"
/// ```
///
/// **Demand:** counted for each subscriber. A value that a subscriber has not requested is dropped for that subscriber.
/// `request(.none)` traps.
///
/// **Completion:** delivered to every subscriber, whatever its demand. Later subscribers receive the empty subscription
/// and the completion. Values sent afterwards are ignored.
///
/// **Failure:** as for a completion.
///
/// **Concurrency:** any thread may send. Subscribers are called in the order of their subscriptions, one delivery at a
/// time, and all receive the values in the same order. A send during a delivery is delivered at once, nested, or after
/// values that other threads have sent before it. A send while another thread is delivering is queued, without a limit,
/// and that thread delivers it: the value may not be delivered yet when ``send(_:)`` returns. Combine blocks the second
/// sender instead, which deadlocks two pipelines that feed each other. Subscribing is synchronous, whatever other
/// threads do.
///
/// `Sendable` covers the subject's own state only. A closure passed to `sink` runs on the sender's thread, and only an
/// actor-isolated closure is checked, at run time: see <doc:InPlaceOfCombine>.
public final class PassthroughSubject<Output, Failure: Error>: Subject {
  @usableFromInline package let fanOut: FanOut<Output, Failure>

  /// Creates a subject without subscribers.
  @inlinable
  public init() {
    fanOut = FanOut()
  }

  deinit {
    Unmanaged.passUnretained(fanOut)._withUnsafeGuaranteedRef { $0.upstream.cancel() }
  }

  @_alwaysEmitIntoClient
  public func send(_ value: Output) {
    fanOut.send(value)
  }

  @_alwaysEmitIntoClient
  public func send(completion: Subscribers.Completion<Failure>) {
    fanOut.send(completion: completion)
  }

  /// Keeps an upstream subscription, and requests unlimited values from it once any subscriber has requested a value.
  ///
  /// The subscription is cancelled when the subject is deallocated. Until then it is kept, even after it has ended,
  /// since a subscription does not report its end. If upstreams come and go, use ``Publisher/subscribe(_:)->_``, whose
  /// subscriptions are released at their end.
  @_alwaysEmitIntoClient
  public func send(subscription: any Subscription) {
    fanOut.upstream.add(subscription)
  }

  @_alwaysEmitIntoClient
  public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
    fanOut.attach(FanOutMember.make(subscriber, of: fanOut, source: self))
  }
}

extension PassthroughSubject: FanOutPublisher {
  @_alwaysEmitIntoClient
  package static var memberName: StaticString { "PassthroughSubject" }

  @usableFromInline
  package func demandRose() { fanOut.upstream.demandRose() }
}

// `@unchecked`: all state is behind the fan-out's loop and the guard of the upstream subscriptions.
extension PassthroughSubject: @unchecked Sendable where Output: Sendable {}
