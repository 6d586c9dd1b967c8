// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// An object that an ``AnyCancellable`` cancels without a further object in between.
///
/// A class, and not a protocol: one word then refers to the object and to what its cancel does. Not to be subclassed outside
/// of the library.
public class _CancellableObject: Cancellable {
  @inlinable
  internal init() {}

  /// Cancels the activity.
  public func cancel() {}
}
