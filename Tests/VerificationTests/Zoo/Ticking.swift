// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore
import PenstockTesting

enum TickFault: Sendable { case ignoresDemand, ignoresCancel }

/// Delivers each value a second later, if it is asked for by then; with or without a fault.
struct Ticking<Upstream: Publisher>: Publisher {
  typealias Output = Upstream.Output
  typealias Failure = Upstream.Failure

  let upstream: Upstream
  let clock: VirtualTimeScheduler<VirtualTime, Never>
  let fault: TickFault?

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    upstream.subscribe(TickingLink(AnySubscriber(subscriber), clock, fault))
  }
}

/// For one thread, since the rules that its tests check need no second one.
private final class TickingLink<Input, Failure: Error>: Subscriber, Subscription {
  private var downstream: AnySubscriber<Input, Failure>?
  private let clock: VirtualTimeScheduler<VirtualTime, Never>
  private let fault: TickFault?
  private var upstream: (any Subscription)?
  private var demand = Subscribers.Demand.none
  private let rogue: AnySubscriber<Input, Failure>

  init(
    _ downstream: AnySubscriber<Input, Failure>, _ clock: VirtualTimeScheduler<VirtualTime, Never>, _ fault: TickFault?
  ) {
    (self.downstream, self.clock, self.fault) = (downstream, clock, fault)
    rogue = fault == .ignoresCancel ? downstream : AnySubscriber()
  }

  func receive(subscription: any Subscription) {
    guard upstream == nil, downstream != nil else { return subscription.cancel() }
    upstream = subscription
    downstream?.receive(subscription: self)
    subscription.request(.unlimited)
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    clock.schedule(after: clock.now.advanced(by: 1)) { [self] in
      guard demand > .none || fault == .ignoresDemand else { return }
      if demand > .none { demand -= 1 }
      let target = fault == .ignoresCancel ? rogue : downstream
      demand += target?.receive(input) ?? .none
    }
    return .none
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    clock.schedule(after: clock.now.advanced(by: 1)) { [self] in
      defer { downstream = nil }
      downstream?.receive(completion: completion)
    }
  }

  func request(_ demand: Subscribers.Demand) { self.demand += demand }

  func cancel() {
    downstream = nil
    upstream?.cancel()
    upstream = nil
  }
}

/// Virtual time, with actions of one date in the order in which they were scheduled, or in the opposite one.
final class TurningScheduler: Scheduler {
  typealias SchedulerTimeType = VirtualTime
  typealias SchedulerOptions = Never

  let base = VirtualTimeScheduler()
  private let isReversed: Bool
  private var count = 0

  init(_ isReversed: Bool) { self.isReversed = isReversed }

  var now: VirtualTime { base.now }
  var minimumTolerance: VirtualTime.Stride { base.minimumTolerance }

  func schedule(options: Never?, _ action: @escaping () -> Void) { base.schedule(options: options, action) }

  func schedule(
    after date: VirtualTime, tolerance: VirtualTime.Stride, options: Never?, _ action: @escaping () -> Void
  ) {
    count += 1
    let due = isReversed ? date.advanced(by: .nanoseconds(-count)) : date
    base.schedule(after: due, tolerance: tolerance, options: options, action)
  }

  func schedule(
    after date: VirtualTime, interval: VirtualTime.Stride, tolerance: VirtualTime.Stride, options: Never?,
    _ action: @escaping () -> Void
  ) -> any Cancellable {
    base.schedule(after: date, interval: interval, tolerance: tolerance, options: options, action)
  }
}
