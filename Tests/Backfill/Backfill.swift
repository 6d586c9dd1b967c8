// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import Combine

extension Optional {
  /// What packages bring that support systems older than the property of that name in Combine.
  public var publisher: Optional<[Wrapped]>.Publisher {
    Optional<[Wrapped]>.Publisher(map { [$0, $0] })
  }
}
