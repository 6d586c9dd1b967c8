// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A subject that keeps its latest value and delivers it to new subscribers.
///
/// ```swift
/// let level = CurrentValueSubject<Int, Never>(1)
/// let cancellable = level.sink { print($0) }
/// level.value += 1
/// // Prints "1", "2" on two lines.
/// ```
///
/// **Demand:** counted for each subscriber. The first request delivers the current value. A value that a subscriber has
/// not requested is skipped; its next request delivers the latest one. `request(.none)` traps.
///
/// **Completion:** delivered to every subscriber, whatever its demand. Later subscribers receive the empty subscription
/// and the completion, not the last value. Values sent afterwards are ignored; setting ``value`` still stores.
///
/// **Failure:** as for a completion.
///
/// **Concurrency:** any thread may send, and may read or set ``value``; a change such as `value += 1` is a read and
/// then a set, and another thread may set the value in between. Subscribers are called in the order of their
/// subscriptions, one delivery at a time; all receive the values in the same order, and the last one they receive is
/// the latest. A send during a delivery is delivered at once, nested, or after values that other threads have sent
/// before it. A send while another thread is delivering is queued, without a limit, and that thread delivers it: the
/// value may not be delivered yet when ``send(_:)`` returns, although ``value`` already has it. Combine blocks the
/// second sender instead. Subscribing is synchronous: a subscriber that requests a value when it receives its
/// subscription has the current value when `subscribe` returns, whatever other threads do.
///
/// `Sendable` covers the subject's own state only. A closure passed to `sink` runs on the sender's thread, and only an
/// actor-isolated closure is checked, at run time: see <doc:InPlaceOfCombine>.
public final class CurrentValueSubject<Output, Failure: Error>: Subject {
  @usableFromInline package let fanOut: FanOut<Output, Failure>

  /// Creates a subject with an initial value.
  ///
  /// - Parameter value: The initial value.
  @inlinable
  public init(_ value: Output) {
    fanOut = FanOut(repeating: value)
  }

  deinit {
    Unmanaged.passUnretained(fanOut)._withUnsafeGuaranteedRef { $0.upstream.cancel() }
  }

  /// The latest value.
  ///
  /// Setting it sends the value, even if it has not changed.
  ///
  /// It has its new value already when subscribers are notified.
  @inlinable
  public var value: Output {
    get { fanOut.latest.unsafelyUnwrapped }
    set { fanOut.sendLatest(newValue, evenWhenClosed: true) }
  }

  @_alwaysEmitIntoClient
  public func send(_ value: Output) {
    fanOut.sendLatest(value, evenWhenClosed: false)
  }

  @_alwaysEmitIntoClient
  public func send(completion: Subscribers.Completion<Failure>) {
    fanOut.send(completion: completion)
  }

  /// Keeps an upstream subscription, and requests unlimited values from it at once.
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

extension CurrentValueSubject: FanOutPublisher {
  @_alwaysEmitIntoClient
  package static var memberName: StaticString { "CurrentValueSubject" }

  @usableFromInline
  package func demandRose() {}
}

// `@unchecked`: all state is behind the fan-out's loop and locks.
extension CurrentValueSubject: @unchecked Sendable where Output: Sendable {}
