// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

/// How downstream's demand reaches upstream if outputs don't only come from values: the main upstream of a
/// ``SteeredStage``, or that of a ``TimedStage``.
@frozen
public enum SteeredDemand: Sendable {
  /// It is forwarded: each output takes the place of one value of the main upstream.
  case forwarded
  /// Unlimited values are requested, and outputs are counted. An output without demand is dropped.
  case countedDropping
  /// Unlimited values are requested, and outputs are counted. The latest output without demand waits for the next
  /// request, and a completion waits for that output.
  case countedKeeping
  /// One value is requested at a time while downstream's demand is not met; unlimited values once that is unlimited.
  /// Outputs are counted. An output without demand waits, and further ones are joined to it, as the stage's `joining`
  /// says. `.finished` waits for that output; a failure does not. So upstream is held back, and no value is lost.
  case whileUnmet
}

/// The stage of an operator with a main upstream and a second publisher that sends it *signals*.
///
/// ```swift
/// struct LatestAtSignalStage<Input, Failure: Error>: SteeredStage {
///   var latest: Input?
///
///   static var demand: SteeredDemand { .countedKeeping }
///
///   mutating func receive(_ input: Input) -> Verdict<Input, Failure> {
///     latest = input
///     return .absorb
///   }
///
///   mutating func receive(signal: Void) -> Verdict<Input, Failure> { latest.map { .emit($0) } ?? .absorb }
/// }
///
/// let (position, tick) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Void, Never>())
/// let cancellable = position.steered(by: tick, LatestAtSignalStage()).sink { print($0) }
/// position.send(1)
/// position.send(2)
/// tick.send()
/// tick.send()
/// // Prints "2", "2" on two lines.
/// ```
///
/// When the stream finishes, the stage returns what is left, by ``takeRest()``. A counter of the values between two
/// ticks would otherwise lose those after the last one:
///
/// ```swift
/// struct CountStage<Input, Failure: Error>: SteeredStage {
///   var count = 0
///
///   static var demand: SteeredDemand { .countedKeeping }
///
///   mutating func receive(_ input: Input) -> Verdict<Int, Failure> {
///     count += 1
///     return .absorb
///   }
///
///   mutating func receive(signal: Void) -> Verdict<Int, Failure> {
///     defer { count = 0 }
///     return .emit(count)
///   }
///
///   mutating func takeRest() -> Int? { count > 0 ? count : nil }
/// }
///
/// let (clicks, tick) = (PassthroughSubject<Void, Never>(), PassthroughSubject<Void, Never>())
/// let cancellable = clicks.steered(by: tick, CountStage()).sink { print($0) }
/// clicks.send()
/// clicks.send()
/// tick.send()
/// clicks.send()
/// clicks.send(completion: .finished)
/// // Prints "2", "1" on two lines.
/// ```
///
/// **Concurrency:** a stage is a structure, and each subscription gets a copy. Both publishers may deliver on any
/// thread; no method is called while another one runs, even if that one calls a closure of the user that sends. So the
/// stage needs no lock.
public protocol SteeredStage<Input, Output, Failure, Signal> {
  /// The type of the main upstream's values.
  associatedtype Input
  /// The type of the outputs.
  associatedtype Output
  /// The type of the failures that the main upstream sends and downstream receives.
  associatedtype Failure: Error
  /// The type of the signals.
  associatedtype Signal
  /// The type of the failures of the signals; by default that of the stream.
  associatedtype SignalFailure: Error = Failure

  /// The text that `print()` shows for the operator; by default the name of the type, without `Stage`.
  static var name: String { get }

  /// How downstream's demand reaches the main upstream; by default it is forwarded.
  static var demand: SteeredDemand { get }

  /// Decides what to do with a value of the main upstream.
  mutating func receive(_ input: Input) -> Verdict<Output, Failure>

  /// Decides what to do with a signal.
  mutating func receive(signal: Signal) -> Verdict<Output, Failure>

