// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

/// The values for one subscriber that have come, until the loop of its task takes them.
@usableFromInline
package final class FetchInbox<Value: Sendable, Failure: Error>: Sendable {
  @usableFromInline
  internal struct Contents: Sendable {
    @usableFromInline internal var batches: [[Value]] = []
    /// The first failure.
    @usableFromInline internal var failure: Failure?
    /// Whether the loop has ended.
    @usableFromInline internal var isClosed = false

    @inlinable
    internal init() {}
  }

  @usableFromInline internal let source: FetchSource
  @usableFromInline internal let contents = Guarded(Contents())

  @inlinable
  internal init(_ source: FetchSource) { self.source = source }

  @usableFromInline internal var failure: Failure? { contents.withLock { $0.failure } }

  @inlinable
  internal func add(_ batch: [Value]) { contents.withLock { $0.batches.append(batch) } }

  /// Adds a value that nobody has called for.
  ///
  /// - Returns: Whether the loop takes the value, or drops it at its end.
  @inlinable
  internal func add(_ value: Value) -> Bool {
    contents.withLock { contents in
      if contents.isClosed { return false }
      // An array for all of them: one for each would cost an allocation.
      if contents.batches.isEmpty { contents.batches.append([]) }
      contents.batches[contents.batches.count - 1].append(value)
      return true
    }
  }

  @inlinable
  internal func fail(_ failure: Failure) { contents.withLock { if $0.failure == nil { $0.failure = failure } } }

  @inlinable
  internal func takeBatches(closing: Bool = false) -> [[Value]] {
    contents.withLock { contents in
      if closing { contents.isClosed = true }
      return exchange(&contents.batches, with: [])
    }
  }
}
