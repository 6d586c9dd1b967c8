// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import Penstock

/// Publishes temperatures.
public final class Thermometer {
  private let subject = PassthroughSubject<Double, Never>()

  public init() {}

  /// The temperatures, as a type that another library can use.
  public var readings: AnyPublisher<Double, Never> { subject.removeDuplicates().eraseToAnyPublisher() }

  /// The same, as a value whose type another library has to find out.
  public var anything: Any { readings }

  /// An identifier that this library makes.
  public func identifier() -> CombineIdentifier { CombineIdentifier() }

  public func measure(_ temperature: Double) { subject.send(temperature) }
}
