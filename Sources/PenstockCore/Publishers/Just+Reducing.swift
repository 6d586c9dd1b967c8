// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// More operators that run at once; see Just+Operators.swift.

// MARK: - Folding and counting

extension Just {
  /// Combines an initial result with the value, at once.
  @_alwaysEmitIntoClient
  public func reduce<T>(_ initialResult: T, _ nextPartialResult: (T, Output) -> T) -> Result<T, Never>.Publisher {
    Result.Publisher(.success(nextPartialResult(initialResult, output)))
  }

  /// Combines an initial result with the value, at once.
  ///
  /// An error that the closure throws becomes the failure.
  @_alwaysEmitIntoClient
  public func tryReduce<T>(
    _ initialResult: T, _ nextPartialResult: (T, Output) throws -> T
  ) -> Result<T, any Error>.Publisher {
    Result { try nextPartialResult(initialResult, output) }.publisher
  }

  /// Publishes an array of the value.
  @_alwaysEmitIntoClient
  public func collect() -> Just<[Output]> {
    Just<[Output]>([output])
  }

  /// Publishes a count of 1.
  @_alwaysEmitIntoClient
  public func count() -> Just<Int> {
    Just<Int>(1)
  }

  /// Returns this publisher: its value is the smallest.
  ///
  /// The closure is not called.
  @_alwaysEmitIntoClient
  public func min(by areInIncreasingOrder: (Output, Output) -> Bool) -> Just<Output> {
    self
  }

  /// Returns this publisher: its value is the largest.
  ///
  /// The closure is not called.
  @_alwaysEmitIntoClient
  public func max(by areInIncreasingOrder: (Output, Output) -> Bool) -> Just<Output> {
    self
  }
}

extension Just where Output: Comparable {
  /// Returns this publisher: its value is the smallest.
  @_alwaysEmitIntoClient
  public func min() -> Just<Output> {
    self
  }

  /// Returns this publisher: its value is the largest.
  @_alwaysEmitIntoClient
  public func max() -> Just<Output> {
    self
  }
}

// MARK: - Testing

extension Just {
  /// Publishes whether the value satisfies a predicate, which is called at once.
  @_alwaysEmitIntoClient
  public func allSatisfy(_ predicate: (Output) -> Bool) -> Just<Bool> {
    Just<Bool>(predicate(output))
  }

  /// Publishes whether the value satisfies a predicate, which is called at once.
  ///
  /// An error that the closure throws becomes the failure.
  @_alwaysEmitIntoClient
  public func tryAllSatisfy(_ predicate: (Output) throws -> Bool) -> Result<Bool, any Error>.Publisher {
    Result { try predicate(output) }.publisher
  }

  /// Publishes whether the value satisfies a predicate, which is called at once.
  @_alwaysEmitIntoClient
  public func contains(where predicate: (Output) -> Bool) -> Just<Bool> {
    Just<Bool>(predicate(output))
  }

  /// Publishes whether the value satisfies a predicate, which is called at once.
  ///
  /// An error that the closure throws becomes the failure.
  @_alwaysEmitIntoClient
  public func tryContains(where predicate: (Output) throws -> Bool) -> Result<Bool, any Error>.Publisher {
    Result { try predicate(output) }.publisher
  }
}

extension Just where Output: Equatable {
  /// Publishes whether the value equals another one.
  @_alwaysEmitIntoClient
  public func contains(_ output: Output) -> Just<Bool> {
    Just<Bool>(self.output == output)
  }
}

// MARK: - Picking

extension Just {
  /// Returns this publisher: its value is the first.
  @_alwaysEmitIntoClient
  public func first() -> Just<Output> {
    self
  }

  /// Keeps the value if it satisfies a predicate, which is called at once.
  @_alwaysEmitIntoClient
  public func first(where predicate: (Output) -> Bool) -> Optional<Output>.Publisher {
    filter(predicate)
  }

  /// Returns this publisher: its value is the last.
  @_alwaysEmitIntoClient
  public func last() -> Just<Output> {
    self
  }

  /// Keeps the value if it satisfies a predicate, which is called at once.
  @_alwaysEmitIntoClient
  public func last(where predicate: (Output) -> Bool) -> Optional<Output>.Publisher {
    filter(predicate)
  }

  /// Keeps the value if the number to skip is 0.
  ///
  /// A negative number traps.
  @_alwaysEmitIntoClient
  public func dropFirst(_ count: Int = 1) -> Optional<Output>.Publisher {
    Optional.Publisher(output).dropFirst(count)
  }

  /// Drops the value if it satisfies a predicate, which is called at once.
  @_alwaysEmitIntoClient
  public func drop(while predicate: (Output) -> Bool) -> Optional<Output>.Publisher {
    Optional.Publisher(predicate(output) ? nil : output)
  }

  /// Keeps the value if the maximum number is at least 1.
  ///
  /// A negative number traps.
  @_alwaysEmitIntoClient
  public func prefix(_ maxLength: Int) -> Optional<Output>.Publisher {
    Optional.Publisher(output).prefix(maxLength)
  }

  /// Keeps the value if it satisfies a predicate, which is called at once.
  @_alwaysEmitIntoClient
  public func prefix(while predicate: (Output) -> Bool) -> Optional<Output>.Publisher {
    filter(predicate)
  }

  /// Keeps the value if the index is 0.
  ///
  /// A negative index traps.
  @_alwaysEmitIntoClient
  public func output(at index: Int) -> Optional<Output>.Publisher {
    Optional.Publisher(output).output(at: index)
  }

  /// Keeps the value if the range begins at 0.
  ///
  /// As in Combine, the range need not contain 0, and may begin below it.
  @_alwaysEmitIntoClient
  public func output<R: RangeExpression>(in range: R) -> Optional<Output>.Publisher where R.Bound == Int {
    Optional.Publisher(range.relative(to: 0..<Int.max).lowerBound == 0 ? output : nil)
  }
}
