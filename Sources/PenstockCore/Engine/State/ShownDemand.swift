// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// Demand that only the owner of a loop changes, and that tools read on any thread.
@usableFromInline
package struct ShownDemand: ~Copyable, Sendable {
  @usableFromInline internal let word = ShownCell<UInt>(0)

  @_alwaysEmitIntoClient
  package init() {}

  @_alwaysEmitIntoClient
  package var value: Subscribers.Demand {
    get { Subscribers.Demand(count: word.value) }
    nonmutating set { word.set(newValue.count) }
  }
}
