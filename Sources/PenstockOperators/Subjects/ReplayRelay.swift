// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

/// A relay that delivers its latest values to new subscribers.
///
/// ```swift
/// let relay = ReplayRelay<Int>(capacity: 2)
/// for value in 1...3 { relay.accept(value) }
/// let cancellable = relay.sink { print($0) }
/// relay.accept(4)
/// // Prints "2", "3", "4" on three lines.
/// ```
///
/// **Demand:** counted for each subscriber. A value that a subscriber has not requested waits for it, without a limit:
/// capacity and age limit the replayed values, not those that wait. `request(.none)` traps.
///
/// **Completion:** never. A subscription keeps the relay alive until it is cancelled.
///
/// **Failure:** none; a relay cannot fail.
///
/// **Concurrency:** as for ``ReplaySubject``.
///
/// Use ``ReplaySubject`` to complete, and ``CurrentValueRelay`` for a relay that always has a value.
public final class ReplayRelay<Output>: Relay {
  public typealias Failure = Never

  @usableFromInline internal let fanOut: ReplayFanOut<Output, Never>
  /// The object that the fan-out treats as its upstream subscription.
  @usableFromInline internal let origin = SharedUpstream(generation: 1)

  /// Creates a relay that replays a number of values.
  ///
  /// - Parameter capacity: The number of values to replay; by default all of them. A negative number traps.
  @_alwaysEmitIntoClient
  public init(capacity: Int = .max) {
    if capacity < 0 { trap(.negativeCount(operator: "ReplayRelay")) }
    fanOut = ReplayFanOut(capacity: capacity, isCounted: false)
    fanOut.begin(origin)
  }

  /// Creates a relay that replays the values of a recent time; see ``ReplaySubject``.
  ///
  /// - Parameters:
  ///   - capacity: The number of values to replay; by default there is no limit. A negative number traps.
  ///   - maximumAge: The age up to which a value is replayed.
  ///   - scheduler: The scheduler to read the time from, on any thread.
  public init<Context: Scheduler & Sendable>(
    capacity: Int = .max, maximumAge: Context.SchedulerTimeType.Stride, scheduler: Context
  ) {
    if capacity < 0 { trap(.negativeCount(operator: "ReplayRelay")) }
    let ages = ReplayAges(maximumAge, capacity: capacity, scheduler: scheduler)
    fanOut = ReplayFanOut(capacity: capacity, isCounted: false, ages: ages)
    fanOut.begin(origin)
  }

  @_alwaysEmitIntoClient
  public func accept(_ value: Output) {
    fanOut.send(value, generation: origin.generation)
  }

  @_alwaysEmitIntoClient
  public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, S.Failure == Never {
    _ = fanOut.attach(FanOutMember.make(subscriber, of: fanOut, source: self))
  }
}

extension ReplayRelay: FanOutSource {
  @inlinable
  package static var memberName: StaticString { "ReplayRelay" }

  @usableFromInline
  package func demandRose() {}
}

// `@unchecked`: all state is behind the fan-out's loop and locks.
extension ReplayRelay: @unchecked Sendable where Output: Sendable {}
