// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// Operators on one value or a failure return plain publishers. Their closures run once, at the call, not at the
// subscription. A failure stays a failure, and no closure for values runs.

// MARK: - Mapping

extension Result.Publisher: _OwnMap {
  /// Transforms the value with a closure, at once.
  @_alwaysEmitIntoClient
  public func map<T>(_ transform: (Output) -> T) -> Result<T, Failure>.Publisher {
    Result<T, Failure>.Publisher(result.map(transform))
  }

  /// Transforms the value with a throwing closure, at once.
  ///
  /// An error that the closure throws becomes the failure.
  @_alwaysEmitIntoClient
  public func tryMap<T>(_ transform: (Output) throws -> T) -> Result<T, any Error>.Publisher {
    Result<T, any Error> { try transform(result.get()) }.publisher
  }

  /// Combines an initial result with the value, at once.
  @_alwaysEmitIntoClient
  public func scan<T>(_ initialResult: T, _ nextPartialResult: (T, Output) -> T) -> Result<T, Failure>.Publisher {
    map { nextPartialResult(initialResult, $0) }
  }

  /// Combines an initial result with the value, at once.
  ///
  /// An error that the closure throws becomes the failure.
  @_alwaysEmitIntoClient
  public func tryScan<T>(
    _ initialResult: T, _ nextPartialResult: (T, Output) throws -> T
  ) -> Result<T, any Error>.Publisher {
    tryMap { try nextPartialResult(initialResult, $0) }
  }
}

// MARK: - Filtering

extension Result.Publisher {
  /// Returns this publisher: a single value has no duplicate.
  ///
  /// The closure is not called.
  @_alwaysEmitIntoClient
  public func removeDuplicates(by predicate: (Output, Output) -> Bool) -> Result<Output, Failure>.Publisher {
    self
  }

  /// Calls a closure once, at once, with the value as both arguments, only to find out whether it throws.
  @_alwaysEmitIntoClient
  public func tryRemoveDuplicates(
    by predicate: (Output, Output) throws -> Bool
  ) -> Result<Output, any Error>.Publisher {
    tryMap { output in
      _ = try predicate(output, output)
      return output
    }
  }

  /// Returns this publisher, which is not empty.
  @_alwaysEmitIntoClient
  public func replaceEmpty(with output: Output) -> Result<Output, Failure>.Publisher {
    self
  }

  /// Drops the value and the failure: as in Combine, the resulting publisher finishes at once.
  @_alwaysEmitIntoClient
  public func ignoreOutput() -> Empty<Output, Failure> {
    Empty()
  }
}

extension Result.Publisher where Success: Equatable {
  /// Returns this publisher: a single value has no duplicate.
  @_alwaysEmitIntoClient
  public func removeDuplicates() -> Result<Output, Failure>.Publisher {
    self
  }
}

// MARK: - Failures

extension Result.Publisher {
  /// Converts the failure with a closure, at once.
  @_alwaysEmitIntoClient
  public func mapError<E: Error>(_ transform: (Failure) -> E) -> Result<Output, E>.Publisher {
    Result<Output, E>.Publisher(result.mapError(transform))
  }

  /// Replaces a failure with a given value.
  @_alwaysEmitIntoClient
  public func replaceError(with output: Output) -> Result<Output, Never>.Publisher {
    Result<Output, Never>.Publisher(result.flatMapError { _ in .success(output) })
  }

  /// Returns this publisher: another attempt would give the same result.
  @_alwaysEmitIntoClient
  public func retry(_ times: Int) -> Result<Output, Failure>.Publisher {
    self
  }
}

extension Result.Publisher where Failure == Never {
  /// Changes the failure type.
  @_alwaysEmitIntoClient
  public func setFailureType<E: Error>(to failureType: E.Type) -> Result<Output, E>.Publisher {
    Result<Output, E>.Publisher(.success(result.get()))
  }
}

// MARK: - Folding and counting

extension Result.Publisher {
  /// Combines an initial result with the value, at once.
  @_alwaysEmitIntoClient
  public func reduce<T>(_ initialResult: T, _ nextPartialResult: (T, Output) -> T) -> Result<T, Failure>.Publisher {
    map { nextPartialResult(initialResult, $0) }
  }

