// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// For the compiler's messages alone, as in FailureMessages.swift.

extension Publisher {
  @_documentation(visibility: internal)
  @_disfavoredOverload
  @available(*, unavailable, message: "the publishers have different outputs: put map(_:) on one of them")
  public func merge<P: Publisher>(with other: P) -> AnyPublisher<Output, Failure> where P.Failure == Failure {
    onlyForItsMessage()
  }

  @_documentation(visibility: internal)
  @_disfavoredOverload
  @available(*, unavailable, message: "the closure has to return a publisher: use the sequence's property publisher")
  public func flatMap<S: Sequence>(
    maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> S
  ) -> AnyPublisher<S.Element, Failure> { onlyForItsMessage() }

  @_documentation(visibility: internal)
  @_disfavoredOverload
  @available(
    *, unavailable, message: "all branches have to return a publisher, of one type: for a value, use map(_:)"
  )
  public func flatMap<T>(
    maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> T
  ) -> AnyPublisher<T, Failure> { onlyForItsMessage() }

  @_documentation(visibility: internal)
  @_disfavoredOverload
  @available(
    *, unavailable,
    message: "the values have to be publishers: put a map(_:) before it that makes a publisher of each"
  )
  public func switchToLatest() -> AnyPublisher<Output, Failure> { onlyForItsMessage() }
}

extension Publisher where Failure == Never {
  @_documentation(visibility: internal)
  @_disfavoredOverload
  @available(
    *, unavailable,
    message: "assign(to:) takes a published property: assign(to: &$property); for any other, assign(to:on:)"
  )
  public func assign(to property: inout Output) { onlyForItsMessage() }

  @_documentation(visibility: internal)
  @_disfavoredOverload
  @available(
    *, unavailable,
    message: "the property cannot be set here: it has to be a variable of a class, with a setter in reach"
  )
  public func assign<Root>(to keyPath: KeyPath<Root, Output>, on object: Root) -> AnyCancellable { onlyForItsMessage() }

  @_documentation(visibility: internal)
  @_disfavoredOverload
  @available(
    *, unavailable,
    message: "the property is optional and the values are not: put map(Optional.some) before it"
  )
  public func assign<Root>(to keyPath: ReferenceWritableKeyPath<Root, Output?>, on object: Root) -> AnyCancellable {
    onlyForItsMessage()
  }
}

extension AnyCancellable {
  @_documentation(visibility: internal)
  @_disfavoredOverload
  @available(*, unavailable, message: "it takes a collection; assign a single one: cancellable = publisher.sink { … }")
  public func store(in cancellable: inout AnyCancellable?) { onlyForItsMessage() }
}
