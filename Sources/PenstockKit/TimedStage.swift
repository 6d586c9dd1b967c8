// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

/// The stage of an operator that acts on values, and when a time has come: a time-out, or the delivery of collected
/// values when nothing more comes.
///
/// A stage says by its ``deadline`` when it wants to be called next. The deadline is read when the stream begins, and
/// after each call of the stage: so a value may set it, set it again, or set it to `nil`, which stops it.
///
/// ```swift
/// final class IdleFlushStage<Input, Failure: Error, Context: Scheduler>: TimedStage {
///   let scheduler: Context
///   let pause: Context.SchedulerTimeType.Stride
///   var deadline: Context.SchedulerTimeType?
///   var values: [Input] = []
///
///   init(_ pause: Context.SchedulerTimeType.Stride, _ scheduler: Context) { (self.pause, self.scheduler) = (pause, scheduler) }
///
///   static var demand: SteeredDemand { .whileUnmet }
///
///   func receive(_ input: Input) -> Verdict<[Input], Failure> {
///     values.append(input)
///     deadline = scheduler.now.advanced(by: pause)
///     return .absorb
///   }
///
///   func receive(deadline: Context.SchedulerTimeType) -> Verdict<[Input], Failure> {
///     self.deadline = nil
///     return takeRest().map { .emit($0) } ?? .absorb
///   }
///
///   func takeRest() -> [Input]? {
///     defer { values = [] }
///     return values.isEmpty ? nil : values
///   }
/// }
///
/// let scheduler = VirtualTimeScheduler()
/// let keys = PassthroughSubject<String, Never>()
/// let cancellable = keys.scheduled { IdleFlushStage(.seconds(1), scheduler) }.sink { print($0, scheduler.now) }
/// for key in ["a", "b"] {
///   keys.send(key)
///   scheduler.advance(by: .milliseconds(600))
/// }
/// scheduler.advance(by: .seconds(5))
/// keys.send("c")
/// keys.send(completion: .finished)
/// scheduler.advance()
/// // Prints "["a", "b"] 1.6s", "["c"] 6.2s" on two lines.
/// ```
///
/// A deadline comes once: if it is left as it is, it has no further effect. A deadline in the past comes as soon as the
/// scheduler gets to it. If a value comes first, and sets a later deadline, the earlier one has no effect, however late
/// the scheduler is.
///
/// **Concurrency:** no method of a stage is called while another one runs, even if that one calls a closure of the user
/// that sends: anything that arrives meanwhile waits. So the stage needs no lock. Values come on the thread that
/// delivers them, deadlines on the scheduler, or on the thread that is just delivering a value. Outputs are delivered
/// by the scheduler, one at a time.
public protocol TimedStage<Input, Output, Failure> {
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

  /// How downstream's demand reaches upstream; by default it is forwarded: then an output for a deadline takes the
  /// place of a value that has been absorbed.
  static var demand: SteeredDemand { get }

  /// The scheduler that waits and delivers.
  var scheduler: Context { get }

  /// When ``receive(deadline:)`` is to be called; `nil` for never.
  ///
  /// Change it only while a method of the stage runs: any other change is not seen before the next call.
  var deadline: Context.SchedulerTimeType? { get }

  /// Decides what to do with one value.
  mutating func receive(_ input: Input) -> Verdict<Output, Failure>

  /// Decides what to do when a time has come.
  ///
  /// - Parameter deadline: The time, which was the stage's ``deadline``.
  mutating func receive(deadline: Context.SchedulerTimeType) -> Verdict<Output, Failure>

  /// Returns the output that precedes `.finished`; by default there is none.
  ///
  /// It works as for a steered stage: see ``SteeredStage/takeRest()``.
  mutating func takeRest() -> Output?

  /// A closure that joins an output to one that waits for demand, for ``SteeredDemand/whileUnmet``; by default it appends to
  /// collections, and is `nil` for other outputs.
  static var joining: ((_ waiting: inout Output, _ output: Output) -> Void)? { get }
}

extension TimedStage {
  /// The name of the type, without `Stage`.
  public static var name: String { nameOfOperator(Self.self) }

  /// Forwarded.
  @inlinable
  public static var demand: SteeredDemand { .forwarded }

  /// `nil`.
  @inlinable
  public func takeRest() -> Output? { nil }

  /// `nil`.
  @inlinable
  public static var joining: ((_ waiting: inout Output, _ output: Output) -> Void)? { nil }
}

extension TimedStage where Output: RangeReplaceableCollection {
  /// Appends the elements.
  @inlinable
  public static var joining: ((_ waiting: inout Output, _ output: Output) -> Void)? { { $0.append(contentsOf: $1) } }
}

extension Publisher {
  /// Republishes the outputs of a stage that acts on values, and when a time has come, on its scheduler.
  ///
  /// ```swift
  /// struct Silence: Error {}
  ///
  /// struct AliveStage<Input, Context: Scheduler>: TimedStage {
  ///   let scheduler: Context
  ///   var deadline: Context.SchedulerTimeType?
  ///
  ///   mutating func receive(_ input: Input) -> Verdict<Input, any Error> {
  ///     deadline = scheduler.now.advanced(by: .seconds(5))
  ///     return .emit(input)
  ///   }
  ///
  ///   func receive(deadline: Context.SchedulerTimeType) -> Verdict<Input, any Error> { .fail(Silence()) }
  /// }
  ///
  /// let scheduler = VirtualTimeScheduler()
  /// let beats = PassthroughSubject<Int, any Error>()
  /// let cancellable = beats
  ///   .scheduled { AliveStage(scheduler: scheduler, deadline: scheduler.now.advanced(by: .seconds(5))) }
  ///   .sink(receiveCompletion: { print($0, scheduler.now) }, receiveValue: { print($0) })
  /// scheduler.advance(by: .seconds(4))
  /// beats.send(1)
  /// scheduler.advance(by: .seconds(60))
  /// // Prints "1", "failure(Silence()) 9s" on two lines.
  /// ```
  ///
  /// **Demand:** as the stage's ``TimedStage/demand`` says. At most as many values as have been requested wait for the
  /// scheduler.
  ///
  /// **Completion:** delivered on the scheduler, after the outputs and the stage's ``TimedStage/takeRest()``. The end
  /// of the stream and a cancel stop the deadline: nothing is left on the scheduler.
  ///
  /// **Failure:** as for a completion, without what is left in the stage.
  ///
  /// **Concurrency:** the stage runs on the thread that delivers a value, or on the scheduler when a time has come; downstream
  /// receives on the scheduler, one value or completion at a time.
  ///
  /// **Traps:** a stage whose demand is ``SteeredDemand/whileUnmet`` and whose ``TimedStage/joining`` is `nil`.
  ///
  /// - Parameter makeStage: A closure that makes the stage of one subscription.
  /// - Returns: A publisher of the stage's outputs.
  @inlinable
  public consuming func scheduled<Work: TimedStage>(
    _ makeStage: @escaping () -> Work
  ) -> Publishers.Lifted<Work.Output, Failure> where Work.Input == Output, Work.Failure == Failure {
    Work.demand.check(of: Work.self, joins: Work.joining != nil)
    return Publishers.Lifted(TimedPublisher(upstream: self, makeStage: makeStage))
  }
}
