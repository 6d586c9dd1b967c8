// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// These overloads serve only the compiler's messages, as in PenstockCore: they cannot be called, and say what to do.

public import PenstockCore

extension SendablePublisher {
  @_documentation(visibility: internal)
  @_disfavoredOverload
  @available(
    *, unavailable,
    message: "the inner publisher is not checked: begin it with .sendable, or wrap it in SendablePublisher(unchecked:)"
  )
  public func flatMap<P: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> P
  ) -> SendablePublisher<AnyPublisher<P.Output, Failure>> { onlyForItsMessage() }

  @_documentation(visibility: internal)
  @_disfavoredOverload
  @available(
    *, unavailable,
    message: "the inner publisher is not checked: begin it with .sendable, or wrap it in SendablePublisher(unchecked:)"
  )
  public func flatMapFirst<P: Publisher>(_ transform: @escaping (Output) -> P) -> SendablePublisher<
    AnyPublisher<P.Output, Failure>
  > { onlyForItsMessage() }

  @_documentation(visibility: internal)
  @_disfavoredOverload
  @available(
    *, unavailable,
    message: "the inner publisher is not checked: begin it with .sendable, or wrap it in SendablePublisher(unchecked:)"
  )
  public func `catch`<P: Publisher>(_ transform: @escaping (Failure) -> P) -> SendablePublisher<
    AnyPublisher<P.Output, Failure>
  > { onlyForItsMessage() }

  @_documentation(visibility: internal)
  @_disfavoredOverload
  @available(
    *, unavailable,
    message: "the inner publisher is not checked: begin it with .sendable, or wrap it in SendablePublisher(unchecked:)"
  )
  public func tryCatch<P: Publisher>(_ transform: @escaping (Failure) throws -> P) -> SendablePublisher<
    AnyPublisher<P.Output, Failure>
  > { onlyForItsMessage() }

  @_documentation(visibility: internal)
  @_disfavoredOverload
  @available(
    *, unavailable,
    message: "the other publisher is not checked: add .sendable to it, or wrap it in SendablePublisher(unchecked:)"
  )
  public func merge<P: Publisher>(with other: P) -> SendablePublisher<AnyPublisher<Output, Failure>> {
    onlyForItsMessage()
  }

  @_documentation(visibility: internal)
  @_disfavoredOverload
  @available(
    *, unavailable,
    message: "the other publisher is not checked: add .sendable to it, or wrap it in SendablePublisher(unchecked:)"
  )
  public func combineLatest<P: Publisher>(_ other: P) -> SendablePublisher<AnyPublisher<(Output, P.Output), Failure>> {
    onlyForItsMessage()
  }

  @_documentation(visibility: internal)
  @_disfavoredOverload
  @available(
    *, unavailable,
    message: "the other publisher is not checked: add .sendable to it, or wrap it in SendablePublisher(unchecked:)"
  )
  public func zip<P: Publisher>(_ other: P) -> SendablePublisher<AnyPublisher<(Output, P.Output), Failure>> {
    onlyForItsMessage()
  }

  @_documentation(visibility: internal)
  @_disfavoredOverload
  @available(
    *, unavailable,
    message: "the other publisher is not checked: add .sendable to it, or wrap it in SendablePublisher(unchecked:)"
  )
  public func append<P: Publisher>(_ publisher: P) -> SendablePublisher<AnyPublisher<Output, Failure>> {
    onlyForItsMessage()
  }

  @_documentation(visibility: internal)
  @_disfavoredOverload
  @available(
    *, unavailable,
    message: "the other publisher is not checked: add .sendable to it, or wrap it in SendablePublisher(unchecked:)"
  )
  public func prepend<P: Publisher>(_ publisher: P) -> SendablePublisher<AnyPublisher<Output, Failure>> {
    onlyForItsMessage()
  }

  @_documentation(visibility: internal)
  @_disfavoredOverload
  @available(
    *, unavailable,
    message: "the other publisher is not checked: add .sendable to it, or wrap it in SendablePublisher(unchecked:)"
  )
  public func withLatestFrom<P: Publisher>(_ other: P) -> SendablePublisher<AnyPublisher<P.Output, Failure>> {
    onlyForItsMessage()
  }

  @_documentation(visibility: internal)
  @_disfavoredOverload
  @available(
    *, unavailable,
    message: "the other publisher is not checked: add .sendable to it, or wrap it in SendablePublisher(unchecked:)"
  )
  public func sample<P: Publisher>(_ signal: P) -> SendablePublisher<AnyPublisher<Output, Failure>> {
    onlyForItsMessage()
  }

  @_documentation(visibility: internal)
  @_disfavoredOverload
  @available(
    *, unavailable,
    message: "the other publisher is not checked: add .sendable to it, or wrap it in SendablePublisher(unchecked:)"
  )
  public func drop<P: Publisher>(untilOutputFrom publisher: P) -> SendablePublisher<AnyPublisher<Output, Failure>> {
    onlyForItsMessage()
  }

  @_documentation(visibility: internal)
  @_disfavoredOverload
  @available(
    *, unavailable,
    message: "the other publisher is not checked: add .sendable to it, or wrap it in SendablePublisher(unchecked:)"
  )
  public func prefix<P: Publisher>(untilOutputFrom publisher: P) -> SendablePublisher<AnyPublisher<Output, Failure>> {
    onlyForItsMessage()
  }

  @_documentation(visibility: internal)
  @_disfavoredOverload
  @available(
    *, unavailable,
    message: "the other publisher is not checked: add .sendable to it, or wrap it in SendablePublisher(unchecked:)"
  )
  public func combineLatest<P: Publisher, T>(_ other: P, _ transform: @escaping (Output, P.Output) -> T)
    -> SendablePublisher<AnyPublisher<T, Failure>>
  { onlyForItsMessage() }

  @_documentation(visibility: internal)
  @_disfavoredOverload
  @available(
    *, unavailable,
    message: "the other publisher is not checked: add .sendable to it, or wrap it in SendablePublisher(unchecked:)"
  )
  public func zip<P: Publisher, T>(_ other: P, _ transform: @escaping (Output, P.Output) -> T) -> SendablePublisher<
    AnyPublisher<T, Failure>
  > { onlyForItsMessage() }

  @_documentation(visibility: internal)
  @_disfavoredOverload
  @available(
    *, unavailable,
    message: "the other publisher is not checked: add .sendable to it, or wrap it in SendablePublisher(unchecked:)"
  )
  public func withLatestFrom<P: Publisher, T>(_ other: P, _ transform: @escaping (Output, P.Output) -> T)
    -> SendablePublisher<AnyPublisher<T, Failure>>
  { onlyForItsMessage() }

  @_documentation(visibility: internal)
  @_disfavoredOverload
  @available(
    *, unavailable,
    message: "the result would not be Sendable: eraseToAnySendablePublisher(), or publisher.eraseToAnyPublisher()"
  )
  public func eraseToAnyPublisher() -> AnyPublisher<Output, Failure> { onlyForItsMessage() }
}

