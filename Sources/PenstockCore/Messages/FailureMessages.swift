// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// For the compiler's messages alone: overloads that take arguments that the operator of that name does not, and say
// what to do. None of them can be called, and the compiler looks at them only where the program does not compile
// without them.

extension Publisher {
  @_documentation(visibility: internal)
  @_disfavoredOverload
  @available(
    *, unavailable,
    message: "this publisher can fail: use sink(receiveCompletion:receiveValue:), or replaceError(with:) before it"
  )
  public func sink(receiveValue: @escaping (Output) -> Void) -> AnyCancellable { onlyForItsMessage() }

  @_documentation(visibility: internal)
  @_disfavoredOverload
  @available(*, unavailable, message: "this publisher can fail: put replaceError(with:) or catch(_:) before it")
  public func assign<Root>(to keyPath: ReferenceWritableKeyPath<Root, Output>, on object: Root) -> AnyCancellable {
    onlyForItsMessage()
  }

  @_documentation(visibility: internal)
  @_disfavoredOverload
  @available(*, unavailable, message: "this publisher can fail: put replaceError(with:) or catch(_:) before it")
  public func assign(to published: inout Published<Output>.Publisher) { onlyForItsMessage() }

  @_documentation(visibility: internal)
  @_disfavoredOverload
  @available(
    *, unavailable,
    message: "another failure is declared: put setFailureType(to:), mapError(_:) or replaceError(with:) before it"
  )
  public func eraseToAnyPublisher<DeclaredFailure: Error>() -> AnyPublisher<Output, DeclaredFailure> {
    onlyForItsMessage()
  }

  @_documentation(visibility: internal)
  @_disfavoredOverload
  @available(
    *, unavailable,
    message: "the failures differ: put mapError(_:) on one publisher, or replaceError(with:) on the inner one"
  )
  public func flatMap<P: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> P
  ) -> Publishers.FlatMap<AnyPublisher<P.Output, Failure>, Self> { onlyForItsMessage() }

  @_documentation(visibility: internal)
  @_disfavoredOverload
  @available(
    *, unavailable,
    message: "the failures differ: put setFailureType(to:) on the publisher whose failure is Never, else mapError(_:)"
  )
  public func combineLatest<P: Publisher>(_ other: P) -> AnyPublisher<(Output, P.Output), Failure> {
    onlyForItsMessage()
  }

  @_documentation(visibility: internal)
  @_disfavoredOverload
  @available(
    *, unavailable,
    message: "the failures differ: put setFailureType(to:) on the publisher whose failure is Never, else mapError(_:)"
  )
  public func combineLatest<P: Publisher, T>(
    _ other: P, _ transform: @escaping (Output, P.Output) -> T
  ) -> AnyPublisher<T, Failure> { onlyForItsMessage() }

  @_documentation(visibility: internal)
  @_disfavoredOverload
  @available(
    *, unavailable,
    message: "the failures differ: put setFailureType(to:) on the publisher whose failure is Never, else mapError(_:)"
  )
  public func zip<P: Publisher>(_ other: P) -> AnyPublisher<(Output, P.Output), Failure> { onlyForItsMessage() }

  @_documentation(visibility: internal)
  @_disfavoredOverload
  @available(
    *, unavailable,
    message: "the failures differ: put setFailureType(to:) on the publisher whose failure is Never, else mapError(_:)"
  )
  public func zip<P: Publisher, T>(
    _ other: P, _ transform: @escaping (Output, P.Output) -> T
  ) -> AnyPublisher<T, Failure> { onlyForItsMessage() }

  @_documentation(visibility: internal)
  @_disfavoredOverload
  @available(
    *, unavailable,
    message: "the failures differ: put setFailureType(to:) on the publisher whose failure is Never, else mapError(_:)"
  )
  public func merge<P: Publisher>(with other: P) -> AnyPublisher<Output, Failure> where P.Output == Output {
    onlyForItsMessage()
  }
}

extension Publisher where Output: Publisher {
  @_documentation(visibility: internal)
  @_disfavoredOverload
  @available(
    *, unavailable,
    message: "the failures differ: put mapError(_:) on one publisher, or replaceError(with:) on the inner one"
  )
  public func switchToLatest() -> AnyPublisher<Output.Output, Failure> { onlyForItsMessage() }
}

/// The body of a declaration that exists for the compiler's message alone.
package func onlyForItsMessage() -> Never {
  trap(.unavailable(what: "A declaration that is there for the compiler's message alone", instead: "Call another one."))
}
