// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// Operators on at most one value return plain publishers. Their closures run once, at the call, not at the
// subscription. A publisher without a value stays without one, even where a stream without values would produce a
// result: see `contains`, `count` and `reduce`.

// MARK: - Mapping

extension Optional.Publisher: _OwnMap {
  /// Transforms the value with a closure, at once.
  @_alwaysEmitIntoClient
  public func map<T>(_ transform: (Output) -> T) -> Optional<T>.Publisher {
    Optional<T>.Publisher(output.map(transform))
  }

  /// Combines an initial result with the value, at once.
  @_alwaysEmitIntoClient
  public func scan<T>(_ initialResult: T, _ nextPartialResult: (T, Output) -> T) -> Optional<T>.Publisher {
    map { nextPartialResult(initialResult, $0) }
  }
}

// MARK: - Filtering

extension Optional.Publisher {
  /// Keeps the value if it satisfies a predicate, which is called at once.
  @_alwaysEmitIntoClient
  public func filter(_ isIncluded: (Output) -> Bool) -> Optional<Output>.Publisher {
    compactMap { isIncluded($0) ? $0 : nil }
  }

  /// Transforms the value with a closure, at once, and keeps the result if it is not `nil`.
  @_alwaysEmitIntoClient
  public func compactMap<T>(_ transform: (Output) -> T?) -> Optional<T>.Publisher {
    Optional<T>.Publisher(output.flatMap(transform))
  }

  /// Returns this publisher: a single value has no duplicate.
  ///
  /// The closure is not called.
  @_alwaysEmitIntoClient
  public func removeDuplicates(by predicate: (Output, Output) -> Bool) -> Optional<Output>.Publisher {
    self
  }

  /// Publishes the value, or a given value if there is none.
  @_alwaysEmitIntoClient
  public func replaceEmpty(with output: Output) -> Just<Output> {
    Just(self.output ?? output)
  }

  /// Returns this publisher, which cannot fail.
  @_alwaysEmitIntoClient
  public func replaceError(with output: Output) -> Optional<Output>.Publisher {
    self
  }

  /// Returns this publisher, which cannot fail.
  @_alwaysEmitIntoClient
  public func retry(_ times: Int) -> Optional<Output>.Publisher {
    self
  }

  /// Drops the value: the resulting publisher finishes at once.
  @_alwaysEmitIntoClient
  public func ignoreOutput() -> Empty<Output, Never> {
    Empty()
  }
}

extension Optional.Publisher where Wrapped: Equatable {
  /// Returns this publisher: a single value has no duplicate.
  @_alwaysEmitIntoClient
  public func removeDuplicates() -> Optional<Output>.Publisher {
    self
  }
}

// MARK: - Folding and counting

extension Optional.Publisher {
  /// Combines an initial result with the value, at once.
  ///
  /// Without a value there is no result, not even the initial one.
  @_alwaysEmitIntoClient
  public func reduce<T>(_ initialResult: T, _ nextPartialResult: (T, Output) -> T) -> Optional<T>.Publisher {
    map { nextPartialResult(initialResult, $0) }
  }

  /// Publishes an array of the value, if there is one.
  @_alwaysEmitIntoClient
  public func collect() -> Optional<[Output]>.Publisher {
    Optional<[Output]>.Publisher(output.map { [$0] } ?? [])
  }

  /// Publishes a count of 1.
  ///
  /// Without a value there is no result, not even 0.
  @_alwaysEmitIntoClient
  public func count() -> Optional<Int>.Publisher {
    map { _ in 1 }
  }

  /// Returns this publisher: its value is the smallest.
  ///
  /// The closure is not called.
  @_alwaysEmitIntoClient
  public func min(by areInIncreasingOrder: (Output, Output) -> Bool) -> Optional<Output>.Publisher {
    self
  }

  /// Returns this publisher: its value is the largest.
  ///
  /// The closure is not called.
  @_alwaysEmitIntoClient
  public func max(by areInIncreasingOrder: (Output, Output) -> Bool) -> Optional<Output>.Publisher {
    self
  }
}

extension Optional.Publisher where Wrapped: Comparable {
  /// Returns this publisher: its value is the smallest.
  @_alwaysEmitIntoClient
  public func min() -> Optional<Output>.Publisher {
    self
  }

  /// Returns this publisher: its value is the largest.
  @_alwaysEmitIntoClient
  public func max() -> Optional<Output>.Publisher {
    self
  }
}

// MARK: - Testing

extension Optional.Publisher {
  /// Publishes whether the value satisfies a predicate, which is called at once.
  ///
  /// Without a value there is no result.
  @_alwaysEmitIntoClient
  public func allSatisfy(_ predicate: (Output) -> Bool) -> Optional<Bool>.Publisher {
    map(predicate)
  }

  /// Publishes whether the value satisfies a predicate, which is called at once.
  ///
  /// Without a value there is no result.
  @_alwaysEmitIntoClient
  public func contains(where predicate: (Output) -> Bool) -> Optional<Bool>.Publisher {
    map(predicate)
  }
}

extension Optional.Publisher where Wrapped: Equatable {
  /// Publishes whether the value equals another one.
  ///
  /// Without a value there is no result.
  @_alwaysEmitIntoClient
  public func contains(_ output: Output) -> Optional<Bool>.Publisher {
    map { $0 == output }
  }
}

// MARK: - Picking

extension Optional.Publisher {
  /// Returns this publisher: its value is the first.
  @_alwaysEmitIntoClient
  public func first() -> Optional<Output>.Publisher {
    self
  }

  /// Keeps the value if it satisfies a predicate, which is called at once.
  @_alwaysEmitIntoClient
  public func first(where predicate: (Output) -> Bool) -> Optional<Output>.Publisher {
    filter(predicate)
  }

  /// Returns this publisher: its value is the last.
  @_alwaysEmitIntoClient
  public func last() -> Optional<Output>.Publisher {
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
    if count < 0 { trap(.negativeCount(operator: "dropFirst(_:)")) }
    return Optional<Output>.Publisher(count == 0 ? output : nil)
  }

  /// Drops the value if it satisfies a predicate, which is called at once.
  @_alwaysEmitIntoClient
  public func drop(while predicate: (Output) -> Bool) -> Optional<Output>.Publisher {
    filter { !predicate($0) }
  }

  /// Keeps the value if the maximum number is at least 1.
  ///
  /// A negative number traps.
  @_alwaysEmitIntoClient
  public func prefix(_ maxLength: Int) -> Optional<Output>.Publisher {
    if maxLength < 0 { trap(.negativeCount(operator: "prefix(_:)")) }
    return Optional<Output>.Publisher(maxLength > 0 ? output : nil)
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
    if index < 0 { trap(.boundOutOfRange(operator: "output(at:)")) }
    return Optional<Output>.Publisher(index == 0 ? output : nil)
  }

  /// Keeps the value if the range contains 0.
  ///
  /// **Traps:** a bound below 0, and an upper bound of `Int.max` or `Int.max - 1`. As in Combine, a range without an
  /// upper bound has an upper bound of `Int.max`.
  @_alwaysEmitIntoClient
  public func output<R: RangeExpression>(in range: R) -> Optional<Output>.Publisher where R.Bound == Int {
    let positions = range.relative(to: 0..<Int.max)
    // A range may have been made without a check of its bounds.
    if positions.lowerBound < 0 || positions.upperBound < positions.lowerBound || positions.upperBound >= Int.max - 1 {
      trap(.boundOutOfRange(operator: "output(in:)"))
    }
    return Optional<Output>.Publisher(positions.contains(0) ? output : nil)
  }
}