extension SendablePublisher {
  @_documentation(visibility: internal)
  @_disfavoredOverload
  @available(
    *, unavailable,
    message:
      "the values are not checked: end the map(_:) before it with .sendable, or with SendablePublisher(unchecked:)"
  )
  public func switchToLatest() -> SendablePublisher<AnyPublisher<Output.Output, Failure>> where Output: Publisher {
    onlyForItsMessage()
  }
}

// The compiler says that a publisher is not Sendable, but not what to do: these say so for the most common publishers.

extension AnyPublisher where Output: Sendable {
  @_documentation(visibility: internal)
  @available(
    *, unavailable,
    message:
      "AnyPublisher is not Sendable: keep an AnySendablePublisher, or wrap this one in SendablePublisher(unchecked:)"
  )
  public var sendable: SendablePublisher<Self> { onlyForItsMessage() }
}

extension Publishers.Map where Output: Sendable {
  @_documentation(visibility: internal)
  @available(
    *, unavailable, message: "this publisher has a closure that is not checked: put .sendable before the operator"
  )
  public var sendable: SendablePublisher<Self> { onlyForItsMessage() }
}

extension Publishers.CompactMap where Output: Sendable {
  @_documentation(visibility: internal)
  @available(
    *, unavailable, message: "this publisher has a closure that is not checked: put .sendable before the operator"
  )
  public var sendable: SendablePublisher<Self> { onlyForItsMessage() }
}

extension Publishers.Filter where Upstream.Output: Sendable {
  @_documentation(visibility: internal)
  @available(
    *, unavailable, message: "this publisher has a closure that is not checked: put .sendable before the operator"
  )
  public var sendable: SendablePublisher<Self> { onlyForItsMessage() }
}

extension Publishers.FlatMap where NewPublisher.Output: Sendable {
  @_documentation(visibility: internal)
  @available(
    *, unavailable, message: "this publisher has a closure that is not checked: put .sendable before the operator"
  )
  public var sendable: SendablePublisher<Self> { onlyForItsMessage() }
}

extension Publishers.Scan where Output: Sendable {
  @_documentation(visibility: internal)
  @available(
    *, unavailable, message: "this publisher has a closure that is not checked: put .sendable before the operator"
  )
  public var sendable: SendablePublisher<Self> { onlyForItsMessage() }
}

extension Publishers.HandleEvents where Upstream.Output: Sendable {
  @_documentation(visibility: internal)
  @available(
    *, unavailable, message: "this publisher has a closure that is not checked: put .sendable before the operator"
  )
  public var sendable: SendablePublisher<Self> { onlyForItsMessage() }
}

extension Deferred where DeferredPublisher.Output: Sendable {
  @_documentation(visibility: internal)
  @available(*, unavailable, message: "Deferred is not Sendable: use SendablePublisher(deferred:)")
  public var sendable: SendablePublisher<Self> { onlyForItsMessage() }
}
