// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

/// The core of `throttle(while:)`.
///
/// It has two loops, because decisions are made on any thread, but values are delivered only on the scheduler. Both
/// upstreams and downstream's requests pass through the *gate*, which decides; any thread that brings a signal may own
/// it. A value that may pass is appended to a queue, and one block per event is scheduled, which delivers the first
/// event of the queue through ``outlet``. So the order survives a scheduler that runs blocks concurrently, and only the
/// scheduler's threads deliver.
///
/// The gate is the outlet's upstream: a cancel reaches it that way, and the end releases it.
@usableFromInline
internal final class ThrottleWhileCore<Downstream: Subscriber, Context: Scheduler> {
  @usableFromInline internal typealias Line = EventQueue<Downstream.Input, Downstream.Failure>

  @usableFromInline internal let downstream: Downstream
  @usableFromInline internal let scheduler: Context
  @usableFromInline internal let values = Inlet()
  @usableFromInline internal let condition = Inlet()
  @usableFromInline internal let line: Line
  /// The subscription that downstream gets.
  @usableFromInline internal let outlet: ScheduledSubscription

  // Accessed only by the owner of the gate.

  @exclusivity(unchecked) @usableFromInline internal var demand = Subscribers.Demand.none
  @exclusivity(unchecked) @usableFromInline internal var isThrottled: Bool
  /// The latest value that arrived while the condition was true.
  @exclusivity(unchecked) @usableFromInline internal var throttled: Downstream.Input?
  /// The latest value that may pass, but has no demand.
  @exclusivity(unchecked) @usableFromInline internal var unwanted: Downstream.Input?
  /// Upstream's completion, while a value waits for demand before it.
  @exclusivity(unchecked) @usableFromInline internal var ending: Subscribers.Completion<Downstream.Failure>?

  @inlinable
  internal init(_ downstream: Downstream, isThrottled: Bool, scheduler: Context) {
    self.downstream = downstream
    self.isThrottled = isThrottled
    self.scheduler = scheduler
    let line = Line()
    self.line = line
    outlet = ScheduledSubscription(
      name: "ThrottleWhile", downstreamIsSynchronous: downstream.isSynchronous, remembersEarlyCancel: true,
      work: SerialSubscription.TypedWork(
        request: { outlet, demand in
          if demand == .none { trap(.requestedNothing) }
          unsafeDowncast(outlet, to: ScheduledSubscription.self).inlet.slot.request(demand)
        },
        cancel: { outlet in
          _ = unsafeDowncast(outlet, to: ScheduledSubscription.self).inlet.slot.cancel(early: true)
        },
        discard: { _ in line.removeAll() }))
  }

  /// Makes the gate, and delivers downstream its subscription, before any upstream is subscribed to.
  ///
  /// - Returns: The gate, which keeps this object alive.
  @inlinable
  internal func start() -> FanInSubscription {
    let gate = FanInSubscription(
      name: "ThrottleWhile", inlets: [values, condition], acceptsZeroDemand: true, downstreamIsSynchronous: false,
      request: { _, more in self.add(more) },
      discard: { _ in self.discard() })
    _ = outlet.inlet.slot.attach(gate)
    downstream.receive(subscription: outlet)
    return gate
  }

  // MARK: Incoming signals; called by the owner of the gate

  @inlinable
  internal func take(_ value: Downstream.Input) {
    if ending != nil { return }
    if isThrottled { dispose(of: displace(&throttled, with: value)) } else { pass(value) }
  }

  @inlinable
  internal func set(throttled isThrottled: Bool) {
    self.isThrottled = isThrottled
    if !isThrottled, let value = throttled.take() { pass(value) }
  }

  @inlinable
  internal func add(_ more: Subscribers.Demand) {
    demand += more
    guard demand != .none, let value = unwanted.take() else { return }
    pass(value)
    if let ending = ending.take() { deliver(.completion(ending)) }
  }

  @inlinable
  internal func end(_ completion: Subscribers.Completion<Downstream.Failure>) {
    dispose(of: displace(&throttled, with: nil))
    condition.slot.cancel(early: true)
    if unwanted == nil { deliver(.completion(completion)) } else { ending = completion }
  }

  // MARK: Outgoing events

  /// Debits a value and appends it to the queue, or keeps it until there is demand.
  @inlinable
  internal func pass(_ value: Downstream.Input) {
    guard demand != .none else {
      dispose(of: displace(&unwanted, with: value))
      return
    }
    demand -= 1
    deliver(.element(value))
  }

  @inlinable
  internal func deliver(_ event: Line.Event) {
    if line.append(event, of: outlet) { scheduler.schedule { [self] in takeTurn() } }
  }

  @inlinable
  internal func discard() {
    dispose(of: displace(&throttled, with: nil))
    dispose(of: displace(&unwanted, with: nil))
    ending = nil
  }

  // MARK: On the scheduler

  @inlinable
  internal func takeTurn() {
    // If another block is delivering, that block takes this turn, too.
    outlet.submit { self.deliverNext() }
  }

  @inlinable
  internal func deliverNext() {
    guard let event = line.next() else { return }
    switch event {
    case .element(let value):
      let more = downstream.receive(value)
      if more != .none { outlet.inlet.slot.request(more) }
    case .completion(let completion):
      guard outlet.close() else { return }
      _ = outlet.inlet.slot.finish()
      downstream.receive(completion: completion)
    }
  }
}

/// The signals of the upstream of a `throttle(while:)`.
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
  internal func begin() { core.requestLater(.unlimited, from: throttle.values) }

  @inlinable
  internal func take(_ input: Downstream.Input) -> Subscribers.Demand {
    throttle.take(input)
    return .none
  }

  @inlinable
  internal func end(_ completion: Subscribers.Completion<Downstream.Failure>) { throttle.end(completion) }
}

/// The signals of the condition of a `throttle(while:)`.
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
  internal func begin() { core.requestLater(.unlimited, from: throttle.condition) }

  @inlinable
  internal func take(_ input: Bool) -> Subscribers.Demand {
    throttle.set(throttled: input)
    return .none
  }

  /// Changes nothing: the last condition stays in force.
  @inlinable
  internal func end(_ completion: Subscribers.Completion<Never>) {}
}
