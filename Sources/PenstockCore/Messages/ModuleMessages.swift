// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// For the compiler's messages alone, as in FailureMessages.swift: overloads that name the module of an operator that
// this module does not have. In a program that imports the module, or has an operator of that name of its own, the
// compiler prefers that declaration. The overloads do not return AnyPublisher: if a program declares one as the result,
// and forgets to erase to it, the compiler would prefer these.

extension Publisher {
  @_documentation(visibility: internal)
  @_disfavoredOverload
  @available(*, unavailable, message: "it is in PenstockOperators, which this file does not import")
  public func withLatestFrom<P: Publisher>(_ other: P) -> some Publisher<P.Output, Failure> {
    Empty<P.Output, Failure>()
  }

  @_documentation(visibility: internal)
  @_disfavoredOverload
  @available(*, unavailable, message: "it is in PenstockOperators, which this file does not import")
  public func withLatestFrom<P: Publisher, T>(
    _ other: P, _ transform: @escaping (Output, P.Output) -> T
  ) -> some Publisher<T, Failure> {
    Empty<T, Failure>()
  }

  @_documentation(visibility: internal)
  @_disfavoredOverload
  @available(*, unavailable, message: "it is in PenstockOperators, which this file does not import")
  public func pairwise() -> some Publisher<(Output, Output), Failure> {
    Empty<(Output, Output), Failure>()
  }

  @_documentation(visibility: internal)
  @_disfavoredOverload
  @available(*, unavailable, message: "it is in PenstockOperators, which this file does not import")
  public func unwrap<T>() -> some Publisher<T, Failure> where Output == T? {
    Empty<T, Failure>()
  }

  @_documentation(visibility: internal)
  @_disfavoredOverload
  @available(*, unavailable, message: "it is in PenstockOperators, which this file does not import")
  public func shareReplay(capacity: Int = .max) -> some Publisher<Output, Failure> {
    Empty<Output, Failure>()
  }

  @_documentation(visibility: internal)
  @_disfavoredOverload
  @available(*, unavailable, message: "it is in PenstockOperators, which this file does not import")
  public func amb<P: Publisher>(_ other: P) -> some Publisher<Output, Failure> {
    Empty<Output, Failure>()
  }

  @_documentation(visibility: internal)
  @_disfavoredOverload
  @available(*, unavailable, message: "it is in PenstockOperators, which this file does not import")
  public func concatMap<P: Publisher>(_ transform: @escaping (Output) -> P) -> some Publisher<P.Output, Failure> {
    Empty<P.Output, Failure>()
  }

  @_documentation(visibility: internal)
  @_disfavoredOverload
  @available(*, unavailable, message: "it is in PenstockOperators, which this file does not import")
  public func flatMapLatest<P: Publisher>(_ transform: @escaping (Output) -> P) -> some Publisher<P.Output, Failure> {
    Empty<P.Output, Failure>()
  }

  @_documentation(visibility: internal)
  @_disfavoredOverload
  @available(*, unavailable, message: "it is in PenstockOperators, which this file does not import")
  public func flatMapFirst<P: Publisher>(_ transform: @escaping (Output) -> P) -> some Publisher<P.Output, Failure> {
    Empty<P.Output, Failure>()
  }

  @_documentation(visibility: internal)
  @_disfavoredOverload
  @available(*, unavailable, message: "it is in PenstockOperators, which this file does not import")
  public func materialize() -> some Publisher<Output, Never> {
    Empty<Output, Never>()
  }

  @_documentation(visibility: internal)
  @_disfavoredOverload
  @available(*, unavailable, message: "it is in PenstockOperators, which this file does not import")
  public func ignoreFailure() -> some Publisher<Output, Never> {
    Empty<Output, Never>()
  }

  @_documentation(visibility: internal)
  @_disfavoredOverload
  @available(*, unavailable, message: "it is in PenstockOperators, which this file does not import")
  public func mapToVoid() -> some Publisher<Void, Failure> {
    Empty<Void, Failure>()
  }

  @_documentation(visibility: internal)
  @_disfavoredOverload
  @available(*, unavailable, message: "it is in PenstockOperators, which this file does not import")
  public func enumerated() -> some Publisher<(index: Int, element: Output), Failure> {
    Empty<(index: Int, element: Output), Failure>()
  }

  @_documentation(visibility: internal)
  @_disfavoredOverload
  @available(*, unavailable, message: "it is in PenstockConcurrency, which this file does not import")
  public func mapAsync<T>(_ transform: @escaping (Output) async throws -> T) -> some Publisher<T, Failure> {
    Empty<T, Failure>()
  }
}

// Closures that wait or throw, where the operator cannot. Overloads for closures that throw come first: without them
// the compiler would mention waiting for a closure that only throws.
extension Publisher {
  @_documentation(visibility: internal)
  @_disfavoredOverload
  @available(*, unavailable, message: "the closure throws: use tryMap(_:)")
  public func map<T>(_ transform: @escaping (Output) throws -> T) -> AnyPublisher<T, Failure> { onlyForItsMessage() }

  @_documentation(visibility: internal)
  @_disfavoredOverload
  @available(*, unavailable, message: "the closure waits: use mapAsync(_:), with import PenstockConcurrency")
  public func map<T>(_ transform: @escaping (Output) async throws -> T) -> AnyPublisher<T, Failure> {
    onlyForItsMessage()
  }

  @_documentation(visibility: internal)
  @_disfavoredOverload
  @available(*, unavailable, message: "the closure throws: put what throws into a tryMap(_:) before it")
  public func flatMap<T>(
    maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) throws -> T
  ) -> AnyPublisher<T, Failure> { onlyForItsMessage() }

  @_documentation(visibility: internal)
  @_disfavoredOverload
  @available(
    *, unavailable,
    message: "the closure waits: import PenstockConcurrency, and use mapAsync(_:), or flatMap(_:) for a publisher"
  )
  public func flatMap<T>(
    maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) async throws -> T
  ) -> AnyPublisher<T, Failure> { onlyForItsMessage() }

  @_documentation(visibility: internal)
  @_disfavoredOverload
  @available(
    *, unavailable, message: "the closure throws: catch the error in it, or put what throws into a tryMap(_:)"
  )
  public func sink(receiveValue: @escaping (Output) throws -> Void) -> AnyCancellable { onlyForItsMessage() }

  @_documentation(visibility: internal)
  @_disfavoredOverload
  @available(
    *, unavailable,
    message: "the closure waits: put mapAsync(_:) of PenstockConcurrency before the sink, or iterate over values"
  )
  public func sink(receiveValue: @escaping (Output) async throws -> Void) -> AnyCancellable { onlyForItsMessage() }
}
