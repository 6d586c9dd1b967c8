// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore
public import Synchronization

/// The subscriber behind the isolated sinks: a job on an actor performs what upstream delivers.
///
/// `@unchecked`: the state is behind locks; the closures run only in the job.
@usableFromInline
package final class IsolatedSink<Input, Failure: Error>: Subscriber, Cancellable, @unchecked Sendable {
  @usableFromInline
  package enum Signal {
    case value(Input)
    case completion(Subscribers.Completion<Failure>)
  }

  @exclusivity(unchecked) @usableFromInline internal var enrolment = Enrolment()
  @usableFromInline internal let queue = JobQueue<Signal>()
  /// Starts a job; `nil` after the end, so that what the closures capture is released.
  @usableFromInline internal let start: Guarded<(@Sendable (IsolatedSink) -> Void)?>
  @usableFromInline internal let slot = SubscriptionSlot()
  @usableFromInline internal let isOver = AtomicCell(false)
  @usableFromInline internal let limit: Subscribers.Demand

  /// - Parameters:
  ///   - limit: How many values are requested at first, and so the maximum number that wait.
  ///   - start: Starts a job that calls ``performTurn(_:value:completion:)`` until that returns `false`.
  @usableFromInline
  package init(limit: Int?, _ start: @escaping @Sendable (IsolatedSink) -> Void) {
    if let limit, limit < 1 { trap(.countBelowOne(operator: "sink(on:limit:)")) }
    self.limit = limit.map { .max($0) } ?? .unlimited
    self.start = Guarded(start)
    enrolment.begin(self)
  }

  deinit { enrolment.end() }

  // MARK: Signals from upstream

  @usableFromInline
  package func receive(subscription: any Subscription) {
    if slot.attach(subscription) { slot.request(limit) }
  }

  @inlinable
  package func receive(_ input: Input) -> Subscribers.Demand {
    append(.value(input))
    return .none
  }

  @inlinable
  package func receive(completion: Subscribers.Completion<Failure>) {
    if slot.finish() { append(.completion(completion)) }
  }

  @usableFromInline
  package func cancel() {
    isOver.store(true, ordering: .releasing)
    slot.cancel(early: true)
    end()
  }

  @inlinable
  internal func append(_ signal: Signal) {
    if queue.append(signal) { startJob() }
  }

  @usableFromInline
  internal func startJob() {
    let start = start.withLock { $0 }
    start?(self)
  }

  @usableFromInline
  internal func end() {
    queue.end()
    let start = start.withLock { $0.take() }
    withExtendedLifetime(start) {}
  }

  // MARK: The job

  /// Performs the waiting signals on the job's actor; the job then lets other work have the actor, and comes again.
  ///
  /// - Parameter batch: The signals that the job has taken from the queue; empty at first.
  /// - Returns: Whether the job has to come again.
  @inlinable @inline(never)
  package func performTurn(
    _ batch: inout JobQueue<Signal>.Batch, value: (Input) -> Void, completion: (Subscribers.Completion<Failure>) -> Void
  ) -> Bool {
    var count = 0
    let comesAgain = queue.performTurn(&batch) { signal in
      if isOver.load(ordering: .acquiring) { return }
      count += 1
      switch signal {
      case .value(let input): value(input)
      case .completion(let end):
        isOver.store(true, ordering: .releasing)
        completion(end)
        self.end()
      }
    }
    if count > 0, limit != .unlimited, !isOver.load(ordering: .acquiring) { slot.request(.max(count)) }
    return comesAgain
  }
}

extension IsolatedSink: InspectableEnd {
  package var linkNumber: UInt64 { enrolment.number }

  package func show(in link: inout LinkState) {
    link.take(end: "Sink", slot)
    link.capacity = limit.max
    link.waiting = queue.count
    link.isAsking = nil
    if link.waiting ?? 0 > 0 { link.wait = .scheduler }
  }
}
