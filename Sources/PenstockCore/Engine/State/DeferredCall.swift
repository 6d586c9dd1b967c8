// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A call that is stored in a collection, to be performed later.
///
/// A structure, because a closure stored on its own is wrapped in a thunk when it is put into a collection, and again
/// when it is taken out.
@usableFromInline
package struct DeferredCall {
  @usableFromInline package let perform: () -> Void

  @_alwaysEmitIntoClient
  package init(_ perform: @escaping () -> Void) { self.perform = perform }
}
