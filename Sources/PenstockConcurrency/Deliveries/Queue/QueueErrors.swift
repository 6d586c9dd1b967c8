// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The errors with which a ``DeliveryQueue`` refuses what can't be done.
internal enum QueueErrors {
  internal static let cancelled = DeliveryError(
    .cancelled, "The task was cancelled while the queue was full: the value has not been published.")

  internal static let closed = DeliveryError(.closed, "The queue is closed: publish before you call finish().")

  internal static let expired = DeliveryError(
    .expired,
    "The deadline has passed, and the value comes again: extend() it in time, or give the queue a longer one.")
}
