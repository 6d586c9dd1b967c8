// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

/// The stage of an operator that makes one output or none of each value, and keeps nothing between values.
///
/// An operator of this kind adds no subscription to the stream: requests and cancels go to upstream directly, and a chain of
/// such operators runs as one loop.
///
/// ```swift
/// private struct NegatedStage: TransparentStage {
///   func receive(_ input: Int) -> Int? { -input }
/// }
///
/// extension Publisher where Output == Int {
///   func negated() -> some Publisher<Int, Failure> { lift(NegatedStage()) }
/// }
///
/// let cancellable = [1, 2].publisher.negated().sink { print($0) }
/// // Prints "-1", "-2" on two lines.
/// ```
///
/// One stage serves all subscribers, on whatever threads they are: it must not have state. An operator with state is a
/// ``ManagedStage``. So is an operator that calls a closure of the user, which may end the stream or cancel it: a
/// transparent stage does not notice that, and delivers the closure's result, as Combine's `map` does.
public protocol TransparentStage<Input, Output> {
  /// The type of upstream's values.
  associatedtype Input
  /// The type of the outputs.
  associatedtype Output

  /// The text that a description of the operator shows; by default the name of the type, without `Stage`.
  static var name: String { get }

  /// Returns the output for a value.
  ///
  /// - Parameter input: The value.
  /// - Returns: The output; `nil` to leave the value out and request one more in its place.
  func receive(_ input: Input) -> Output?
}

extension TransparentStage {
  /// The name of the type, without `Stage`.
  public static var name: String { nameOfOperator(Self.self) }
}

extension Publisher {
  /// Republishes the outputs of a stage that keeps nothing between values.
  ///
  /// ```swift
  /// struct EvenStage: TransparentStage {
  ///   func receive(_ input: Int) -> Int? { input.isMultiple(of: 2) ? input : nil }
  /// }
  ///
  /// let cancellable = (1...4).publisher.lift(EvenStage()).sink { print($0) }
  /// // Prints "2", "4" on two lines.
  /// ```
  ///
  /// **Demand:** passed to upstream unchanged, plus one for each value that the stage leaves out.
  ///
  /// **Completion:** forwarded.
  ///
  /// **Failure:** forwarded.
  ///
  /// **Concurrency:** adds no thread and no lock; the stage runs on the thread that delivers the value.
  ///
  /// - Parameter stage: What to do with each value.
  /// - Returns: A publisher of the stage's outputs.
  @inlinable
  public consuming func lift<Work: TransparentStage>(_ stage: Work) -> Publishers.Transparent<Self, Work>
  where Work.Input == Output {
    Publishers.Transparent(upstream: self, stage: stage)
  }
}

extension Publishers {
  /// A publisher of the outputs of a transparent stage.
  ///
  /// See ``PenstockCore/Publisher/lift(_:)->Publishers.Transparent<Self,Work>``.
  ///
  /// Its type names the stage, so that the compiler can put the stage's code where the values pass.
  @frozen
  public struct Transparent<Upstream: Publisher, Work: TransparentStage>: Publisher, _DerivedTypes
  where Work.Input == Upstream.Output {
    public typealias _Origin = Empty<Work.Output, Upstream.Failure>

    @usableFromInline internal let publisher: TransparentPublisher<Upstream, LiftedTransparent<Work, Upstream.Failure>>

    @inlinable
    internal init(upstream: Upstream, stage: Work) {
      publisher = TransparentPublisher(upstream: upstream, stage: LiftedTransparent(stage))
    }

    @_alwaysEmitIntoClient @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Self.Output == S.Input, Failure == S.Failure {
      publisher.receive(subscriber: subscriber)
    }

    @inlinable @inline(__always)
    public static var _offer: _Offer { TransparentPublisher<Upstream, LiftedTransparent<Work, Failure>>._offer }

    @_alwaysEmitIntoClient @inline(__always)
    public func _fuse<Target: _FusionTarget>(into target: Target) -> Target.Answer
    where Target.Input == Self.Output, Target.Failure == Failure { publisher._fuse(into: target) }
  }
}
