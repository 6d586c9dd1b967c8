// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The operations of a scheduler without its type: closures that are made where the type is concrete.
///
/// `@unchecked`, because the closures use nothing but the scheduler, which is Sendable, or for which the user is
/// responsible. If they were declared `@Sendable`, they would require more: that the conformances of its time belong to
/// no actor.
@usableFromInline
internal struct SchedulerCalls<Time: Strideable, Options>: @unchecked Sendable
where Time.Stride: SchedulerTimeIntervalConvertible {
  @usableFromInline internal typealias Action = () -> Void

  @usableFromInline internal let now: () -> Time
  @usableFromInline internal let minimumTolerance: () -> Time.Stride
  @usableFromInline internal let run: (Options?, @escaping Action) -> Void
  @usableFromInline internal let runLater: (Time, Time.Stride, Options?, @escaping Action) -> Void
  @usableFromInline internal let runRepeatedly:
    (Time, Time.Stride, Time.Stride, Options?, @escaping Action) -> any Cancellable

  @inlinable
  internal init<S: Scheduler>(_ scheduler: S)
  where S.SchedulerTimeType == Time, S.SchedulerOptions == Options {
    now = { scheduler.now }
    minimumTolerance = { scheduler.minimumTolerance }
    run = { scheduler.schedule(options: $0, $1) }
    runLater = { scheduler.schedule(after: $0, tolerance: $1, options: $2, $3) }
    runRepeatedly = { scheduler.schedule(after: $0, interval: $1, tolerance: $2, options: $3, $4) }
  }
}
