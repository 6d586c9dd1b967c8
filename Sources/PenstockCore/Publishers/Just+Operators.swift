// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// Operators on one value return plain publishers. Their closures run once, at the call, not at the subscription. These
// overloads win over those of `Publisher` wherever the compiler sees that the upstream is a `Just`.

// MARK: - Mapping

extension Just {
  /// Puts the value through a closure, now.
  @inlinable
  public func map<T>(_ transform: (Output) -> T) -> Just<T> {
    Just<T>(transform(output))
  }

  /// Puts the value through a closure that may throw, now.
  ///
  /// What it throws becomes the failure.
  @inlinable
  public func tryMap<T>(_ transform: (Output) throws -> T) -> Result<T, any Error>.Publisher {
    Result { try transform(output) }.publisher
  }

  /// Combines an initial value with the value, now.
  @inlinable
  public func scan<T>(_ initialResult: T, _ nextPartialResult: (T, Output) -> T) -> Result<T, Never>.Publisher {
    Result.Publisher(.success(nextPartialResult(initialResult, output)))
  }

  /// Combines an initial value with the value, now.
  ///
  /// What the closure throws becomes the failure.
  @inlinable
  public func tryScan<T>(
    _ initialResult: T, _ nextPartialResult: (T, Output) throws -> T
  ) -> Result<T, any Error>.Publisher {
    Result { try nextPartialResult(initialResult, output) }.publisher
  }

  /// Changes the failure type.
  ///
  /// There is no failure, so the closure never runs.
  @inlinable
  public func mapError<E: Error>(_ transform: (Never) -> E) -> Result<Output, E>.Publisher {
    Result.Publisher(.success(output))
  }

  /// Changes the failure type.
  @inlinable
  public func setFailureType<E: Error>(to failureType: E.Type) -> Result<Output, E>.Publisher {
    Result.Publisher(.success(output))
  }
}

// MARK: - Filtering

extension Just {
  /// Keeps the value if a closure says yes, now.
  @inlinable
  public func filter(_ isIncluded: (Output) -> Bool) -> Optional<Output>.Publisher {
    Optional.Publisher(isIncluded(output) ? output : nil)
  }

  /// Puts the value through a closure, now, and keeps what is not `nil`.
  @inlinable
  public func compactMap<T>(_ transform: (Output) -> T?) -> Optional<T>.Publisher {
    Optional.Publisher(transform(output))
  }

  /// Returns this publisher: one value repeats nothing.
  ///
  /// The closure does not run.
  @inlinable
  public func removeDuplicates(by predicate: (Output, Output) -> Bool) -> Just<Output> {
    self
  }

  /// Asks a closure once, now, whether the value equals itself, only to see whether it throws.
  @inlinable
  public func tryRemoveDuplicates(
    by predicate: (Output, Output) throws -> Bool
  ) -> Result<Output, any Error>.Publisher {
    Result {
      _ = try predicate(output, output)
      return output
    }.publisher
  }

  /// Returns this publisher, which is not empty.
  @inlinable
  public func replaceEmpty(with output: Output) -> Just<Output> {
    self
  }

  /// Drops the value: what is left finishes at once.
  @inlinable
  public func ignoreOutput() -> Empty<Output, Never> {
    Empty()
  }
}

extension Just where Output: Equatable {
  /// Returns this publisher: one value repeats nothing.
  @inlinable
  public func removeDuplicates() -> Just<Output> {
    self
  }
}

// MARK: - Failures

extension Just {
  /// Returns this publisher, which does not fail.
  @inlinable
  public func replaceError(with output: Output) -> Just<Output> {
    self
  }

  /// Returns this publisher, which does not fail.
  @inlinable
  public func retry(_ times: Int) -> Just<Output> {
    self
  }
}

// MARK: - Concatenating

extension Just {
  /// Puts values before this one.
  @inlinable
  public func prepend(_ elements: Output...) -> Publishers.Sequence<[Output], Never> {
    prepend(elements)
  }

  /// Puts the elements of a sequence before this value.
  ///
  /// The sequence is read now.
  @inlinable
  public func prepend<S: Sequence>(_ elements: S) -> Publishers.Sequence<[Output], Never> where S.Element == Output {
    Publishers.Sequence(sequence: elements + [output])
  }

  /// Puts values behind this one.
  @inlinable
  public func append(_ elements: Output...) -> Publishers.Sequence<[Output], Never> {
    append(elements)
  }

  /// Puts the elements of a sequence behind this value.
  ///
  /// The sequence is read now.
  @inlinable
  public func append<S: Sequence>(_ elements: S) -> Publishers.Sequence<[Output], Never> where S.Element == Output {
    Publishers.Sequence(sequence: [output] + elements)
  }
}
