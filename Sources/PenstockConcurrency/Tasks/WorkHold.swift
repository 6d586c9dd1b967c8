// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

/// What a publisher refers to as long as it has its subscriber: it tells of a publisher that drops it without an end.
@usableFromInline
internal final class WorkHold: Sendable {
  private let onRelease: @Sendable () -> Void

  @usableFromInline
  internal init(_ onRelease: @escaping @Sendable () -> Void) { self.onRelease = onRelease }

  deinit { onRelease() }
}

extension Publisher {
  /// Lets this publisher alone refer to a hold.
  ///
  /// Directly behind the publisher: the closure of a `map` is a part of the subscriber and of no subscription, and what is
  /// downstream refers to subscriptions.
  @inlinable
  internal func held(by hold: WorkHold) -> Publishers.Map<Self, Output> {
    map { output in withExtendedLifetime(hold) { output } }
  }
}
