// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import Combine

extension Optional {
  /// A property as packages define it that also support systems older than Combine's property of that name.
  public var publisher: Optional<[Wrapped]>.Publisher {
    Optional<[Wrapped]>.Publisher(map { [$0, $0] })
  }
}
