// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The place where the next page begins.
@usableFromInline
internal final class PagePlace<Cursor: Sendable>: @unchecked Sendable {
  // `@unchecked`: the calls of one subscriber come one after the other.

  @usableFromInline internal var next: Cursor

  @inlinable
  internal init(_ first: Cursor) { next = first }
}
