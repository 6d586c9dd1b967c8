// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension Publisher {
  /// Delivers values and the completion on a scheduler, many in one action.
  ///
  /// ![The queue delivers what waits, two values at a time.](receive-on-up-to)
  ///
  /// It works as `receive(on:options:)`, in which each value is an action of its own. Here an action delivers the
  /// values that have arrived by then, up to `count`, and is followed by another action if there are more: in a flood
  /// the scheduler is called once for many values, while other work of the same scheduler still gets its turn between
  /// two actions.
  ///
  /// ```swift
  /// import PenstockTesting
  ///
  /// let scheduler = VirtualTimeScheduler()
  /// let numbers = PassthroughSubject<Int, Never>()
  /// let cancellable = numbers.receive(on: scheduler, upTo: 2).sink { print($0, terminator: " ") }
  /// for number in 1...5 { numbers.send(number) }
  /// print("actions:", scheduler.pending.count)
  /// scheduler.advance()
  /// // Prints "actions: 1", "1 2 3 4 5 " on two lines.
  /// ```
  ///
  /// **Demand:** passed to upstream at once, on the requesting thread. Demand that deliveries return is requested after
  /// the last one of an action. Values that are not delivered yet are kept, without a limit other than the demand.
  ///
  /// **Completion:** delivered on the scheduler, after all values.
  ///
  /// **Failure:** as for a completion.
  ///
  /// **Concurrency:** the subscription is delivered on the subscribing thread, everything else on the scheduler, one at
  /// a time. A cancel takes effect at once, even within an action.
  ///
  /// **Traps:** a `count` below 1.
  ///
  /// - Parameters:
  ///   - scheduler: The scheduler to deliver on.
  ///   - count: The maximum number of values that one action delivers.
  ///   - options: The scheduler options for each action.
  /// - Returns: A publisher of the same values on the scheduler.
  @_disfavoredOverload
  @inlinable
  public consuming func receive<S: Scheduler>(
    on scheduler: S, upTo count: Int, options: S.SchedulerOptions? = nil
  ) -> Publishers.Lifted<Output, Failure> {
    require(count >= 1, of: "receive(on:upTo:)", rule: "a count of 1 or more", given: count)
    return lift { ReceiveUpToStage<Output, Failure, S>(scheduler, upTo: count, options: options) }
  }
}

/// The stage of `receive(on:upTo:)`.
@usableFromInline
internal struct ReceiveUpToStage<Output, Failure: Error, Context: Scheduler>: ScheduledStage, ~Copyable {
  @usableFromInline internal let scheduler: Context
  @usableFromInline internal let options: Context.SchedulerOptions?
  @usableFromInline internal let most: Int
  @usableFromInline internal let turns = WaitingTurns()

  @inlinable
  internal init(_ scheduler: Context, upTo most: Int, options: Context.SchedulerOptions?) {
    self.scheduler = scheduler
    self.options = options
    self.most = most
  }

  @inlinable
  internal static var name: String { "ReceiveOn" }

  @inlinable
  internal static var takesRuns: Bool { true }

  @inlinable
  internal var turnsOfBlock: Int { most }

  @inlinable
  internal func schedule(_ block: @escaping () -> Void) {
    scheduler.schedule(options: options, block)
  }

  @inlinable
  internal func receive(_ input: Output, in shape: Shape) -> Subscribers.Demand {
    if shape.append(input), turns.add(1) { beginTurns(in: shape) }
    return .none
  }

  @inlinable
  internal func receiveRun(_ next: () -> Output?, in shape: Shape) {
    while true {
      let count = shape.append(upTo: most, next)
      if count > 0, turns.add(count) { beginTurns(in: shape) }
      if count < most { return }
    }
  }

  @inlinable
  internal func receive(completion: Subscribers.Completion<Failure>, in shape: Shape) {
    if shape.append(completion: completion), turns.add(1) { beginTurns(in: shape) }
  }

  /// Called once for many values, and so a function of its own.
  @inlinable @inline(never)
  internal func beginTurns(in shape: Shape) {
    turns.begin { schedule { shape.stage.takeTurns(in: shape) } }
  }

  @inlinable
  internal func takeTurns(in shape: Shape) {
    if shape.isClosed { return }
    turns.take(upTo: most, { shape.takeTurns($0) }, next: { beginTurns(in: shape) })
  }
}
