// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

/// A subject that delivers its last value, and only when it finishes.
///
/// ```swift
/// let subject = AsyncSubject<Int, Never>()
/// let first = subject.sink(receiveCompletion: { print($0) }, receiveValue: { print($0) })
/// for value in 1...3 { subject.send(value) }
/// subject.send(completion: .finished)
/// let second = subject.sink { print("later:", $0) }
/// // Prints "3", "finished", "later: 3" on three lines.
/// ```
///
/// **Demand:** the value waits for each subscriber's first request. Unlimited values are requested from an upstream, at
/// once. `request(.none)` traps.
///
/// **Completion:** `.finished` follows the value; without a value it needs no request. Later subscribers receive the
/// same signals. Values sent afterwards are ignored.
///
/// **Failure:** delivered at once, without a value, to later subscribers as well.
///
/// **Concurrency:** any thread may send, subscribe, request and cancel. Subscribers are called in the order of their
/// subscriptions, one delivery at a time. `Sendable` covers the subject's own state only.
///
/// Use `last()` for the last value of a publisher, and `Future` for work that delivers one result.
public final class AsyncSubject<Output, Failure: Error>: Subject {
  @usableFromInline
  internal struct State {
    @usableFromInline internal var latest: Output?
    /// Whether a completion has been accepted.
    @usableFromInline internal var isOver = false

    @inlinable
    internal init() {}
  }

  @usableFromInline internal let state = Guarded(State())
  /// Gets the value together with the completion, and replays both.
  @usableFromInline internal let fanOut = ReplayFanOut<Output, Failure>(capacity: 1, isCounted: false)
  @usableFromInline internal let origin = SharedUpstream(generation: 1)
  @usableFromInline internal let upstream = UpstreamSubscriptions(open: true)

  /// Creates a subject without a value.
  @_alwaysEmitIntoClient
  public init() { fanOut.begin(origin) }

  deinit {
    upstream.cancel()
  }

  /// Stores a value in place of the previous one.
  @_alwaysEmitIntoClient
  public func send(_ value: Output) {
    // The replaced value is released outside the lock.
    var replaced: Output? = value
    state.withLock { state in
      if !state.isOver { swap(&state.latest, &replaced) }
    }
    withExtendedLifetime(replaced) {}
  }

  @_alwaysEmitIntoClient
  public func send(completion: Subscribers.Completion<Failure>) {
    let (isFirst, latest) = state.withLock { state in
      (!exchange(&state.isOver, with: true), state.latest.take())
    }
    guard isFirst else { return }
    if case .finished = completion, let latest { fanOut.send(latest, generation: origin.generation) }
    fanOut.send(completion, from: origin)
  }

  /// Keeps an upstream subscription, and requests unlimited values from it at once.
  ///
  /// The subscription is cancelled when the subject is deallocated. Until then it is kept, even after it has ended,
  /// since a subscription does not report its end. If upstreams come and go, use `subscribe(_:)`, whose subscriptions
  /// are released at their end.
  @_alwaysEmitIntoClient
  public func send(subscription: any Subscription) {
    upstream.add(subscription)
  }

  @_alwaysEmitIntoClient
  public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
    _ = fanOut.attach(FanOutMember.make(subscriber, of: fanOut, source: self))
  }
}

extension AsyncSubject: FanOutSource, UpstreamKeeper {
  @usableFromInline
  package var feeds: [AnyObject] { upstream.objects }

  @inlinable
  package static var memberName: StaticString { "AsyncSubject" }

  /// Nothing to do: the demand on upstream is unlimited from the start.
  @usableFromInline
  package func demandRose() {}

  @usableFromInline
  package func add(upstream subscription: any Subscription & AnyObject) { upstream.add(member: subscription) }

  @usableFromInline
  package func remove(upstream subscription: any Subscription & AnyObject) { upstream.remove(member: subscription) }
}

// `@unchecked`: all state is behind the fan-out's loop and locks, and the guard of the upstream subscriptions.
extension AsyncSubject: @unchecked Sendable where Output: Sendable {}
