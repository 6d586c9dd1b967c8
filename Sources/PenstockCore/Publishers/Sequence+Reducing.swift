// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// More operators that run at once; see Sequence+Operators.swift.

// MARK: - Folding and counting

extension Publishers.Sequence {
  /// Combines all elements into one result, at once.
  @_alwaysEmitIntoClient
  public func reduce<T>(
    _ initialResult: T, _ nextPartialResult: @escaping (T, Self.Output) -> T
  ) -> Result<T, Failure>.Publisher {
    Result<T, Failure>.Publisher(.success(sequence.reduce(initialResult, nextPartialResult)))
  }

  /// Combines all elements into one result, at once.
  ///
  /// An error that the closure throws becomes the failure.
  @_alwaysEmitIntoClient
  public func tryReduce<T>(
    _ initialResult: T, _ nextPartialResult: @escaping (T, Self.Output) throws -> T
  ) -> Result<T, any Error>.Publisher {
    Result<T, any Error> { try sequence.reduce(initialResult, nextPartialResult) }.publisher
  }

  /// Publishes an array of all elements, which are read at once.
  @_alwaysEmitIntoClient
  public func collect() -> Result<[Self.Output], Failure>.Publisher {
    Result<[Self.Output], Failure>.Publisher(.success(Array(sequence)))
  }
}

extension Publishers.Sequence where Elements: Collection {
  /// Counts the elements at once.
  @_alwaysEmitIntoClient
  public func count() -> Result<Int, Failure>.Publisher {
    Result<Int, Failure>.Publisher(.success(sequence.count))
  }
}

extension Publishers.Sequence where Elements: RandomAccessCollection {
  /// Counts the elements at once, in constant time.
  @_alwaysEmitIntoClient
  public func count() -> Result<Int, Failure>.Publisher {
    Result<Int, Failure>.Publisher(.success(sequence.count))
  }
}

extension Publishers.Sequence where Elements: RandomAccessCollection, Failure == Never {
  /// Counts the elements at once, in constant time.
  @_alwaysEmitIntoClient
  public func count() -> Just<Int> {
    Just(sequence.count)
  }
}

extension Publishers.Sequence where Failure == Never {
  /// Finds the smallest element at once; of equal elements, the first.
  @_alwaysEmitIntoClient
  public func min(by areInIncreasingOrder: (Self.Output, Self.Output) -> Bool) -> Optional<Self.Output>.Publisher {
    Optional.Publisher(sequence.min(by: areInIncreasingOrder))
  }

  /// Finds the largest element at once; of equal elements, the first.
  @_alwaysEmitIntoClient
  public func max(by areInIncreasingOrder: (Self.Output, Self.Output) -> Bool) -> Optional<Self.Output>.Publisher {
    Optional.Publisher(sequence.max(by: areInIncreasingOrder))
  }
}

extension Publishers.Sequence where Elements.Element: Comparable, Failure == Never {
  /// Finds the smallest element at once; of equal elements, the first.
  @_alwaysEmitIntoClient
  public func min() -> Optional<Self.Output>.Publisher {
    Optional.Publisher(sequence.min())
  }

  /// Finds the largest element at once; of equal elements, the first.
  @_alwaysEmitIntoClient
  public func max() -> Optional<Self.Output>.Publisher {
    Optional.Publisher(sequence.max())
  }
}

// MARK: - Testing

extension Publishers.Sequence {
  /// Publishes whether all elements satisfy a predicate.
  ///
  /// The predicate is called at once, until it returns `false`.
  @_alwaysEmitIntoClient
  public func allSatisfy(_ predicate: (Self.Output) -> Bool) -> Result<Bool, Failure>.Publisher {
    Result<Bool, Failure>.Publisher(.success(sequence.allSatisfy(predicate)))
  }

