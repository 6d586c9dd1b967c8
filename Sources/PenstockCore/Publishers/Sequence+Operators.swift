// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// Operators on a sequence process all of it once, at the call, not at the subscription: they never return from an
// endless sequence. For operators that process values one by one, erase the type first:
// `sequence.publisher.eraseToAnyPublisher().map { ... }`.
//
// `drop(while:)`, `dropFirst(_:)` and `prefix(_:)` make wrappers, which do not process the rest of the sequence.

// MARK: - Mapping

extension Publishers.Sequence {
  /// Puts all elements through a closure, now.
  @inlinable
  public func map<T>(_ transform: (Elements.Element) -> T) -> Publishers.Sequence<[T], Failure> {
    Publishers.Sequence<[T], Failure>(sequence: sequence.map(transform))
  }

  /// Combines each element with the result so far, now, and delivers every result but the initial one.
  @inlinable
  public func scan<T>(
    _ initialResult: T, _ nextPartialResult: @escaping (T, Output) -> T
  ) -> Publishers.Sequence<[T], Failure> {
    var result = initialResult
    return map { element in
      result = nextPartialResult(result, element)
      return result
    }
  }

  /// Puts a value in the place of every `nil`, now.
  ///
  /// As in Combine, the elements stay optional.
  @inlinable
  public func replaceNil<T>(with output: T) -> Publishers.Sequence<[Output], Failure> where Elements.Element == T? {
    map { $0 ?? output }
  }

  /// Changes the failure type.
  @inlinable
  public func setFailureType<E: Error>(to error: E.Type) -> Publishers.Sequence<Elements, E> {
    Publishers.Sequence<Elements, E>(sequence: sequence)
  }
}

// MARK: - Filtering

extension Publishers.Sequence {
  /// Keeps the elements for which a closure says yes, now.
  @inlinable
  public func filter(_ isIncluded: (Output) -> Bool) -> Publishers.Sequence<[Output], Failure> {
    Publishers.Sequence<[Output], Failure>(sequence: sequence.filter(isIncluded))
  }

  /// Puts all elements through a closure, now, and keeps what is not `nil`.
  @inlinable
  public func compactMap<T>(_ transform: (Output) -> T?) -> Publishers.Sequence<[T], Failure> {
    Publishers.Sequence<[T], Failure>(sequence: sequence.compactMap(transform))
  }

  /// Drops all elements: what is left finishes at once.
  @inlinable
  public func ignoreOutput() -> Empty<Output, Failure> {
    Empty()
  }
}

extension Publishers.Sequence where Elements.Element: Equatable {
  /// Drops every element that equals the one before it, now.
  @inlinable
  public func removeDuplicates() -> Publishers.Sequence<[Output], Failure> {
    var previous: Output?
    return filter { element in
      defer { previous = element }
      return element != previous
    }
  }
}

// MARK: - Beginning and end

extension Publishers.Sequence {
  /// Leaves the first elements out.
  ///
  /// The sequence is not read now. A negative count traps.
  @inlinable
  public func dropFirst(_ count: Int = 1) -> Publishers.Sequence<DropFirstSequence<Elements>, Failure> {
    if count < 0 { trap(.negativeCount(operator: "dropFirst(_:)")) }
    return Publishers.Sequence<DropFirstSequence<Elements>, Failure>(sequence: sequence.dropFirst(count))
  }

  /// Leaves the first elements out for as long as a closure says yes.
  ///
  /// Those are read now, and the one behind them.
  @inlinable
  public func drop(
    while predicate: (Elements.Element) -> Bool
  ) -> Publishers.Sequence<DropWhileSequence<Elements>, Failure> {
    Publishers.Sequence<DropWhileSequence<Elements>, Failure>(sequence: sequence.drop(while: predicate))
  }

  /// Keeps no more than a number of elements.
  ///
  /// The sequence is not read now. A negative count traps.
  @inlinable
  public func prefix(_ maxLength: Int) -> Publishers.Sequence<PrefixSequence<Elements>, Failure> {
    if maxLength < 0 { trap(.negativeCount(operator: "prefix(_:)")) }
    return Publishers.Sequence<PrefixSequence<Elements>, Failure>(sequence: sequence.prefix(maxLength))
  }

  /// Keeps the first elements for as long as a closure says yes.
  ///
  /// Those are read now, and the one behind them.
  @inlinable
  public func prefix(
    while predicate: (Elements.Element) -> Bool
  ) -> Publishers.Sequence<[Elements.Element], Failure> {
    Publishers.Sequence<[Elements.Element], Failure>(sequence: sequence.prefix(while: predicate))
  }
}
