// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import PenstockCore

/// The subscription that a task requests another delivery of.
internal struct DeadLetterPlace: @unchecked Sendable {
  // `@unchecked`: requests may come from any thread.

  weak var link: ManagedSubscription?
}
