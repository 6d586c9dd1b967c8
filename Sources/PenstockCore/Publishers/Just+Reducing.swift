// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// More operators that run at once; see Just+Operators.swift.

// MARK: - Folding and counting

extension Just {
  /// Combines an initial value with the value, now.
  @inlinable
  public func reduce<T>(_ initialResult: T, _ nextPartialResult: (T, Output) -> T) -> Result<T, Never>.Publisher {
    Result.Publisher(.success(nextPartialResult(initialResult, output)))
  }

  /// Combines an initial value with the value, now.
  ///
  /// What the closure throws becomes the failure.
  @inlinable
  public func tryReduce<T>(
    _ initialResult: T, _ nextPartialResult: (T, Output) throws -> T
  ) -> Result<T, any Error>.Publisher {
    Result { try nextPartialResult(initialResult, output) }.publisher
  }

  /// Puts the value into an array.
  @inlinable
  public func collect() -> Just<[Output]> {
    Just<[Output]>([output])
  }

  /// Counts to 1.
  @inlinable
  public func count() -> Just<Int> {
    Just<Int>(1)
  }

  /// Returns this publisher: its value is the smallest.
  ///
  /// The closure does not run.
  @inlinable
  public func min(by areInIncreasingOrder: (Output, Output) -> Bool) -> Just<Output> {
    self
  }

  /// Returns this publisher: its value is the largest.
  ///
  /// The closure does not run.
  @inlinable
  public func max(by areInIncreasingOrder: (Output, Output) -> Bool) -> Just<Output> {
    self
  }
}

extension Just where Output: Comparable {
  /// Returns this publisher: its value is the smallest.
  @inlinable
  public func min() -> Just<Output> {
    self
  }

  /// Returns this publisher: its value is the largest.
  @inlinable
  public func max() -> Just<Output> {
    self
  }
}

// MARK: - Testing

extension Just {
  /// Says whether a closure says yes to the value, now.
  @inlinable
  public func allSatisfy(_ predicate: (Output) -> Bool) -> Just<Bool> {
    Just<Bool>(predicate(output))
  }

  /// Says whether a closure says yes to the value, now.
  ///
  /// What it throws becomes the failure.
  @inlinable
  public func tryAllSatisfy(_ predicate: (Output) throws -> Bool) -> Result<Bool, any Error>.Publisher {
    Result { try predicate(output) }.publisher
  }

  /// Says whether a closure says yes to the value, now.
  @inlinable
  public func contains(where predicate: (Output) -> Bool) -> Just<Bool> {
    Just<Bool>(predicate(output))
  }

  /// Says whether a closure says yes to the value, now.
  ///
  /// What it throws becomes the failure.
  @inlinable
  public func tryContains(where predicate: (Output) throws -> Bool) -> Result<Bool, any Error>.Publisher {
    Result { try predicate(output) }.publisher
  }
}

extension Just where Output: Equatable {
  /// Says whether the value equals another one.
  @inlinable
  public func contains(_ output: Output) -> Just<Bool> {
    Just<Bool>(self.output == output)
  }
}

// MARK: - Picking

extension Just {
  /// Returns this publisher: its value is the first.
  @inlinable
  public func first() -> Just<Output> {
    self
  }

  /// Keeps the value if a closure says yes, now.
  @inlinable
  public func first(where predicate: (Output) -> Bool) -> Optional<Output>.Publisher {
    filter(predicate)
  }

  /// Returns this publisher: its value is the last.
  @inlinable
  public func last() -> Just<Output> {
    self
  }

  /// Keeps the value if a closure says yes, now.
  @inlinable
  public func last(where predicate: (Output) -> Bool) -> Optional<Output>.Publisher {
    filter(predicate)
  }

  /// Keeps the value if none is to be dropped.
  ///
  /// A negative count traps.
  @inlinable
  public func dropFirst(_ count: Int = 1) -> Optional<Output>.Publisher {
    Optional.Publisher(output).dropFirst(count)
  }

  /// Keeps the value unless a closure says yes, now.
  @inlinable
  public func drop(while predicate: (Output) -> Bool) -> Optional<Output>.Publisher {
    Optional.Publisher(predicate(output) ? nil : output)
  }

  /// Keeps the value if at least one is wanted.
  ///
  /// A negative count traps.
  @inlinable
  public func prefix(_ maxLength: Int) -> Optional<Output>.Publisher {
    Optional.Publisher(output).prefix(maxLength)
  }

  /// Keeps the value if a closure says yes, now.
  @inlinable
  public func prefix(while predicate: (Output) -> Bool) -> Optional<Output>.Publisher {
    filter(predicate)
  }

  /// Keeps the value if the first one is wanted.
  ///
  /// A negative position traps.
  @inlinable
  public func output(at index: Int) -> Optional<Output>.Publisher {
    Optional.Publisher(output).output(at: index)
  }

  /// Keeps the value if the range begins at 0.
  ///
  /// As in Combine it need not hold 0, and may begin below it.
  @inlinable
  public func output<R: RangeExpression>(in range: R) -> Optional<Output>.Publisher where R.Bound == Int {
    Optional.Publisher(range.relative(to: 0..<Int.max).lowerBound == 0 ? output : nil)
  }
}
