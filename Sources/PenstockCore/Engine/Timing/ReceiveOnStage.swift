// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The stage of `receive(on:)`.
@usableFromInline
package struct ReceiveOnStage<Output, Failure: Error, Context: Scheduler>: ScheduledStage {
  @usableFromInline internal let scheduler: Context
  @usableFromInline internal let options: Context.SchedulerOptions?

  @inlinable
  package init(_ scheduler: Context, _ options: Context.SchedulerOptions?) {
    self.scheduler = scheduler
    self.options = options
  }

  @inlinable
  package static var name: String { "ReceiveOn" }

  @inlinable
  package static var takesRuns: Bool { Context.self is any RunScheduler.Type }

  /// Many enough that a block costs a value little, and few enough that other work of the queue waits briefly.
  @inlinable
  package var turnsOfBlock: Int { (scheduler as? any RunScheduler)?.takesRuns ?? false ? 64 : 1 }

  @inlinable
  package func receiveRun(_ next: () -> Output?, in shape: Shape) {
    let most = turnsOfBlock
    while shape.schedule(upTo: most, next) {}
  }

  @inlinable
  package func schedule(_ block: @escaping () -> Void) {
    scheduler.schedule(options: options, block)
  }
}

/// The stage of `receive(on:)` on an ``ImmediateScheduler``.
@usableFromInline
internal struct ReceiveAtOnce<Input>: RequestingStage, Sendable {
  @inlinable
  internal init() {}

  @inlinable
  internal static var name: String { "ReceiveOn" }

  @inlinable
  internal func begin() {}

  @inlinable
  internal func receive(_ input: Input) -> Input { input }
}