  /// Combines an initial result with the value, at once.
  ///
  /// An error that the closure throws becomes the failure.
  @_alwaysEmitIntoClient
  public func tryReduce<T>(
    _ initialResult: T, _ nextPartialResult: (T, Output) throws -> T
  ) -> Result<T, any Error>.Publisher {
    tryMap { try nextPartialResult(initialResult, $0) }
  }

  /// Publishes an array of the value.
  @_alwaysEmitIntoClient
  public func collect() -> Result<[Output], Failure>.Publisher {
    map { [$0] }
  }

  /// Publishes a count of 1.
  @_alwaysEmitIntoClient
  public func count() -> Result<Int, Failure>.Publisher {
    map { _ in 1 }
  }

  /// Returns this publisher: its value is the smallest.
  ///
  /// The closure is not called.
  @_alwaysEmitIntoClient
  public func min(by areInIncreasingOrder: (Output, Output) -> Bool) -> Result<Output, Failure>.Publisher {
    self
  }

  /// Compares the value with itself, at once, only to find out whether the closure throws.
  @_alwaysEmitIntoClient
  public func tryMin(
    by areInIncreasingOrder: (Output, Output) throws -> Bool
  ) -> Result<Output, any Error>.Publisher {
    tryRemoveDuplicates(by: areInIncreasingOrder)
  }

  /// Returns this publisher: its value is the largest.
  ///
  /// The closure is not called.
  @_alwaysEmitIntoClient
  public func max(by areInIncreasingOrder: (Output, Output) -> Bool) -> Result<Output, Failure>.Publisher {
    self
  }

  /// Compares the value with itself, at once, only to find out whether the closure throws.
  @_alwaysEmitIntoClient
  public func tryMax(
    by areInIncreasingOrder: (Output, Output) throws -> Bool
  ) -> Result<Output, any Error>.Publisher {
    tryRemoveDuplicates(by: areInIncreasingOrder)
  }
}

extension Result.Publisher where Success: Comparable {
  /// Returns this publisher: its value is the smallest.
  @_alwaysEmitIntoClient
  public func min() -> Result<Output, Failure>.Publisher {
    self
  }

  /// Returns this publisher: its value is the largest.
  @_alwaysEmitIntoClient
  public func max() -> Result<Output, Failure>.Publisher {
    self
  }
}

// MARK: - Testing and picking

extension Result.Publisher {
  /// Publishes whether the value satisfies a predicate, which is called at once.
  @_alwaysEmitIntoClient
  public func allSatisfy(_ predicate: (Output) -> Bool) -> Result<Bool, Failure>.Publisher {
    map(predicate)
  }

  /// Publishes whether the value satisfies a predicate, which is called at once.
  ///
  /// An error that the closure throws becomes the failure.
  @_alwaysEmitIntoClient
  public func tryAllSatisfy(_ predicate: (Output) throws -> Bool) -> Result<Bool, any Error>.Publisher {
    tryMap(predicate)
  }

  /// Publishes whether the value satisfies a predicate, which is called at once.
  @_alwaysEmitIntoClient
  public func contains(where predicate: (Output) -> Bool) -> Result<Bool, Failure>.Publisher {
    map(predicate)
  }

  /// Publishes whether the value satisfies a predicate, which is called at once.
  ///
  /// An error that the closure throws becomes the failure.
  @_alwaysEmitIntoClient
  public func tryContains(where predicate: (Output) throws -> Bool) -> Result<Bool, any Error>.Publisher {
    tryMap(predicate)
  }

  /// Returns this publisher: its value is the first.
  @_alwaysEmitIntoClient
  public func first() -> Result<Output, Failure>.Publisher {
    self
  }

  /// Returns this publisher: its value is the last.
  @_alwaysEmitIntoClient
  public func last() -> Result<Output, Failure>.Publisher {
    self
  }
}

extension Result.Publisher where Success: Equatable {
  /// Publishes whether the value equals another one.
  @_alwaysEmitIntoClient
  public func contains(_ output: Output) -> Result<Bool, Failure>.Publisher {
    map { $0 == output }
  }
}
