// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import PenstockCore

/// The use of a resource by one subscription, which ends once.
@usableFromInline
internal final class ResourceUse {
  /// Releases the resource; `nil` once it has been released.
  private let cleanup: Guarded<(() -> Void)?>

  @usableFromInline
  internal init(_ cleanup: @escaping () -> Void) { self.cleanup = Guarded(cleanup) }

  /// A stream that is dropped without an end ends the use, too.
  deinit { end() }

  @usableFromInline
  internal func end() { cleanup.withLock { $0.take() }?() }
}
