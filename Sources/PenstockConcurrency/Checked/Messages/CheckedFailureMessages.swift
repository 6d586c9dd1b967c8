// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// These overloads serve only the compiler's messages, as in PenstockCore: they cannot be called, and say what to do.

public import PenstockCore

extension SendablePublisher {
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
    message: "the failures differ: put mapError(_:) on one publisher, or replaceError(with:) on the inner one"
  )
  public func flatMap<P: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping @Sendable (Output) -> SendablePublisher<P>
  ) -> SendablePublisher<AnyPublisher<P.Output, Failure>> { onlyForItsMessage() }

  @_documentation(visibility: internal)
  @_disfavoredOverload
  @available(
    *, unavailable,
    message: "the failures differ: put mapError(_:) on one publisher, or replaceError(with:) on the inner one"
  )
  public func switchToLatest<Inner: Publisher>() -> SendablePublisher<AnyPublisher<Inner.Output, Failure>>
  where Output == SendablePublisher<Inner> { onlyForItsMessage() }

  @_documentation(visibility: internal)
  @_disfavoredOverload
  @available(
    *, unavailable,
    message: "the failures differ: put setFailureType(to:) on the publisher whose failure is Never, else mapError(_:)"
  )
  public func merge<P: Publisher>(with other: SendablePublisher<P>) -> SendablePublisher<AnyPublisher<Output, Failure>>
  where P.Output == Output { onlyForItsMessage() }

  @_documentation(visibility: internal)
  @_disfavoredOverload
  @available(*, unavailable, message: "the publishers have different outputs: put map(_:) on one of them")
  public func merge<P: Publisher>(with other: SendablePublisher<P>) -> SendablePublisher<AnyPublisher<Output, Failure>>
  where P.Failure == Failure { onlyForItsMessage() }

  @_documentation(visibility: internal)
  @_disfavoredOverload
  @available(
    *, unavailable,
    message: "the failures differ: put setFailureType(to:) on the publisher whose failure is Never, else mapError(_:)"
  )
  public func combineLatest<P: Publisher>(_ other: SendablePublisher<P>) -> SendablePublisher<
    AnyPublisher<(Output, P.Output), Failure>
  > { onlyForItsMessage() }

  @_documentation(visibility: internal)
  @_disfavoredOverload
  @available(
    *, unavailable,
    message: "the failures differ: put setFailureType(to:) on the publisher whose failure is Never, else mapError(_:)"
  )
  public func zip<P: Publisher>(_ other: SendablePublisher<P>) -> SendablePublisher<
    AnyPublisher<(Output, P.Output), Failure>
  > { onlyForItsMessage() }
}
