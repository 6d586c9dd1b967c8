// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// What a publisher refers to as long as it has its subscriber: it tells of a publisher that drops it without an end.
///
/// For the closure of a `map` directly behind the publisher, which is a part of the subscriber and of no subscription: what is
/// downstream refers to subscriptions.
@usableFromInline
internal final class WorkHold: Sendable {
  private let onRelease: @Sendable () -> Void

  @usableFromInline
  internal init(_ onRelease: @escaping @Sendable () -> Void) { self.onRelease = onRelease }

  deinit { onRelease() }
}
