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

  @_alwaysEmitIntoClient
  package static var name: String { "ReceiveOn" }

  @_alwaysEmitIntoClient
  package static var takesRuns: Bool { Context.self is any RunScheduler.Type }

  /// Many enough that a block costs a value little, and few enough that other work of the queue waits briefly.
  @_alwaysEmitIntoClient
  package var turnsOfBlock: Int { (scheduler as? any RunScheduler)?.takesRuns ?? false ? 64 : 1 }

  @_alwaysEmitIntoClient
  package func receiveRun(_ next: () -> Output?, in shape: Shape) {
    let most = turnsOfBlock
    while shape.schedule(upTo: most, next) {}
  }

  @_alwaysEmitIntoClient
  package func schedule(_ block: @escaping () -> Void) {
    scheduler.schedule(options: options, block)
  }
}

/// The stage of `receive(on:)` on an ``ImmediateScheduler``.
@usableFromInline
internal struct ReceiveAtOnce<Input>: RequestingStage, Sendable {
  @_alwaysEmitIntoClient
  internal init() {}

  @_alwaysEmitIntoClient
  internal static var name: String { "ReceiveOn" }

  @_alwaysEmitIntoClient
  internal func begin() {}

  @_alwaysEmitIntoClient
  internal func receive(_ input: Input) -> Input { input }
}