  /// Decides what to do when the signals have ended; by default the stream continues without signals, and fails if they
  /// have failed.
  ///
  /// A stage whose signals have failures of another type has to say what such a failure means.
  mutating func receive(signalCompletion: Subscribers.Completion<SignalFailure>) -> Verdict<Output, Failure>

  /// Returns the output that precedes `.finished`; by default there is none.
  ///
  /// Called once, when upstream has finished or the stage has finished the stream; no other method is called after it.
  /// The result is an output like any other: with ``SteeredDemand/forwarded`` it takes the place of a value that has
  /// been absorbed; if outputs are counted and there is no demand, it is dropped, waits in place of the previous
  /// output, or is joined to that one, and `.finished` waits for it. A failure drops what is left.
  mutating func takeRest() -> Output?

  /// A closure that joins an output to one that waits for demand, for ``SteeredDemand/whileUnmet``; by default it
  /// appends to collections, and is `nil` for other outputs. For a sum, use `{ waiting, count in waiting += count }`.
  static var joining: ((_ waiting: inout Output, _ output: Output) -> Void)? { get }
}

extension SteeredStage {
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

extension SteeredStage where Output: RangeReplaceableCollection {
  /// Appends the elements.
  @inlinable
  public static var joining: ((_ waiting: inout Output, _ output: Output) -> Void)? { { $0.append(contentsOf: $1) } }
}

extension SteeredStage where SignalFailure == Failure {
  /// Fails the stream if the signals have failed, and continues without them if they have finished.
  @inlinable
  public func receive(signalCompletion: Subscribers.Completion<Failure>) -> Verdict<Output, Failure> {
    switch signalCompletion {
    case .finished: .absorb
    case .failure(let failure): .fail(failure)
    }
  }
}

extension Publisher {
  /// Republishes the outputs of a stage that another publisher steers by its signals.
  ///
  /// ```swift
  /// struct OpenStage<Input, Failure: Error>: SteeredStage {
  ///   var isOpen = false
  ///
  ///   mutating func receive(_ input: Input) -> Verdict<Input, Failure> { isOpen ? .emit(input) : .skip }
  ///
  ///   mutating func receive(signal: Bool) -> Verdict<Input, Failure> {
  ///     isOpen = signal
  ///     return .absorb
  ///   }
  /// }
  ///
  /// let (flow, gate) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Bool, Never>())
  /// let cancellable = flow.steered(by: gate, OpenStage()).sink { print($0) }
  /// flow.send(1)
  /// gate.send(true)
  /// flow.send(2)
  /// // Prints "2".
  /// ```
  ///
  /// **Demand:** as the stage's ``SteeredStage/demand`` says; all signals are requested.
  ///
  /// **Completion:** upstream's is forwarded after the stage's ``SteeredStage/takeRest()``, and cancels the signals;
  /// the stage decides what the completion of the signals means.
  ///
  /// **Failure:** as for a completion, without what is left in the stage.
  ///
  /// **Concurrency:** both publishers may deliver on any thread; downstream receives one value or completion at a time.
  /// Anything that arrives meanwhile waits.
  ///
  /// **Traps:** a stage whose demand is ``SteeredDemand/whileUnmet`` and whose ``SteeredStage/joining`` is `nil`.
  ///
  /// - Parameters:
  ///   - signals: The publisher of the signals.
  ///   - stage: What to do with values and signals; each subscription gets a copy.
  /// - Returns: A publisher of the stage's outputs.
  @inlinable
  public consuming func steered<Signals: Publisher, Work: SteeredStage>(
    by signals: Signals, _ stage: Work
  ) -> Publishers.Lifted<Work.Output, Failure>
  where
    Work.Input == Output, Work.Failure == Failure, Work.Signal == Signals.Output,
    Work.SignalFailure == Signals.Failure
  {
    Work.demand.check(of: Work.self, joins: Work.joining != nil)
    return steered(by: signals, LiftedSteered(stage))
  }
}
