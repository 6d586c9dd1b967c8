// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

/// The stage of a publisher without an upstream: it makes one output for each unit of demand, then a completion.
///
/// ```swift
/// struct CountdownStage: SourceStage {
///   var number: Int
///
///   mutating func next() -> Int? {
///     guard number > 0 else { return nil }
///     defer { number -= 1 }
///     return number
///   }
/// }
///
/// let cancellable = Publishers.source { CountdownStage(number: 3) }.sink(
///   receiveCompletion: { print($0) }, receiveValue: { print($0) })
/// // Prints "3", "2", "1", "finished" on four lines.
/// ```
///
/// **Concurrency:** one thread at a time uses a stage, not always the same one. The stage is released when the stream has ended or
/// has been cancelled, and no call of ``next()`` is running.
public protocol SourceStage<Output, Failure> {
  /// The type of the outputs.
  associatedtype Output
  /// The type of the failures; by default it cannot fail.
  associatedtype Failure: Error = Never

  /// The text that `print()` shows for the publisher; by default the name of the type, without `Stage`.
  static var name: String { get }

  /// Whether ``next()`` runs no code of a user, and neither blocks nor sends, so that nobody sees when it is called:
  /// then many outputs may be made at a time. By default `false`.
  static var isQuiet: Bool { get }

  /// Makes the next output; returns `nil` if the stream completes instead, with ``ending``.
  ///
  /// Called while there is demand, and not again after the end.
  mutating func next() -> Output?

  /// Whether there are no more outputs, so that the completion follows the latest one, or the subscription, without another
  /// request. By default `false`.
  var isExhausted: Bool { get }

  /// The completion; by default `.finished`.
  var ending: Subscribers.Completion<Failure> { get }
}

extension SourceStage {
  /// The name of the type, without `Stage`.
  public static var name: String { nameOfOperator(Self.self) }

  /// `false`.
  @inlinable
  public static var isQuiet: Bool { false }

  /// `false`.
  @inlinable
  public var isExhausted: Bool { false }

  /// `.finished`.
  @inlinable
  public var ending: Subscribers.Completion<Failure> { .finished }
}

extension Publishers {
  /// Returns a publisher that makes its values on request.
  ///
  /// ```swift
  /// struct RowsStage: SourceStage {
  ///   var rows = ["first", "second"].makeIterator()
  ///
  ///   mutating func next() -> String? { rows.next() }
  /// }
  ///
  /// let cancellable = Publishers.source { RowsStage() }.prefix(1).sink { print($0) }
  /// // Prints "first".
  /// ```
  ///
  /// **Demand:** an output is made when it has been requested, in a loop: a request during a delivery continues that
  /// loop.
  ///
  /// **Completion:** the stage's ``SourceStage/ending``.
  ///
  /// **Failure:** the stage's ``SourceStage/ending``.
  ///
  /// **Concurrency:** outputs are made and delivered on the thread that requests them, one at a time.
  ///
  /// - Parameter makeStage: A closure that makes the stage of one subscription.
  /// - Returns: A publisher of the stage's outputs.
  @inlinable
  public static func source<Work: SourceStage>(
    _ makeStage: @escaping () -> Work
  ) -> some Publisher<Work.Output, Work.Failure> {
    SourcePublisher(makeStage)
  }
}
