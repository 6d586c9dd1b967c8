// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A closure that is called only on one actor, and so may leave that actor's region in a box.
internal struct IsolatedClosure<Value>: @unchecked Sendable {
  // `@unchecked`: made on the actor, called on the actor.
  let call: (Value) -> Void
}
