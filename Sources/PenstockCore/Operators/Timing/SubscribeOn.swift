// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Subscribes to the upstream publisher, requests values and cancels on a scheduler.
  ///
  /// ![Upstream is subscribed to, and asked for values, on the queue, when it gets to its work.](subscribe-on)
  ///
  /// Work that upstream does when it is subscribed to, such as reading a file, runs there. Values arrive on the thread
  /// on which upstream delivers them.
  ///
  /// ```swift
  /// import PenstockTesting
  ///
  /// let scheduler = VirtualTimeScheduler()
  /// let cancellable = Just("read").subscribe(on: scheduler).sink { print($0) }
  /// print("subscribed")
  /// scheduler.advance()
  /// // Prints "subscribed", "read" on two lines.
  /// ```
  ///
  /// **Demand:** each request is one scheduled action, `.none` included. Demand that a delivery returns is passed on at
  /// once.
  ///
  /// **Completion:** forwarded.
  ///
  /// **Failure:** forwarded.
  ///
  /// **Concurrency:** adds no lock to the path of a value. A cancel takes effect at once, and reaches upstream on the
  /// scheduler. A ``Subscribers/Sink`` that is cancelled before the subscription is made remembers the cancel.
  ///
  /// Use ``receive(on:options:)`` for the thread that values arrive on: most pipelines need that operator.
  ///
  /// - Parameters:
  ///   - scheduler: The scheduler to subscribe, request and cancel on.
  ///   - options: The scheduler options for each scheduled action.
  /// - Returns: A publisher of the same values.
  @_alwaysEmitIntoClient
  public func subscribe<S: Scheduler>(
    on scheduler: S, options: S.SchedulerOptions? = nil
  ) -> Publishers.SubscribeOn<Self, S> {
    Publishers.SubscribeOn(upstream: self, scheduler: scheduler, options: options)
  }
}

extension Publishers {
  /// A publisher that subscribes to upstream on a scheduler; see ``Publisher/subscribe(on:options:)``.
  public struct SubscribeOn<Upstream: Publisher, Context: Scheduler>: Publisher, _DerivedTypes {
    public typealias _Origin = Upstream

    /// The publisher that is subscribed to on the scheduler.
    public let upstream: Upstream

    /// The scheduler to subscribe, request and cancel on.
    public let scheduler: Context

    /// The scheduler options for each scheduled action.
    public let options: Context.SchedulerOptions?

    /// Creates a publisher that subscribes to upstream on a scheduler.
    @_alwaysEmitIntoClient
    public init(upstream: Upstream, scheduler: Context, options: Context.SchedulerOptions?) {
      self.upstream = upstream
      self.scheduler = scheduler
      self.options = options
    }

    @_alwaysEmitIntoClient @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Failure == S.Failure, Self.Output == S.Input {
      schedule(subscriber)
    }

    /// Not forced inline: with the closure inlined into `receive(subscriber:)` the compiler crashes in release builds.
    @inlinable
    internal func schedule<S: Subscriber>(_ subscriber: S) where Failure == S.Failure, Self.Output == S.Input {
      let (scheduler, options) = (scheduler, options)
      let link = SubscribeOnSubscriber(subscriber) { scheduler.schedule(options: options, $0) }
      scheduler.schedule(options: options) { [upstream] in upstream.subscribe(link) }
    }
  }
}

/// The operator `subscribe(on:)`.
@usableFromInline
internal final class SubscribeOnSubscriber<Input, Failure: Error>: SubscribeOnSubscription, Subscriber {
  @inlinable @inline(never)
  internal convenience init<Downstream: Subscriber>(
    _ downstream: __owned Downstream, schedule: @escaping (@escaping () -> Void) -> Void
  ) where Downstream.Input == Input, Downstream.Failure == Failure {
    self.init(name: "SubscribeOn", schedule: schedule, downstream: SubscriberCalls(for: downstream))
    embed(downstream)
  }

  /// Upstream is subscribed to later.
  @_alwaysEmitIntoClient @inline(__always)
  internal static var _place: _SubscriberPlace { .first }

  @_alwaysEmitIntoClient
  internal func receive(subscription: any Subscription) {
    guard slot.attach(subscription) else { return }
    introduction.begin()
    deliver(subscription: self)
    if let demand = introduction.end() { slot.request(demand) }
  }

  @_alwaysEmitIntoClient
  internal func receive(_ input: Input) -> Subscribers.Demand {
    slot.phase == .active ? deliver(value: input) : .none
  }

  @_alwaysEmitIntoClient
  internal func receive(completion: Subscribers.Completion<Failure>) {
    if slot.finish() { deliver(ending: completion) }
  }
}

extension Publishers.SubscribeOn: Sendable
where Upstream: Sendable, Context: Sendable, Context.SchedulerOptions: Sendable {}
