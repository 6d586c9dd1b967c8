// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import DequeModule
public import PenstockCore

/// What is behind `throttle(while:)`.
///
/// Both upstreams, requests and the scheduler go through one ``SerialSubscription``, whose owner all of this belongs to.
/// What is to be delivered stands in a line. For each of it one piece of work is given to the scheduler, which delivers
/// whatever is next: so the order survives a scheduler that runs several at once.
@usableFromInline
internal final class ThrottleWhileCore<Downstream: Subscriber, Context: Scheduler> {
  @usableFromInline
  internal enum Event {
    case value(Downstream.Input)
    case completion(Subscribers.Completion<Downstream.Failure>)
  }

  @usableFromInline internal let downstream: Downstream
  @usableFromInline internal let scheduler: Context
  @usableFromInline internal let values = Inlet()
  @usableFromInline internal let condition = Inlet()

  @exclusivity(unchecked) @usableFromInline internal var demand = Subscribers.Demand.none
  @exclusivity(unchecked) @usableFromInline internal var isThrottled: Bool
  /// The latest value that came while the condition was true.
  @exclusivity(unchecked) @usableFromInline internal var throttled: Downstream.Input?
  /// The latest value that may pass, but has not been asked for.
  @exclusivity(unchecked) @usableFromInline internal var unwanted: Downstream.Input?
  /// Upstream's end, while a value waits for demand before it.
  @exclusivity(unchecked) @usableFromInline internal var ending: Subscribers.Completion<Downstream.Failure>?
  @exclusivity(unchecked) @usableFromInline internal var line: Deque<Event> = []

  @inlinable
  internal init(_ downstream: Downstream, isThrottled: Bool, scheduler: Context) {
    self.downstream = downstream
    self.isThrottled = isThrottled
    self.scheduler = scheduler
  }

  /// Makes the subscription, which keeps this object; it is handed to the methods, and not kept.
  @inlinable
  internal func subscription() -> FanInSubscription {
    FanInSubscription(
      name: "ThrottleWhile", inlets: [values, condition], acceptsNothing: false, endsWithReturn: downstream.isRelay,
      request: { self.add($1, $0) },
      discard: { _ in self.discard() })
  }

  /// Hands downstream its subscription, before anything is subscribed to.
  @inlinable
  internal func start(_ serial: FanInSubscription) {
    let thread = currentThread()
    _ = serial.enter(thread)
    downstream.receive(subscription: serial)
    serial.leave(thread)
  }

  // MARK: What comes

  @inlinable
  internal func take(_ value: Downstream.Input, _ serial: SerialSubscription) {
    if ending != nil { return }
    if isThrottled { throttled = value } else { pass(value, serial) }
  }

  @inlinable
  internal func set(throttled isThrottled: Bool, _ serial: SerialSubscription) {
    self.isThrottled = isThrottled
    if !isThrottled, let value = throttled.take() { pass(value, serial) }
  }

  @inlinable
  internal func add(_ more: Subscribers.Demand, _ serial: SerialSubscription) {
    demand += more
    guard demand != .none, let value = unwanted.take() else { return }
    pass(value, serial)
    if let ending = ending.take() { deliver(.completion(ending), serial) }
  }

  @inlinable
  internal func end(_ completion: Subscribers.Completion<Downstream.Failure>, _ serial: SerialSubscription) {
    throttled = nil
    condition.slot.cancel(early: true)
    if unwanted == nil { deliver(.completion(completion), serial) } else { ending = completion }
  }

  // MARK: What goes

  /// Debits a value and puts it into the line, or keeps it until it is asked for.
  @inlinable
  internal func pass(_ value: Downstream.Input, _ serial: SerialSubscription) {
    guard demand != .none else {
      unwanted = value
      return
    }
    demand -= 1
    deliver(.value(value), serial)
  }

  @inlinable
  internal func deliver(_ event: Event, _ serial: SerialSubscription) {
    line.append(event)
    scheduler.schedule { [self] in
      if serial.isClosed { return }
      let thread = currentThread()
      switch serial.enter(thread) {
      case .entered:
        deliverNext(serial)
        serial.leave(thread)
      case .nested:
        deliverNext(serial)
      case .busy:
        serial.postpone(thread) { self.deliverNext(serial) }
      }
    }
  }

  @inlinable
  internal func deliverNext(_ serial: SerialSubscription) {
    if serial.isClosed { return }
    switch line.popFirst() {
    case .value(let value):
      let more = downstream.receive(value)
      if more != .none { add(more, serial) }
    case .completion(let completion):
      if serial.close() { downstream.receive(completion: completion) }
    case nil:
      break
    }
  }

  @inlinable
  internal func discard() {
    throttled = nil
    unwanted = nil
    ending = nil
    // Taken out first: freeing a value may run anything.
    var rest: Deque<Event> = []
    swap(&rest, &line)
  }
}

/// The values of a `throttle(while:)`.
@usableFromInline
internal struct ThrottleValueFlow<Downstream: Subscriber, Context: Scheduler>: Inflow {
  @usableFromInline internal let throttle: ThrottleWhileCore<Downstream, Context>
  @usableFromInline internal let core: SerialSubscription

  @inlinable
  internal init(_ throttle: ThrottleWhileCore<Downstream, Context>, _ core: SerialSubscription) {
    self.throttle = throttle
    self.core = core
  }

  @inlinable
  internal var inlet: Inlet { throttle.values }

  @inlinable
  internal func begin() { core.ask(throttle.values, for: .unlimited) }

  @inlinable
  internal func take(_ input: Downstream.Input) -> Subscribers.Demand {
    throttle.take(input, core)
    return .none
  }

  @inlinable
  internal func end(_ completion: Subscribers.Completion<Downstream.Failure>) { throttle.end(completion, core) }
}

/// The condition of a `throttle(while:)`.
@usableFromInline
internal struct ThrottleConditionFlow<Downstream: Subscriber, Context: Scheduler>: Inflow {
  @usableFromInline internal typealias Input = Bool
  @usableFromInline internal typealias Failure = Never

  @usableFromInline internal let throttle: ThrottleWhileCore<Downstream, Context>
  @usableFromInline internal let core: SerialSubscription

  @inlinable
  internal init(_ throttle: ThrottleWhileCore<Downstream, Context>, _ core: SerialSubscription) {
    self.throttle = throttle
    self.core = core
  }

  @inlinable
  internal var inlet: Inlet { throttle.condition }

  @inlinable
  internal func begin() { core.ask(throttle.condition, for: .unlimited) }

  @inlinable
  internal func take(_ input: Bool) -> Subscribers.Demand {
    throttle.set(throttled: input, core)
    return .none
  }

  /// Everything stays as it is.
  @inlinable
  internal func end(_ completion: Subscribers.Completion<Never>) {}
}

@available(*, unavailable)
extension ThrottleWhileCore: Sendable {}

@available(*, unavailable)
extension ThrottleWhileCore.Event: Sendable {}

@available(*, unavailable)
extension ThrottleValueFlow: Sendable {}

@available(*, unavailable)
extension ThrottleConditionFlow: Sendable {}
