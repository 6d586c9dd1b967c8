// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

/// A relay that delivers values to its subscribers and keeps none.
///
/// ```swift
/// let relay = PassthroughRelay<String>()
/// relay.accept("lost")
/// let cancellable = relay.sink { print($0) }
/// relay.accept("heard")
/// // Prints "heard"
/// ```
///
/// **Demand:** counted for each subscriber. A value that a subscriber has not requested is dropped for that subscriber.
/// Unlimited values are requested from a publisher that feeds the relay once any subscriber has requested a value.
/// `request(.none)` traps.
///
/// **Completion:** never. A subscription keeps the relay alive until it is cancelled.
///
/// **Failure:** none; a relay cannot fail.
///
/// **Concurrency:** as for `PassthroughSubject`: any thread may call ``accept(_:)``, and all subscribers receive the
/// values in the same order, one delivery at a time. `Sendable` covers the relay's own state only.
///
/// Use `PassthroughSubject` to complete, ``CurrentValueRelay`` to keep the latest value, and ``ReplayRelay`` to keep
/// several.
public final class PassthroughRelay<Output>: Relay {
  public typealias Failure = Never

  @usableFromInline package let fanOut = FanOut<Output, Never>()
  @usableFromInline internal let upstream = UpstreamSubscriptions(open: false)

  /// Creates a relay without subscribers.
  @_alwaysEmitIntoClient
  public init() {}

  @_alwaysEmitIntoClient
  public func accept(_ value: Output) {
    fanOut.send(value)
  }

  @_alwaysEmitIntoClient
  public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, S.Failure == Never {
    fanOut.attach(FanOutMember.make(subscriber, of: fanOut, source: self))
  }
}

extension PassthroughRelay: FanOutPublisher {
  @usableFromInline
  package var feeds: [AnyObject] { upstream.objects }

  @inlinable
  package static var memberName: StaticString { "PassthroughRelay" }

  @usableFromInline
  package func demandRose() { upstream.demandRose() }
}

// `@unchecked`: all state is behind the fan-out's loop and the guard of the upstream subscriptions.
extension PassthroughRelay: @unchecked Sendable where Output: Sendable {}
