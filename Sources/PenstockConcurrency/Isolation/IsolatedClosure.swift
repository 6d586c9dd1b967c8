// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// What is called on one actor alone, and so may leave the region of that actor in a box.
internal struct IsolatedClosure<Value>: @unchecked Sendable {
  // `@unchecked`: made on the actor, called on the actor.
  let call: (Value) -> Void
}
