// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

/// The demand that an operator requests from upstream if its outputs may have to wait; see ``QueuedStage``.
@frozen
public enum QueuedDemand: Sendable {
  /// The same demand that downstream requests.
  case same
  /// Unlimited values, once, whatever downstream requests: for results that come only at the end of the stream.
  case unlimited
  /// One value at a time while downstream's demand is not met; unlimited values once that is unlimited.
  case whileUnmet
}

/// The stage of an operator that may make outputs that downstream has not asked for yet: a rest at the end, a result,
/// several outputs for one value.
///
/// Such outputs wait, in order, until they are asked for, and the completion waits until they are delivered.
///
/// ```swift
/// final class ReversedStage<Input, Failure: Error>: QueuedStage {
///   var values: [Input] = []
///
///   var demand: QueuedDemand { .unlimited }
///
///   func receive(_ input: Input, into outputs: inout Outputs<Input>) -> Verdict<Input, Failure> {
///     values.append(input)
///     return .absorb
///   }
///
///   func finish(
///     _ completion: Subscribers.Completion<Failure>, into outputs: inout Outputs<Input>
///   ) -> Subscribers.Completion<Failure> {
///     while let last = values.popLast() { outputs.append(last) }
///     return completion
///   }
/// }
///
/// let cancellable = [1, 2, 3].publisher.lift { ReversedStage() }.sink { print($0) }
/// // Prints "3", "2", "1" on three lines.
/// ```
///
/// Outputs that are appended to `outputs` are delivered before the output of the verdict. The stage runs under the same
/// conditions as a ``ManagedStage``.
public protocol QueuedStage<Input, Output, Failure> {
  /// The type of upstream's values.
  associatedtype Input
  /// The type of the outputs.
  associatedtype Output
  /// The type of the failures that downstream receives.
  associatedtype Failure: Error
  /// The type of upstream's failures; by default that of downstream's.
  associatedtype UpstreamFailure: Error = Failure

  /// The text that `print()` shows for the operator; by default the name of the type, without `Stage`.
  static var name: String { get }

  /// Whether a failure waits until outputs that have not been asked for are delivered; by default it discards them.
  static var failureWaits: Bool { get }

  /// The demand that is requested from upstream; by default that of downstream.
  ///
  /// If a value becomes several outputs, `.whileUnmet` requests the next value when those have been delivered, so that
  /// at most the outputs of one value wait.
  var demand: QueuedDemand { get }

  /// Decides what to do with one value.
  ///
  /// - Parameters:
  ///   - input: The value.
  ///   - outputs: The outputs that precede that of the verdict, to be appended to.
  func receive(_ input: Input, into outputs: inout Outputs<Output>) -> Verdict<Output, Failure>

  /// Ends the stream; called for upstream's completion, and for the verdict `.finish`.
  ///
  /// By default the completion is forwarded.
  ///
  /// - Parameters:
  ///   - completion: Upstream's completion.
  ///   - outputs: The outputs that precede downstream's completion, to be appended to.
  /// - Returns: The completion for downstream.
  func finish(
    _ completion: Subscribers.Completion<UpstreamFailure>, into outputs: inout Outputs<Output>
  ) -> Subscribers.Completion<Failure>
}

extension QueuedStage {
  /// The name of the type, without `Stage`.
  public static var name: String { nameOfOperator(Self.self) }

  /// `false`.
  @inlinable
  public static var failureWaits: Bool { false }

  /// The same demand that downstream requests.
  @inlinable
  public var demand: QueuedDemand { .same }
}

extension QueuedStage where UpstreamFailure == Failure {
  /// Returns the completion.
  @inlinable
  public func finish(
    _ completion: Subscribers.Completion<Failure>, into outputs: inout Outputs<Output>
  ) -> Subscribers.Completion<Failure> { completion }
}

extension Publisher {
  /// Republishes the outputs of a stage, each when it is asked for.
  ///
  /// ```swift
  /// final class LettersStage<Failure: Error>: QueuedStage {
  ///   var demand: QueuedDemand { .whileUnmet }
  ///
  ///   func receive(_ input: String, into outputs: inout Outputs<Character>) -> Verdict<Character, Failure> {
  ///     for letter in input { outputs.append(letter) }
  ///     return .absorb
  ///   }
  /// }
  ///
  /// let cancellable = ["ab", "c"].publisher.lift { LettersStage() }.sink { print($0) }
  /// // Prints "a", "b", "c" on three lines.
  /// ```
  ///
  /// **Demand:** as the stage's ``QueuedStage/demand`` says; outputs without demand wait.
  ///
  /// **Completion:** the one that the stage makes of upstream's, after the outputs that wait.
  ///
  /// **Failure:** the one that the stage makes of upstream's; it discards the outputs that wait, unless
  /// ``QueuedStage/failureWaits``.
  ///
  /// **Concurrency:** adds no thread; outputs that have waited are delivered on the thread that requests them. Downstream
  /// receives one signal at a time.
  ///
  /// - Parameter makeStage: A closure that makes the stage of one subscription.
  /// - Returns: A publisher of the stage's outputs.
  @inlinable
  public consuming func lift<Work: QueuedStage>(
    _ makeStage: @escaping () -> Work
  ) -> Publishers.Lifted<Work.Output, Work.Failure> where Work.Input == Output, Work.UpstreamFailure == Failure {
    lift { LiftedQueued(makeStage()) }
  }
}
