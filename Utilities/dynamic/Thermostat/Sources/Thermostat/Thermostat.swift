// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import Penstock

/// Heats as long as it is cold.
public final class Thermostat {
  public private(set) var isHeating = false
  private var cancellable: AnyCancellable?

  public init() {}

  /// Follows the temperatures of any publisher.
  public func follow(_ temperatures: some Publisher<Double, Never>) {
    cancellable = temperatures.map { $0 < 19 }.sink { [weak self] in self?.isHeating = $0 }
  }

  /// Follows the temperatures of a value, if this library sees a publisher in it.
  public func follow(ifPublisher value: Any) -> Bool {
    guard let temperatures = value as? any Publisher<Double, Never> else { return false }
    follow(temperatures)
    return true
  }

  /// An identifier that this library makes.
  public func identifier() -> CombineIdentifier { CombineIdentifier() }
}
