// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

/// A subject that delivers its latest values to new subscribers, even after its completion.
///
/// ```swift
/// let subject = ReplaySubject<Int, Never>(capacity: 2)
/// for value in 1...3 { subject.send(value) }
/// let first = subject.sink { print("first", $0) }
/// subject.send(4)
/// subject.send(completion: .finished)
/// let second = subject.sink { print("second", $0) }
/// // Prints "first 2", "first 3", "first 4", "second 3", "second 4" on five lines.
/// ```
///
/// A value is stored before it is delivered. The values that a subscriber gets first are fixed at the moment of its
/// subscription, so that it misses no value and receives none twice, whatever other threads do.
///
/// **Demand:** counted for each subscriber. A value that a subscriber has not requested waits for it, without a limit:
/// capacity and age limit the replayed values, not those that wait. All subscribers read from one log, so each waiting
/// value is stored once. Unlimited values are requested from an upstream, at once. `request(.none)` traps.
///
/// **Completion:** delivered to each subscriber after the values that wait for it. Later subscribers receive the latest
/// values and the completion. Values sent afterwards are ignored.
///
/// **Failure:** as for a completion.
///
/// **Concurrency:** any thread may send, subscribe, request and cancel. Subscribers are called in the order of their
/// subscriptions, one delivery at a time, and all receive the values in the same order. A value that is sent during a
/// delivery reaches each subscriber after that delivery; if another thread is delivering, that thread delivers it. No
/// lock is held during a delivery. `Sendable` covers the subject's own state only.
///
/// Use ``PenstockCore/Publisher/shareReplay(capacity:)`` to replay the values of a publisher, `CurrentValueSubject` for
/// a subject that always has a value, and ``ReplayRelay`` for one that cannot complete.
public final class ReplaySubject<Output, Failure: Error>: Subject {
  @usableFromInline internal let fanOut: ReplayFanOut<Output, Failure>
  /// The object that the fan-out treats as its upstream subscription.
  @usableFromInline internal let origin = SharedUpstream(generation: 1)
  @usableFromInline internal let upstream = UpstreamSubscriptions(open: true)

  /// Creates a subject that replays a number of values.
  ///
  /// - Parameter capacity: The number of values to replay; by default all of them. A negative number traps.
  @_alwaysEmitIntoClient
  public init(capacity: Int = .max) {
    if capacity < 0 { trap(.negativeCount(operator: "ReplaySubject")) }
    fanOut = ReplayFanOut(capacity: capacity, isCounted: false)
    fanOut.begin(origin)
  }

  /// Creates a subject that replays the values of a recent time.
  ///
  /// ```swift
  /// import PenstockTesting
  ///
  /// let scheduler = VirtualTimeScheduler()
  /// let subject = ReplaySubject<String, Never>(maximumAge: 10, scheduler: scheduler)
  /// subject.send("old")
  /// scheduler.advance(by: 8)
  /// subject.send("young")
  /// scheduler.advance(by: 8)
  /// let cancellable = subject.sink { print($0) }
  /// // Prints "young"
  /// ```
  ///
  /// Nothing is scheduled: the time is read at each value and each subscription. A value that is too old is released
  /// then, unless it waits for a subscriber.
  ///
  /// - Parameters:
  ///   - capacity: The number of values to replay; by default there is no limit. A negative number traps.
  ///   - maximumAge: The age up to which a value is replayed.
  ///   - scheduler: The scheduler to read the time from, on any thread.
  public init<Context: Scheduler & Sendable>(
    capacity: Int = .max, maximumAge: Context.SchedulerTimeType.Stride, scheduler: Context
  ) {
    if capacity < 0 { trap(.negativeCount(operator: "ReplaySubject")) }
    let ages = ReplayAges(maximumAge, capacity: capacity, scheduler: scheduler)
    fanOut = ReplayFanOut(capacity: capacity, isCounted: false, ages: ages)
    fanOut.begin(origin)
  }

  deinit {
    upstream.cancel()
  }

  @_alwaysEmitIntoClient
  public func send(_ value: Output) {
    fanOut.send(value, generation: origin.generation)
  }

  @_alwaysEmitIntoClient
  public func send(completion: Subscribers.Completion<Failure>) {
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

extension ReplaySubject: FanOutSource, UpstreamKeeper {
  @usableFromInline
  package var feeds: [AnyObject] { upstream.objects }

  @inlinable
  package static var memberName: StaticString { "ReplaySubject" }

  /// Nothing to do: the demand on upstream is unlimited from the start.
  @usableFromInline
  package func demandRose() {}

  @usableFromInline
  package func add(upstream subscription: any Subscription & AnyObject) { upstream.add(member: subscription) }

  @usableFromInline
  package func remove(upstream subscription: any Subscription & AnyObject) { upstream.remove(member: subscription) }
}

// `@unchecked`: all state is behind the fan-out's loop and locks, and the guard of the upstream subscriptions.
extension ReplaySubject: @unchecked Sendable where Output: Sendable {}
