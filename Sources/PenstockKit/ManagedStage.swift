// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

/// The stage of an operator that makes one output or none of each value, and that has state or may end the stream.
///
/// Each subscription has a stage of its own, and a subscription that keeps the rules: it cancels upstream when the
/// stage ends the stream, delivers one completion, and nothing after a cancel.
///
/// ```swift
/// private final class PairwiseStage<Input, Failure: Error>: ManagedStage {
///   var last: Input?
///
///   func receive(_ input: Input) -> Verdict<(Input, Input), Failure> {
///     defer { last = input }
///     return last.map { .emit(($0, input)) } ?? .skip
///   }
/// }
///
/// extension Publisher {
///   func pairs() -> some Publisher<(Output, Output), Failure> { lift { PairwiseStage<Output, Failure>() } }
/// }
///
/// let cancellable = [1, 2, 4].publisher.pairs().sink { print($1 - $0) }
/// // Prints "1", "2" on two lines.
/// ```
///
/// **Concurrency:** the stage's state belongs to upstream's delivery, which is serial, and so it needs no lock. A
/// closure of the user that the stage calls may send upstream another value before it returns: finish what you change
/// before you call it. A stage with state is a final class; `@exclusivity(unchecked)` on its properties saves a check
/// for each access.
public protocol ManagedStage<Input, Output, Failure> {
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

  /// Decides what to do with one value.
  func receive(_ input: Input) -> Verdict<Output, Failure>

  /// Converts upstream's completion to the one for downstream; by default it is forwarded.
  func receive(completion: Subscribers.Completion<UpstreamFailure>) -> Subscribers.Completion<Failure>
}

extension ManagedStage {
  /// The name of the type, without `Stage`.
  public static var name: String { nameOfOperator(Self.self) }
}

extension ManagedStage where UpstreamFailure == Failure {
  /// Returns the completion.
  @inlinable
  public func receive(completion: Subscribers.Completion<Failure>) -> Subscribers.Completion<Failure> { completion }
}

extension Publisher {
  /// Republishes the outputs of a stage with state, of which each subscription has its own.
  ///
  /// ```swift
  /// final class UntilEmptyStage<Failure: Error>: ManagedStage {
  ///   func receive(_ input: String) -> Verdict<String, Failure> { input.isEmpty ? .finish : .emit(input) }
  /// }
  ///
  /// let lines = ["GET /", "Host: x", "", "body"].publisher
  /// let cancellable = lines.lift { UntilEmptyStage() }.sink(
  ///   receiveCompletion: { print($0) }, receiveValue: { print($0) })
  /// // Prints "GET /", "Host: x", "finished" on three lines.
  /// ```
  ///
  /// **Demand:** passed to upstream unchanged, plus one for each value that the stage skips.
  ///
  /// **Completion:** the one that the stage makes of upstream's; `.finish` of the stage cancels upstream.
  ///
  /// **Failure:** the one that the stage makes of upstream's; `.fail` of the stage cancels upstream.
  ///
  /// **Concurrency:** adds no thread; the stage runs on the thread that delivers the value. Requests and cancels may come on any
  /// thread.
  ///
  /// - Parameter makeStage: A closure that makes the stage of one subscription.
  /// - Returns: A publisher of the stage's outputs.
  @inlinable
  public consuming func lift<Work: ManagedStage>(
    _ makeStage: @escaping () -> Work
  ) -> Publishers.Lifted<Work.Output, Work.Failure> where Work.Input == Output, Work.UpstreamFailure == Failure {
    lift { LiftedManaged(makeStage()) }
  }
}
