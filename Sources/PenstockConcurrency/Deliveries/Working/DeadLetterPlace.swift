// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import PenstockCore

/// The subscription from which a task requests another delivery.
internal struct DeadLetterPlace: @unchecked Sendable {
  // `@unchecked`: requests may come from any thread.

  weak var link: ManagedSubscription?
}
