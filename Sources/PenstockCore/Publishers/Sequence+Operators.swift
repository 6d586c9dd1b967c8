// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// Operators on a sequence process all of it once, at the call, not at the subscription: they never return from an
// endless sequence. For operators that process values one by one, erase the type first:
// `sequence.publisher.eraseToAnyPublisher().map { ... }`.
//
// `drop(while:)`, `dropFirst(_:)` and `prefix(_:)` make wrappers, which do not process the rest of the sequence.

// MARK: - Mapping

extension Publishers.Sequence: _OwnMap {
  /// Transforms all elements with a closure, at once.
  @_alwaysEmitIntoClient
  public func map<T>(_ transform: (Elements.Element) -> T) -> Publishers.Sequence<[T], Failure> {
    Publishers.Sequence<[T], Failure>(sequence: sequence.map(transform))
  }

  /// Combines each element with the previous result, at once, and publishes every intermediate result.
  @_alwaysEmitIntoClient
  public func scan<T>(
    _ initialResult: T, _ nextPartialResult: @escaping (T, Self.Output) -> T
  ) -> Publishers.Sequence<[T], Failure> {
    var result = initialResult
    return map { element in
      result = nextPartialResult(result, element)
      return result
    }
  }

  /// Replaces every `nil` with a given value, at once.
  ///
  /// As in Combine, the elements stay optional.
  @_alwaysEmitIntoClient
  public func replaceNil<T>(with output: T) -> Publishers.Sequence<[Self.Output], Failure>
  where Elements.Element == T? {
    map { $0 ?? output }
  }

  /// Changes the failure type.
  @_alwaysEmitIntoClient
  public func setFailureType<E: Error>(to error: E.Type) -> Publishers.Sequence<Elements, E> {
    Publishers.Sequence<Elements, E>(sequence: sequence)
  }
}

// MARK: - Filtering

extension Publishers.Sequence {
  /// Keeps the elements that satisfy a predicate, which is called at once.
  @_alwaysEmitIntoClient
  public func filter(_ isIncluded: (Self.Output) -> Bool) -> Publishers.Sequence<[Self.Output], Failure> {
    Publishers.Sequence<[Self.Output], Failure>(sequence: sequence.filter(isIncluded))
  }

  /// Transforms all elements with a closure, at once, and keeps the results that are not `nil`.
  @_alwaysEmitIntoClient
  public func compactMap<T>(_ transform: (Self.Output) -> T?) -> Publishers.Sequence<[T], Failure> {
    Publishers.Sequence<[T], Failure>(sequence: sequence.compactMap(transform))
  }

  /// Drops all elements: the resulting publisher finishes at once.
  @_alwaysEmitIntoClient
  public func ignoreOutput() -> Empty<Self.Output, Failure> {
    Empty()
  }
}

extension Publishers.Sequence where Elements.Element: Equatable {
  /// Drops every element that equals its predecessor, at once.
  @_alwaysEmitIntoClient
  public func removeDuplicates() -> Publishers.Sequence<[Self.Output], Failure> {
    var previous: Self.Output?
    return filter { element in
      defer { previous = element }
      return element != previous
    }
  }
}

// MARK: - Beginning and end

extension Publishers.Sequence {
  /// Skips a number of elements.
  ///
  /// The sequence is not read at once. A negative number traps.
  @_alwaysEmitIntoClient
  public func dropFirst(_ count: Int = 1) -> Publishers.Sequence<DropFirstSequence<Elements>, Failure> {
    if count < 0 { trap(.negativeCount(operator: "dropFirst(_:)")) }
    return Publishers.Sequence<DropFirstSequence<Elements>, Failure>(sequence: sequence.dropFirst(count))
  }

  /// Skips elements until one does not satisfy a predicate.
  ///
  /// These elements are read at once, and the one after them.
  @_alwaysEmitIntoClient
  public func drop(
    while predicate: (Elements.Element) -> Bool
  ) -> Publishers.Sequence<DropWhileSequence<Elements>, Failure> {
    Publishers.Sequence<DropWhileSequence<Elements>, Failure>(sequence: sequence.drop(while: predicate))
  }

  /// Keeps elements up to a maximum number.
  ///
  /// The sequence is not read at once. A negative number traps.
  @_alwaysEmitIntoClient
  public func prefix(_ maxLength: Int) -> Publishers.Sequence<PrefixSequence<Elements>, Failure> {
    if maxLength < 0 { trap(.negativeCount(operator: "prefix(_:)")) }
    return Publishers.Sequence<PrefixSequence<Elements>, Failure>(sequence: sequence.prefix(maxLength))
  }

  /// Keeps elements while they satisfy a predicate.
  ///
  /// These elements are read at once, and the one after them.
  @_alwaysEmitIntoClient
  public func prefix(
    while predicate: (Elements.Element) -> Bool
  ) -> Publishers.Sequence<[Elements.Element], Failure> {
    Publishers.Sequence<[Elements.Element], Failure>(sequence: sequence.prefix(while: predicate))
  }
}