  /// Publishes whether all elements satisfy a predicate.
  ///
  /// The predicate is called at once; an error that it throws becomes the failure.
  @_alwaysEmitIntoClient
  public func tryAllSatisfy(_ predicate: (Self.Output) throws -> Bool) -> Result<Bool, any Error>.Publisher {
    Result<Bool, any Error> { try sequence.allSatisfy(predicate) }.publisher
  }

  /// Publishes whether any element satisfies a predicate.
  ///
  /// The predicate is called at once, until it returns `true`.
  @_alwaysEmitIntoClient
  public func contains(where predicate: (Self.Output) -> Bool) -> Result<Bool, Failure>.Publisher {
    Result<Bool, Failure>.Publisher(.success(sequence.contains(where: predicate)))
  }

  /// Publishes whether any element satisfies a predicate.
  ///
  /// The predicate is called at once; an error that it throws becomes the failure.
  @_alwaysEmitIntoClient
  public func tryContains(where predicate: (Self.Output) throws -> Bool) -> Result<Bool, any Error>.Publisher {
    Result<Bool, any Error> { try sequence.contains(where: predicate) }.publisher
  }
}

extension Publishers.Sequence where Elements.Element: Equatable {
  /// Publishes whether any element equals a given value, which is decided at once.
  @_alwaysEmitIntoClient
  public func contains(_ output: Elements.Element) -> Result<Bool, Failure>.Publisher {
    Result<Bool, Failure>.Publisher(.success(sequence.contains(output)))
  }
}

// MARK: - Picking

extension Publishers.Sequence where Failure == Never {
  /// Finds the first element that satisfies a predicate, at once.
  @_alwaysEmitIntoClient
  public func first(where predicate: (Self.Output) -> Bool) -> Optional<Self.Output>.Publisher {
    Optional.Publisher(sequence.first(where: predicate))
  }
}

extension Publishers.Sequence where Elements: Collection, Failure == Never {
  /// Publishes the first element.
  @_alwaysEmitIntoClient
  public func first() -> Optional<Self.Output>.Publisher {
    Optional.Publisher(sequence.first)
  }

  /// Publishes the element at an index, or none if there is no such index.
  @_alwaysEmitIntoClient
  public func output(at index: Elements.Index) -> Optional<Self.Output>.Publisher {
    Optional.Publisher(sequence.indices.contains(index) ? sequence[index] : nil)
  }
}

extension Publishers.Sequence where Elements: BidirectionalCollection, Failure == Never {
  /// Publishes the last element.
  @_alwaysEmitIntoClient
  public func last() -> Optional<Self.Output>.Publisher {
    Optional.Publisher(sequence.last)
  }

  /// Finds the last element that satisfies a predicate, at once.
  ///
  /// The search begins at the end.
  @_alwaysEmitIntoClient
  public func last(where predicate: (Self.Output) -> Bool) -> Optional<Self.Output>.Publisher {
    Optional.Publisher(sequence.last(where: predicate))
  }
}

extension Publishers.Sequence where Elements: RandomAccessCollection, Failure == Never {
  /// Publishes the element at an index, in constant time, or none if the index is out of bounds.
  @_alwaysEmitIntoClient
  public func output(at index: Elements.Index) -> Optional<Self.Output>.Publisher {
    Optional.Publisher(sequence.startIndex <= index && index < sequence.endIndex ? sequence[index] : nil)
  }
}

extension Publishers.Sequence where Elements: Collection {
  /// Publishes the elements in a range of indices; traps where the collection does.
  @_alwaysEmitIntoClient
  public func output(in range: Range<Elements.Index>) -> Publishers.Sequence<[Self.Output], Failure> {
    Publishers.Sequence<[Self.Output], Failure>(sequence: Array(sequence[range]))
  }
}

extension Publishers.Sequence where Elements: RandomAccessCollection {
  /// Publishes the elements in a range of indices; traps where the collection does.
  @_alwaysEmitIntoClient
  public func output(in range: Range<Elements.Index>) -> Publishers.Sequence<[Self.Output], Failure> {
    Publishers.Sequence<[Self.Output], Failure>(sequence: Array(sequence[range]))
  }
}
