// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The stage of `debounce`: a timer that every value restarts.
@usableFromInline
package struct DebounceStage<Output, Failure: Error, Context: Scheduler>: ScheduledStage, ~Copyable {
  @usableFromInline internal let timer: RestartableTimer<Output, Context>
  /// The time for each value, where it is not the same for all.
  @usableFromInline internal let dueTime: ((Output) -> Context.SchedulerTimeType.Stride)?

  @inlinable
  internal init(_ time: Context.SchedulerTimeType.Stride, _ scheduler: Context, options: Context.SchedulerOptions?) {
    timer = RestartableTimer(time, scheduler, options: options)
    dueTime = nil
  }

  /// Each value waits for a time of its own.
  @inlinable
  package init(
    dueTimeOf dueTime: @escaping (Output) -> Context.SchedulerTimeType.Stride, _ scheduler: Context,
    options: Context.SchedulerOptions?
  ) {
    timer = RestartableTimer(scheduler, options: options)
    self.dueTime = dueTime
  }

  @_alwaysEmitIntoClient
  package static var name: String { "Debounce" }

  @_alwaysEmitIntoClient
  package static var countsDemand: Bool { true }

  @_alwaysEmitIntoClient
  package func receive(_ input: Output, in shape: Shape) -> Subscribers.Demand {
    // Unretained until an alarm has to be scheduled, which a value seldom needs.
    let unretained = Unmanaged.passUnretained(shape)
    let time = dueTime == nil ? nil : time(of: input)
    let replaced = timer.set(input, for: time) { number in
      let shape = unretained.takeUnretainedValue()
      return { shape.stage.fire(number, in: shape) }
    }
    if let replaced { shape.noteDiscard(replaced, .replaced) }
    return .none
  }

  /// Returns the time after which a value with a time of its own is due.
  @inlinable
  internal func time(of input: Output) -> Context.SchedulerTimeType.Stride? {
    guard let time = dueTime?(input) else { return nil }
    require(time >= 0, of: "debounce(for:)", rule: "a time of 0 or more", given: time)
    return time
  }

  /// Delivers a value that no other value has followed in time.
  ///
  /// Called by the timer.
  @inlinable
  internal func fire(_ number: UInt, in shape: Shape) {
    var refused: Output?
    let isAppended = timer.fire(number, block: { number in { shape.stage.fire(number, in: shape) } }) {
      if shape.demand.takeOne(), shape.append($0) { return true }
      refused = $0
      return false
    }
    if isAppended { shape.takeTurn() }
    if let refused { shape.noteDiscard(refused, shape.isClosed ? .ended : .withoutDemand) }
  }

  @_alwaysEmitIntoClient
  package func cancelTimers(in shape: Shape) {
    if let waiting = timer.cancel() { shape.noteDiscard(waiting, .ended) }
  }

  @_alwaysEmitIntoClient
  package func schedule(_ block: @escaping () -> Void) {
    timer.scheduler.schedule(block)
  }

  @usableFromInline
  package func show(in link: inout LinkState) { timer.show(in: &link) }

  @_alwaysEmitIntoClient
  package func mirrorChildren(in shape: Shape) -> [(label: String?, value: Any)] {
    [
      ("downstream", shape.underlying as Any), ("downstreamDemand", shape.demand.balance),
      ("currentValue", timer.payload as Any),
    ]
  }
}
