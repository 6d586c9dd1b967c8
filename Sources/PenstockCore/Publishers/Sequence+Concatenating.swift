// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// More operators that run at once; see Sequence+Operators.swift.

extension Publishers.Sequence where Elements: RangeReplaceableCollection {
  /// Puts values before the elements, now.
  @inlinable
  public func prepend(_ elements: Output...) -> Publishers.Sequence<Elements, Failure> {
    prepend(elements)
  }

  /// Puts the elements of another sequence before these.
  ///
  /// It is read now.
  @inlinable
  public func prepend<S: Swift.Sequence>(_ elements: S) -> Publishers.Sequence<Elements, Failure>
  where S.Element == Elements.Element {
    Publishers.Sequence(sequence: elements + sequence)
  }

  /// Puts the elements of another such publisher before these, now.
  @inlinable
  public func prepend(_ publisher: Publishers.Sequence<Elements, Failure>) -> Publishers.Sequence<Elements, Failure> {
    prepend(publisher.sequence)
  }

  /// Puts values behind the elements, now.
  @inlinable
  public func append(_ elements: Output...) -> Publishers.Sequence<Elements, Failure> {
    append(elements)
  }

  /// Puts the elements of another sequence behind these.
  ///
  /// It is read now.
  @inlinable
  public func append<S: Swift.Sequence>(_ elements: S) -> Publishers.Sequence<Elements, Failure>
  where S.Element == Elements.Element {
    Publishers.Sequence(sequence: sequence + elements)
  }

  /// Puts the elements of another such publisher behind these, now.
  @inlinable
  public func append(_ publisher: Publishers.Sequence<Elements, Failure>) -> Publishers.Sequence<Elements, Failure> {
    append(publisher.sequence)
  }
}
