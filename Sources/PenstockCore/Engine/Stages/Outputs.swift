// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import DequeModule

/// Outputs of an operator that have not been delivered yet, the oldest first.
///
/// The first one is stored inline: most operators that hold an output hold only one.
@usableFromInline
package struct Outputs<Output> {
  @usableFromInline internal var first: Output?
  @usableFromInline internal var rest: Deque<Output>

  internal var count: Int { rest.count + (first == nil ? 0 : 1) }

  @_alwaysEmitIntoClient
  package init(_ outputs: Deque<Output> = Deque()) { rest = outputs }

  @inlinable
  package var isEmpty: Bool { first == nil && rest.isEmpty }

  @inlinable
  package mutating func append(_ output: Output) {
    if isEmpty { first = output } else { rest.append(output) }
  }

  @inlinable
  internal mutating func append(contentsOf outputs: consuming Outputs) {
    if isEmpty { return self = outputs }
    if let first = outputs.first.take() { rest.append(first) }
    rest.append(contentsOf: outputs.rest)
  }

  @inlinable
  internal mutating func popFirst() -> Output? { first.take() ?? rest.popFirst() }

  /// Moves all outputs out, so that the caller can free them where no lock is held.
  @inlinable
  internal mutating func takeAll() -> Outputs { exchange(&self, with: Outputs()) }
}
