// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

/// An object to which a publisher refers as long as it has its subscriber: it reports a publisher that drops its
/// subscriber without an end.
@usableFromInline
internal final class WorkHold: Sendable {
  private let onRelease: @Sendable () -> Void

  @usableFromInline
  internal init(_ onRelease: @escaping @Sendable () -> Void) { self.onRelease = onRelease }

  deinit { onRelease() }
}

extension Publisher {
  /// Makes this publisher, and nothing else, refer to a hold.
  ///
  /// Put directly after the publisher: the closure of a `map` is a part of the subscriber and of no subscription, and
  /// downstream refers only to subscriptions.
  @inlinable
  internal func held(by hold: WorkHold) -> Publishers.Map<Self, Output> {
    map { output in withExtendedLifetime(hold) { output } }
  }
}
