// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// `@unchecked`: the closure leads to a subscription, which serialises calls on any thread.
extension Callback: @unchecked Sendable where Output: Sendable {}
