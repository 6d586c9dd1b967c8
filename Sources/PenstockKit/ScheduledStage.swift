// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

/// The decision of a stage that delivers on a scheduler about one value; see ``ScheduledStage``.
@frozen
public enum ScheduledVerdict<Output, Stride> {
  /// Delivers this value as soon as the scheduler runs it.
  case emit(Output)
  /// Delivers this value after a time on the scheduler, and not before a value that has come earlier.
  case emitAfter(Stride, Output)
  /// Delivers nothing, and requests one more value in its place.
  case skip
  /// Delivers nothing, and requests nothing in its place.
  case absorb
}

extension ScheduledVerdict: Sendable where Output: Sendable, Stride: Sendable {}

/// The stage of an operator that delivers its outputs on a scheduler, at once or after a time.
///
/// Outputs keep the order of their values, whatever the scheduler: an output with a shorter delay than the previous one
/// is delivered after that one. The completion comes last.
///
/// ```swift
/// struct LaterIfLongStage<Failure: Error, Context: Scheduler>: ScheduledStage {
///   let scheduler: Context
///
///   func receive(_ input: String) -> ScheduledVerdict<String, Context.SchedulerTimeType.Stride> {
///     input.count > 3 ? .emitAfter(.seconds(1), input) : .emit(input)
///   }
/// }
///
/// let scheduler = VirtualTimeScheduler()
/// let words = ["a", "long", "b"].publisher.scheduled { LaterIfLongStage(scheduler: scheduler) }
/// let cancellable = words.sink { print($0) }
/// scheduler.advance()
/// print("a second later")
/// scheduler.advance(by: .seconds(1))
/// // Prints "a", "a second later", "long", "b" on four lines.
/// ```
///
/// **Concurrency:** the stage's state belongs to upstream's delivery, as for a ``ManagedStage``; outputs are delivered by the
/// scheduler, one at a time.
public protocol ScheduledStage<Input, Output, Failure> {
  /// The type of upstream's values.
  associatedtype Input
  /// The type of the outputs.
  associatedtype Output
  /// The type of the failures.
  associatedtype Failure: Error
  /// The type of the scheduler.
  associatedtype Context: Scheduler

  /// The text that `print()` shows for the operator; by default the name of the type, without `Stage`.
  static var name: String { get }

  /// The scheduler to deliver on.
  var scheduler: Context { get }

  /// Decides what to do with one value, and when.
  func receive(_ input: Input) -> ScheduledVerdict<Output, Context.SchedulerTimeType.Stride>
}

extension ScheduledStage {
  /// The name of the type, without `Stage`.
  public static var name: String { nameOfOperator(Self.self) }
}

extension Publisher {
  /// Republishes the outputs of a stage on its scheduler.
  ///
  /// ```swift
  /// struct OnStage<Input, Failure: Error, Context: Scheduler>: ScheduledStage {
  ///   let scheduler: Context
  ///
  ///   func receive(_ input: Input) -> ScheduledVerdict<Input, Context.SchedulerTimeType.Stride> { .emit(input) }
  /// }
  ///
  /// let scheduler = VirtualTimeScheduler()
  /// let cancellable = [1, 2].publisher.scheduled { OnStage(scheduler: scheduler) }.sink { print($0) }
  /// scheduler.advance()
  /// // Prints "1", "2" on two lines.
  /// ```
  ///
  /// **Demand:** passed to upstream unchanged, plus one for each value that the stage skips. At most as many values as
  /// have been requested wait for the scheduler.
  ///
  /// **Completion:** delivered on the scheduler, after all outputs.
  ///
  /// **Failure:** as for a completion.
  ///
  /// **Concurrency:** the stage runs on the thread that delivers the value; downstream receives on the scheduler, one value or
  /// completion at a time.
  ///
  /// - Parameter makeStage: A closure that makes the stage of one subscription.
  /// - Returns: A publisher of the stage's outputs.
  @inlinable
  public consuming func scheduled<Work: ScheduledStage>(
    _ makeStage: @escaping () -> Work
  ) -> Publishers.Lifted<Work.Output, Failure> where Work.Input == Output, Work.Failure == Failure {
    lift { LiftedScheduled(makeStage()) }
  }
}
