// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// Operators on one value or a failure return plain publishers. Their closures run once, at the call, not at the
// subscription. A failure stays a failure, and no closure for values runs.

// MARK: - Mapping

extension Result.Publisher {
  /// Puts the value through a closure, now.
  @inlinable
  public func map<T>(_ transform: (Output) -> T) -> Result<T, Failure>.Publisher {
    Result<T, Failure>.Publisher(result.map(transform))
  }

  /// Puts the value through a closure that may throw, now.
  ///
  /// What it throws becomes the failure.
  @inlinable
  public func tryMap<T>(_ transform: (Output) throws -> T) -> Result<T, any Error>.Publisher {
    Result<T, any Error> { try transform(result.get()) }.publisher
  }

  /// Combines an initial value with the value, now.
  @inlinable
  public func scan<T>(_ initialResult: T, _ nextPartialResult: (T, Output) -> T) -> Result<T, Failure>.Publisher {
    map { nextPartialResult(initialResult, $0) }
  }

  /// Combines an initial value with the value, now.
  ///
  /// What the closure throws becomes the failure.
  @inlinable
  public func tryScan<T>(
    _ initialResult: T, _ nextPartialResult: (T, Output) throws -> T
  ) -> Result<T, any Error>.Publisher {
    tryMap { try nextPartialResult(initialResult, $0) }
  }
}

// MARK: - Filtering

extension Result.Publisher {
  /// Returns this publisher: one value repeats nothing.
  ///
  /// The closure does not run.
  @inlinable
  public func removeDuplicates(by predicate: (Output, Output) -> Bool) -> Result<Output, Failure>.Publisher {
    self
  }

  /// Asks a closure once, now, whether the value equals itself, only to see whether it throws.
  @inlinable
  public func tryRemoveDuplicates(
    by predicate: (Output, Output) throws -> Bool
  ) -> Result<Output, any Error>.Publisher {
    tryMap { output in
      _ = try predicate(output, output)
      return output
    }
  }

  /// Returns this publisher, which is not empty.
  @inlinable
  public func replaceEmpty(with output: Output) -> Result<Output, Failure>.Publisher {
    self
  }

  /// Drops the value, and the failure: as in Combine, what is left finishes at once.
  @inlinable
  public func ignoreOutput() -> Empty<Output, Failure> {
    Empty()
  }
}

extension Result.Publisher where Success: Equatable {
  /// Returns this publisher: one value repeats nothing.
  @inlinable
  public func removeDuplicates() -> Result<Output, Failure>.Publisher {
    self
  }
}

// MARK: - Failures

extension Result.Publisher {
  /// Puts the failure through a closure, now.
  @inlinable
  public func mapError<E: Error>(_ transform: (Failure) -> E) -> Result<Output, E>.Publisher {
    Result<Output, E>.Publisher(result.mapError(transform))
  }

  /// Gives another value in place of a failure.
  @inlinable
  public func replaceError(with output: Output) -> Result<Output, Never>.Publisher {
    Result<Output, Never>.Publisher(result.flatMapError { _ in .success(output) })
  }

  /// Returns this publisher: the result would be the same again.
  @inlinable
  public func retry(_ times: Int) -> Result<Output, Failure>.Publisher {
    self
  }
}

extension Result.Publisher where Failure == Never {
  /// Changes the failure type.
  @inlinable
  public func setFailureType<E: Error>(to failureType: E.Type) -> Result<Output, E>.Publisher {
    Result<Output, E>.Publisher(.success(result.get()))
  }
}

// MARK: - Folding and counting

extension Result.Publisher {
  /// Combines an initial value with the value, now.
  @inlinable
  public func reduce<T>(_ initialResult: T, _ nextPartialResult: (T, Output) -> T) -> Result<T, Failure>.Publisher {
    map { nextPartialResult(initialResult, $0) }
  }

  /// Combines an initial value with the value, now.
  ///
  /// What the closure throws becomes the failure.
  @inlinable
  public func tryReduce<T>(
    _ initialResult: T, _ nextPartialResult: (T, Output) throws -> T
  ) -> Result<T, any Error>.Publisher {
    tryMap { try nextPartialResult(initialResult, $0) }
  }

  /// Puts the value into an array.
  @inlinable
  public func collect() -> Result<[Output], Failure>.Publisher {
    map { [$0] }
  }

  /// Counts to 1.
  @inlinable
  public func count() -> Result<Int, Failure>.Publisher {
    map { _ in 1 }
  }

  /// Returns this publisher: its value is the smallest.
  ///
  /// The closure does not run.
  @inlinable
  public func min(by areInIncreasingOrder: (Output, Output) -> Bool) -> Result<Output, Failure>.Publisher {
    self
  }

  /// Compares the value with itself, now, only to see whether the closure throws.
  @inlinable
  public func tryMin(
    by areInIncreasingOrder: (Output, Output) throws -> Bool
  ) -> Result<Output, any Error>.Publisher {
    tryRemoveDuplicates(by: areInIncreasingOrder)
  }

  /// Returns this publisher: its value is the largest.
  ///
  /// The closure does not run.
  @inlinable
  public func max(by areInIncreasingOrder: (Output, Output) -> Bool) -> Result<Output, Failure>.Publisher {
    self
  }

  /// Compares the value with itself, now, only to see whether the closure throws.
  @inlinable
  public func tryMax(
    by areInIncreasingOrder: (Output, Output) throws -> Bool
  ) -> Result<Output, any Error>.Publisher {
    tryRemoveDuplicates(by: areInIncreasingOrder)
  }
}

extension Result.Publisher where Success: Comparable {
  /// Returns this publisher: its value is the smallest.
  @inlinable
  public func min() -> Result<Output, Failure>.Publisher {
    self
  }

  /// Returns this publisher: its value is the largest.
  @inlinable
  public func max() -> Result<Output, Failure>.Publisher {
    self
  }
}

// MARK: - Testing and picking

extension Result.Publisher {
  /// Says whether a closure says yes to the value, now.
  @inlinable
  public func allSatisfy(_ predicate: (Output) -> Bool) -> Result<Bool, Failure>.Publisher {
    map(predicate)
  }

  /// Says whether a closure says yes to the value, now.
  ///
  /// What it throws becomes the failure.
  @inlinable
  public func tryAllSatisfy(_ predicate: (Output) throws -> Bool) -> Result<Bool, any Error>.Publisher {
    tryMap(predicate)
  }

  /// Says whether a closure says yes to the value, now.
  @inlinable
  public func contains(where predicate: (Output) -> Bool) -> Result<Bool, Failure>.Publisher {
    map(predicate)
  }

  /// Says whether a closure says yes to the value, now.
  ///
  /// What it throws becomes the failure.
  @inlinable
  public func tryContains(where predicate: (Output) throws -> Bool) -> Result<Bool, any Error>.Publisher {
    tryMap(predicate)
  }

  /// Returns this publisher: its value is the first.
  @inlinable
  public func first() -> Result<Output, Failure>.Publisher {
    self
  }

  /// Returns this publisher: its value is the last.
  @inlinable
  public func last() -> Result<Output, Failure>.Publisher {
    self
  }
}

extension Result.Publisher where Success: Equatable {
  /// Says whether the value equals another one.
  @inlinable
  public func contains(_ output: Output) -> Result<Bool, Failure>.Publisher {
    map { $0 == output }
  }
}
