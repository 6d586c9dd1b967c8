// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The inlets of an operator that delivers tuples: the only part of it that depends on the number of upstreams.
@usableFromInline
package protocol TupleInlets<Values> {
  associatedtype Values

  /// The inlets, of type `TupleInlet`.
  var inlets: ContiguousArray<Inlet> { get }

  /// Whether every inlet has a value.
  var isComplete: Bool { get }

  /// Whether an upstream has finished, and all its values have been used; asked by `zip` alone.
  var hasRunOut: Bool { get }

  /// A tuple of one value from each inlet.
  func gather() -> Values
}

@usableFromInline
package struct TupleInlets2<A: TypedInlet, B: TypedInlet>: TupleInlets {
  @usableFromInline package let a: A
  @usableFromInline package let b: B

  @_alwaysEmitIntoClient
  package init(_ a: A, _ b: B) {
    self.a = a
    self.b = b
  }

  @_alwaysEmitIntoClient
  package var inlets: ContiguousArray<Inlet> { [a, b] }

  @_alwaysEmitIntoClient
  package var isComplete: Bool { !a.isEmpty && !b.isEmpty }

  @_alwaysEmitIntoClient
  package var hasRunOut: Bool { a.hasRunOut || b.hasRunOut }

  @_alwaysEmitIntoClient
  package func gather() -> (A.Value, B.Value) { (a.next(), b.next()) }
}

@usableFromInline
package struct TupleInlets3<A: TypedInlet, B: TypedInlet, C: TypedInlet>: TupleInlets {
  @usableFromInline package let a: A
  @usableFromInline package let b: B
  @usableFromInline package let c: C

  @_alwaysEmitIntoClient
  package init(_ a: A, _ b: B, _ c: C) {
    self.a = a
    self.b = b
    self.c = c
  }

  @_alwaysEmitIntoClient
  package var inlets: ContiguousArray<Inlet> { [a, b, c] }

  @_alwaysEmitIntoClient
  package var isComplete: Bool { !a.isEmpty && !b.isEmpty && !c.isEmpty }

  @_alwaysEmitIntoClient
  package var hasRunOut: Bool { a.hasRunOut || b.hasRunOut || c.hasRunOut }

  @_alwaysEmitIntoClient
  package func gather() -> (A.Value, B.Value, C.Value) { (a.next(), b.next(), c.next()) }
}

@usableFromInline
package struct TupleInlets4<A: TypedInlet, B: TypedInlet, C: TypedInlet, D: TypedInlet>: TupleInlets {
  @usableFromInline package let a: A
  @usableFromInline package let b: B
  @usableFromInline package let c: C
  @usableFromInline package let d: D

  @_alwaysEmitIntoClient
  package init(_ a: A, _ b: B, _ c: C, _ d: D) {
    self.a = a
    self.b = b
    self.c = c
    self.d = d
  }

  @_alwaysEmitIntoClient
  package var inlets: ContiguousArray<Inlet> { [a, b, c, d] }

  @_alwaysEmitIntoClient
  package var isComplete: Bool { !a.isEmpty && !b.isEmpty && !c.isEmpty && !d.isEmpty }

  @_alwaysEmitIntoClient
  package var hasRunOut: Bool { a.hasRunOut || b.hasRunOut || c.hasRunOut || d.hasRunOut }

  @_alwaysEmitIntoClient
  package func gather() -> (A.Value, B.Value, C.Value, D.Value) { (a.next(), b.next(), c.next(), d.next()) }
}
