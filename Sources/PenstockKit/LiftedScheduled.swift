// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

/// A stage that delivers on a scheduler as the engine knows it.
@usableFromInline
internal struct LiftedScheduled<Work: ScheduledStage>: PenstockCore.ScheduledStage, ~Copyable {
  @usableFromInline internal typealias Input = Work.Input
  @usableFromInline internal typealias Output = Work.Output
  @usableFromInline internal typealias Failure = Work.Failure
  @usableFromInline internal typealias Time = Work.Context.SchedulerTimeType

  @usableFromInline internal let work: Work
  /// When the latest output is due; `nil` while none has had to wait.
  ///
  /// Guarded: upstream's deliveries are serial, but a closure that the stage calls may send upstream another value.
  @usableFromInline internal let latest = Guarded<Time?>(nil)

  @inlinable
  internal init(_ work: Work) { self.work = work }

  @inlinable
  internal static var name: String { Work.name }

  @inlinable
  internal static var keepsForLong: Bool { true }

  @inlinable
  internal static var releasesDownstream: Bool { true }

  @inlinable
  internal func schedule(_ block: @escaping () -> Void) { work.scheduler.schedule(block) }

  @inlinable
  internal func receive(_ input: Input, in shape: Shape) -> Subscribers.Demand {
    switch work.receive(input) {
    case .emit(let output):
      if shape.append(output) { scheduleTurn(in: shape) }
      return .none
    case .emitAfter(let delay, let output):
      if shape.append(output) { scheduleTurn(after: delay, in: shape) }
      return .none
    case .skip:
      return .max(1)
    case .absorb:
      return .none
    }
  }

  @inlinable
  internal func receive(completion: Subscribers.Completion<Failure>, in shape: Shape) {
    if shape.append(completion: completion) { scheduleTurn(in: shape) }
  }

  /// Schedules a turn that is due at the same time as the previous one.
  @inlinable
  internal func scheduleTurn(in shape: Shape) {
    if latest.withLock({ $0 == nil }) { return shape.scheduleTurn() }
    scheduleTurn(after: .zero, in: shape)
  }

  /// Schedules a turn that is due after a time, and not before the one that precedes it: each turn delivers the first
  /// event that waits at that time.
  @inlinable
  internal func scheduleTurn(after delay: Time.Stride, in shape: Shape) {
    let scheduler = work.scheduler
    let now = scheduler.now
    let wanted = now.advanced(by: delay)
    let due = latest.withLock { latest in
      let due = latest.map { Swift.max($0, wanted) } ?? wanted
      latest = due
      return due
    }
    if due <= now { shape.scheduleTurn() } else { scheduler.schedule(after: due) { shape.takeTurn() } }
  }
}
