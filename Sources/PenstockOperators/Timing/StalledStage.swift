// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

/// The stage of `stalled`: a timer that runs while upstream owes values.
///
/// The shape's ledger counts what upstream owes. A request and a value may come at the same time, on two threads. A
/// request adds to the ledger, then sets the timer, and only then asks upstream; a value that leaves no demand stops
/// the timer, and then checks the ledger once more. So the timer is never left stopped while values are owed. A timer
/// that runs in vain finds that nothing is owed when it goes off.
@usableFromInline
internal struct StalledStage<Output, Failure: Error, Context: Scheduler>: ScheduledStage, ~Copyable {
  @usableFromInline internal let timer: RestartableTimer<Void, Context>
  @usableFromInline internal let customError: (() -> Failure)?

  @inlinable
  internal init(_ timer: consuming RestartableTimer<Void, Context>, customError: (() -> Failure)?) {
    self.timer = timer
    self.customError = customError
  }

  @inlinable
  internal static var name: String { "Stalled" }

  @inlinable
  internal func request(_ demand: Subscribers.Demand, in shape: Shape) {
    note(demand, in: shape)
    shape.requestUpstream(demand)
  }

  @inlinable
  internal func upstreamDemand(for returned: Subscribers.Demand, in shape: Shape) -> Subscribers.Demand {
    note(returned, in: shape)
    return returned
  }

  /// Counts demand that upstream is about to get.
  @inlinable
  internal func note(_ demand: Subscribers.Demand, in shape: Shape) {
    if demand != .none, shape.demand.add(demand) == Subscribers.Demand.none { setTimer(in: shape) }
  }

  @inlinable
  internal func receive(_ input: Output, in shape: Shape) -> Subscribers.Demand {
    _ = shape.demand.takeOne()
    if shape.demand.balance == .none { timer.stop() }
    if shape.demand.balance != .none { setTimer(in: shape) }
    shape.schedule(input)
    return .none
  }

  @inlinable
  internal func setTimer(in shape: Shape) {
    timer.set(()) { number in { shape.stage.fire(number, in: shape) } }
  }

  /// Ends the stream, because nothing has arrived in time.
  ///
  /// Called by the timer.
  @inlinable
  internal func fire(_ number: UInt, in shape: Shape) {
    let isDue = timer.fire(number, block: { number in { shape.stage.fire(number, in: shape) } }) {
      shape.demand.balance != .none
    }
    guard isDue, shape.cancelUpstream() else { return }
    timer.cancel()
    let completion = customError.map { Subscribers.Completion.failure($0()) } ?? .finished
    // After the values that have arrived: it is the scheduler that is late with those, not upstream.
    if shape.append(completion: completion) { shape.takeTurn() }
  }

  @inlinable
  internal func cancelTimers(in shape: Shape) {
    timer.cancel()
  }

  @inlinable
  internal func schedule(_ block: @escaping () -> Void) {
    timer.scheduler.schedule(options: timer.options, block)
  }
}
