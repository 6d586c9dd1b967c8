// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import DequeModule

/// The values of `flatMap` that wait for demand, each with its inner stream.
///
/// Not part of the operator's class: so there is code for each type of values, not for each pipeline.
@usableFromInline
internal struct WaitingValues<Value> {
  @usableFromInline internal typealias Element = (value: Value, stream: InnerStream)

  @usableFromInline internal var elements: Deque<Element> = []

  @_alwaysEmitIntoClient
  internal init() {}

  @_alwaysEmitIntoClient
  internal var count: Int { elements.count }

  @_alwaysEmitIntoClient
  internal var isEmpty: Bool { elements.isEmpty }

  /// The values without their streams.
  @usableFromInline
  internal var values: [Value] { elements.map(\.value) }

  @inlinable @inline(never)
  internal mutating func append(_ value: Value, from stream: InnerStream) { elements.append((value, stream)) }

  @inlinable @inline(never)
  internal mutating func popFirst() -> Element? { elements.popFirst() }
}
