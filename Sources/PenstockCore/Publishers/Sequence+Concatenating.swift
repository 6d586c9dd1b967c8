// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// More operators that run at once; see Sequence+Operators.swift.

extension Publishers.Sequence where Elements: RangeReplaceableCollection {
  /// Publishes given values before the elements, which are read at once.
  @_alwaysEmitIntoClient
  public func prepend(_ elements: Self.Output...) -> Publishers.Sequence<Elements, Failure> {
    prepend(elements)
  }

  /// Publishes the elements of another sequence before these.
  ///
  /// It is read at once.
  @_alwaysEmitIntoClient
  public func prepend<S: Swift.Sequence>(_ elements: S) -> Publishers.Sequence<Elements, Failure>
  where S.Element == Elements.Element {
    Publishers.Sequence(sequence: elements + sequence)
  }

  /// Publishes the elements of another sequence publisher before these; both are read at once.
  @_alwaysEmitIntoClient
  public func prepend(_ publisher: Publishers.Sequence<Elements, Failure>) -> Publishers.Sequence<Elements, Failure> {
    prepend(publisher.sequence)
  }

  /// Publishes given values after the elements, which are read at once.
  @_alwaysEmitIntoClient
  public func append(_ elements: Self.Output...) -> Publishers.Sequence<Elements, Failure> {
    append(elements)
  }

  /// Publishes the elements of another sequence after these.
  ///
  /// It is read at once.
  @_alwaysEmitIntoClient
  public func append<S: Swift.Sequence>(_ elements: S) -> Publishers.Sequence<Elements, Failure>
  where S.Element == Elements.Element {
    Publishers.Sequence(sequence: sequence + elements)
  }

  /// Publishes the elements of another sequence publisher after these; both are read at once.
  @_alwaysEmitIntoClient
  public func append(_ publisher: Publishers.Sequence<Elements, Failure>) -> Publishers.Sequence<Elements, Failure> {
    append(publisher.sequence)
  }
}
