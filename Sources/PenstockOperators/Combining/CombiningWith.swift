// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

// Operators for publishers with the same output and failure, under CombineExt's names. The publishers may be of several
// types, so they are erased.

extension Publisher {
  /// Republishes whichever of this publisher and others delivers first.
  ///
  /// ![The second of three delivers first: its values are published, the others cancelled.](amb-collection)
  ///
  /// ```swift
  /// let (near, far) = (PassthroughSubject<String, Never>(), PassthroughSubject<String, Never>())
  /// let cancellable = Empty(completeImmediately: false).amb(with: near, far).sink { print($0) }
  /// far.send("from afar")
  /// near.send("from here")
  /// // Prints "from afar".
  /// ```
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as for ``Swift/Collection/amb()``. The publishers are
  /// erased; write `[first, second].amb()` for those of one type, which costs less.
  ///
  /// - Parameter others: The other publishers.
  /// - Returns: A publisher of the values of one of them.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func amb<Other: Publisher>(with others: Other...) -> Publishers.Lifted<Output, Failure>
  where Other.Output == Output, Other.Failure == Failure {
    amb(with: others)
  }

  /// Republishes whichever of this publisher and a collection of others delivers first.
  ///
  /// ![The second of three delivers first: its values are published, the others cancelled.](amb-collection)
  ///
  /// ```swift
  /// let mirrors = [Just("a"), Just("b")]
  /// let cancellable = Empty(completeImmediately: false).amb(with: mirrors).sink { print($0) }
  /// // Prints "a".
  /// ```
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as for ``Swift/Collection/amb()``.
  ///
  /// - Parameter others: The other publishers.
  /// - Returns: A publisher of the values of one of them.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func amb<Others: Collection>(with others: Others) -> Publishers.Lifted<Output, Failure>
  where Others.Element: Publisher, Others.Element.Output == Output, Others.Element.Failure == Failure {
    joined(with: others).amb()
  }

  /// Gathers the values of this publisher and others in arrays: the first value of each, then the second of each.
  ///
  /// ![The first values of all are published as an array, then the second ones.](zip-collection)
  ///
  /// ```swift
  /// let cancellable = [1, 2].publisher.zip(with: [10, 20].publisher, [100, 200].publisher).sink { print($0) }
  /// // Prints "[1, 10, 100]", "[2, 20, 200]" on two lines.
  /// ```
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as for ``Swift/Collection/zip()``. The publishers are
  /// erased; write `[first, second].zip()` for those of one type, which costs less.
  ///
  /// Use `zip(_:)` for tuples, and for publishers of several outputs.
  ///
  /// - Parameter others: The other publishers.
  /// - Returns: A publisher of arrays with one value of each publisher.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func zip<Other: Publisher>(with others: Other...) -> Publishers.Lifted<[Output], Failure>
  where Other.Output == Output, Other.Failure == Failure {
    zip(with: others)
  }

  /// Gathers the values of this publisher and of a collection of others in arrays: the first value of each, then the second of
  /// each.
  ///
  /// ![The first values of all are published as an array, then the second ones.](zip-collection)
  ///
  /// ```swift
  /// let columns = [[10, 20].publisher, [100, 200].publisher]
  /// let cancellable = [1, 2].publisher.zip(with: columns).sink { print($0) }
  /// // Prints "[1, 10, 100]", "[2, 20, 200]" on two lines.
  /// ```
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as for ``Swift/Collection/zip()``.
  ///
  /// - Parameter others: The other publishers.
  /// - Returns: A publisher of arrays with one value of each publisher.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func zip<Others: Collection>(with others: Others) -> Publishers.Lifted<[Output], Failure>
  where Others.Element: Publisher, Others.Element.Output == Output, Others.Element.Failure == Failure {
    joined(with: others).zip()
  }

  /// Publishes the latest values of this publisher and others in an array, whenever one of them delivers a value.
  ///
  /// ![Once all have delivered, the latest values of all are published as an array, for each value of
  /// any.](combine-latest-collection)
  ///
  /// ```swift
  /// let (width, height) = (CurrentValueSubject<Int, Never>(1), CurrentValueSubject<Int, Never>(2))
  /// let cancellable = Just(0).combineLatest(with: width, height).sink { print($0) }
  /// height.value = 3
  /// // Prints "[0, 1, 2]", "[0, 1, 3]" on two lines.
  /// ```
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as for ``Swift/Collection/combineLatest()``. The
  /// publishers are erased; write `[first, second].combineLatest()` for those of one type, which costs less.
  ///
  /// Use `combineLatest(_:)` for tuples, and for publishers of several outputs.
  ///
  /// - Parameter others: The other publishers.
  /// - Returns: A publisher of arrays with the latest value of each publisher.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func combineLatest<Other: Publisher>(with others: Other...) -> Publishers.Lifted<[Output], Failure>
  where Other.Output == Output, Other.Failure == Failure {
    combineLatest(with: others)
  }

  /// Publishes the latest values of this publisher and of a collection of others in an array, whenever one of them delivers a
  /// value.
  ///
  /// ![Once all have delivered, the latest values of all are published as an array, for each value of
  /// any.](combine-latest-collection)
  ///
  /// ```swift
  /// let sides = [CurrentValueSubject<Int, Never>(1), CurrentValueSubject<Int, Never>(2)]
  /// let cancellable = Just(0).combineLatest(with: sides).sink { print($0) }
  /// sides[1].value = 3
  /// // Prints "[0, 1, 2]", "[0, 1, 3]" on two lines.
  /// ```
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as for ``Swift/Collection/combineLatest()``.
  ///
  /// - Parameter others: The other publishers.
  /// - Returns: A publisher of arrays with the latest value of each publisher.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func combineLatest<Others: Collection>(with others: Others) -> Publishers.Lifted<[Output], Failure>
  where Others.Element: Publisher, Others.Element.Output == Output, Others.Element.Failure == Failure {
    joined(with: others).combineLatest()
  }

  @inlinable
  internal consuming func joined<Others: Collection>(with others: Others) -> [AnyPublisher<Output, Failure>]
  where Others.Element: Publisher, Others.Element.Output == Output, Others.Element.Failure == Failure {
    [eraseToAnyPublisher()] + others.map { $0.eraseToAnyPublisher() }
  }
}
