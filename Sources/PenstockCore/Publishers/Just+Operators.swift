// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// Operators on one value return plain publishers. Their closures run once, at the call, not at the subscription. These
// overloads win over those of `Publisher` wherever the compiler sees that the upstream is a `Just`.

// MARK: - Mapping

extension Just: _OwnMap {
  /// Transforms the value with a closure, at once.
  @_alwaysEmitIntoClient
  public func map<T>(_ transform: (Output) -> T) -> Just<T> {
    Just<T>(transform(output))
  }

  /// Transforms the value with a throwing closure, at once.
  ///
  /// An error that the closure throws becomes the failure.
  @_alwaysEmitIntoClient
  public func tryMap<T>(_ transform: (Output) throws -> T) -> Result<T, any Error>.Publisher {
    Result { try transform(output) }.publisher
  }

  /// Combines an initial result with the value, at once.
  @_alwaysEmitIntoClient
  public func scan<T>(_ initialResult: T, _ nextPartialResult: (T, Output) -> T) -> Result<T, Never>.Publisher {
    Result.Publisher(.success(nextPartialResult(initialResult, output)))
  }

  /// Combines an initial result with the value, at once.
  ///
  /// An error that the closure throws becomes the failure.
  @_alwaysEmitIntoClient
  public func tryScan<T>(
    _ initialResult: T, _ nextPartialResult: (T, Output) throws -> T
  ) -> Result<T, any Error>.Publisher {
    Result { try nextPartialResult(initialResult, output) }.publisher
  }

  /// Changes the failure type.
  ///
  /// The publisher cannot fail, so the closure never runs.
  @_alwaysEmitIntoClient
  public func mapError<E: Error>(_ transform: (Never) -> E) -> Result<Output, E>.Publisher {
    Result.Publisher(.success(output))
  }

  /// Changes the failure type.
  @_alwaysEmitIntoClient
  public func setFailureType<E: Error>(to failureType: E.Type) -> Result<Output, E>.Publisher {
    Result.Publisher(.success(output))
  }
}

// MARK: - Filtering

extension Just {
  /// Keeps the value if it satisfies a predicate, which is called at once.
  @_alwaysEmitIntoClient
  public func filter(_ isIncluded: (Output) -> Bool) -> Optional<Output>.Publisher {
    Optional.Publisher(isIncluded(output) ? output : nil)
  }

  /// Transforms the value with a closure, at once, and keeps the result if it is not `nil`.
  @_alwaysEmitIntoClient
  public func compactMap<T>(_ transform: (Output) -> T?) -> Optional<T>.Publisher {
    Optional.Publisher(transform(output))
  }

  /// Returns this publisher: a single value has no duplicate.
  ///
  /// The closure is not called.
  @_alwaysEmitIntoClient
  public func removeDuplicates(by predicate: (Output, Output) -> Bool) -> Just<Output> {
    self
  }

  /// Calls a closure once, at once, with the value as both arguments, only to find out whether it throws.
  @_alwaysEmitIntoClient
  public func tryRemoveDuplicates(
    by predicate: (Output, Output) throws -> Bool
  ) -> Result<Output, any Error>.Publisher {
    Result {
      _ = try predicate(output, output)
      return output
    }.publisher
  }

  /// Returns this publisher, which is not empty.
  @_alwaysEmitIntoClient
  public func replaceEmpty(with output: Output) -> Just<Output> {
    self
  }

  /// Drops the value: the resulting publisher finishes at once.
  @_alwaysEmitIntoClient
  public func ignoreOutput() -> Empty<Output, Never> {
    Empty()
  }
}

extension Just where Output: Equatable {
  /// Returns this publisher: a single value has no duplicate.
  @_alwaysEmitIntoClient
  public func removeDuplicates() -> Just<Output> {
    self
  }
}

// MARK: - Failures

extension Just {
  /// Returns this publisher, which cannot fail.
  @_alwaysEmitIntoClient
  public func replaceError(with output: Output) -> Just<Output> {
    self
  }

  /// Returns this publisher, which cannot fail.
  @_alwaysEmitIntoClient
  public func retry(_ times: Int) -> Just<Output> {
    self
  }
}

// MARK: - Concatenating

extension Just {
  /// Publishes given values before this one.
  @_alwaysEmitIntoClient
  public func prepend(_ elements: Output...) -> Publishers.Sequence<[Output], Never> {
    prepend(elements)
  }

  /// Publishes the elements of a sequence before this value.
  ///
  /// The sequence is read at once.
  @_alwaysEmitIntoClient
  public func prepend<S: Sequence>(_ elements: S) -> Publishers.Sequence<[Output], Never> where S.Element == Output {
    Publishers.Sequence(sequence: elements + [output])
  }

  /// Publishes given values after this one.
  @_alwaysEmitIntoClient
  public func append(_ elements: Output...) -> Publishers.Sequence<[Output], Never> {
    append(elements)
  }

  /// Publishes the elements of a sequence after this value.
  ///
  /// The sequence is read at once.
  @_alwaysEmitIntoClient
  public func append<S: Sequence>(_ elements: S) -> Publishers.Sequence<[Output], Never> where S.Element == Output {
    Publishers.Sequence(sequence: [output] + elements)
  }
}
