// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

/// A ``SendablePublisher`` that hides its chain of operators, as ``/PenstockCore/AnyPublisher`` hides a publisher's.
///
/// <!-- not run: declarations -->
/// ```swift
/// protocol Prices: Sendable {
///   var inEuros: AnySendablePublisher<Double, Never> { get }
/// }
///
/// struct FixedPrices: Prices {
///   let inEuros = Just(9.5).sendable.eraseToAnySendablePublisher()
/// }
/// ```
public typealias AnySendablePublisher<Output: Sendable, Failure: Error> =
  SendablePublisher<AnyPublisher<Output, Failure>>

extension SendablePublisher {
  /// Hides the chain of operators.
  ///
  /// The result is still Sendable. To get a ``/PenstockCore/AnyPublisher``, leave the checked pipeline first:
  /// `publisher.eraseToAnyPublisher()`.
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as for this publisher.
  ///
  /// - Returns: A publisher that behaves exactly as this one.
  @inlinable
  public func eraseToAnySendablePublisher() -> AnySendablePublisher<Output, Failure> {
    SendablePublisher<AnyPublisher<Output, Failure>>(unchecked: base.eraseToAnyPublisher())
  }
}
