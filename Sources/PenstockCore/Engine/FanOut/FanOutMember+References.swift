// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension FanOutMember {
  /// The objects that the member keeps alive until it is discarded.
  @usableFromInline
  internal struct References {
    /// The publisher to which the engine belongs, and which keeps the engine alive; `nil` after the discard.
    @usableFromInline internal var source: (any FanOutSource)?
    /// Serves requests of the joining thread until the introduction is over.
    @usableFromInline internal var introduction: Introduction?

    @_alwaysEmitIntoClient
    internal init(_ source: __owned (any FanOutSource)?) { self.source = source }
  }

  /// Calls a closure with exclusive access to the references.
  internal func withReferences<Result>(_ body: (inout References) -> Result) -> Result {
    lock.withLock { _ in body(&references) }
  }
}
