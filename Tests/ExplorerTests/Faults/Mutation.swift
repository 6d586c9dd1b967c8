// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// `Utilities/explore` puts this file into its copy of PenstockCore, with a case for each fault of `faults.txt`.

/// A fault that the library once had, or that is easily made, for tests that have to find it.
@usableFromInline
package enum Mutation: CaseIterable, Sendable {
  // The cases.
}

package nonisolated(unsafe) var mutation: Mutation?

extension Mutation {
  /// Whether the fault has been put in.
  @usableFromInline
  package var isOn: Bool { mutation == self }
}
