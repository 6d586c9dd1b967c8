// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

// These overloads serve only the compiler's messages: they take publishers of other types than the operator does.
// PenstockCore has overloads like these for programs that do not import this module, and their message would appear in
// programs that do import it. The overloads here are preferred to those, as they are not disfavoured; and a method that
// can be called is preferred to both.

extension Publisher {
  @_documentation(visibility: internal)
  @available(
    *, unavailable,
    message: "the closure's publisher has another failure type than upstream: put mapError(_:) behind one of both"
  )
  public func concatMap<P: Publisher>(_ transform: @escaping (Output) -> P) -> some Publisher<P.Output, Failure> {
    Empty<P.Output, Failure>()
  }

  @_documentation(visibility: internal)
  @available(
    *, unavailable,
    message: "the closure's publisher has another failure type than upstream: put mapError(_:) behind one of both"
  )
  public func flatMapLatest<P: Publisher>(_ transform: @escaping (Output) -> P) -> some Publisher<P.Output, Failure> {
    Empty<P.Output, Failure>()
  }

  @_documentation(visibility: internal)
  @available(
    *, unavailable,
    message: "the closure's publisher has another failure type than upstream: put mapError(_:) behind one of both"
  )
  public func flatMapFirst<P: Publisher>(_ transform: @escaping (Output) -> P) -> some Publisher<P.Output, Failure> {
    Empty<P.Output, Failure>()
  }

  @_documentation(visibility: internal)
  @available(
    *, unavailable,
    message: "the closure's publisher has another failure type than upstream: put mapError(_:) behind one of both"
  )
  public func flatMapSequential<P: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited, prefetch: Int = 32, _ transform: @escaping (Output) -> P
  ) -> some Publisher<P.Output, Failure> {
    Empty<P.Output, Failure>()
  }

  @_documentation(visibility: internal)
  @available(
    *, unavailable,
    message: "the other publisher has another failure type: put setFailureType(to:) or mapError(_:) behind one of both"
  )
  public func withLatestFrom<P: Publisher>(_ other: P) -> some Publisher<P.Output, Failure> {
    Empty<P.Output, Failure>()
  }

  @_documentation(visibility: internal)
  @available(
    *, unavailable,
    message: "the other publisher has another failure type: put setFailureType(to:) or mapError(_:) behind one of both"
  )
  public func withLatestFrom<P: Publisher, T>(
    _ other: P, _ transform: @escaping (Output, P.Output) -> T
  ) -> some Publisher<T, Failure> {
    Empty<T, Failure>()
  }

  @_documentation(visibility: internal)
  @available(
    *, unavailable,
    message:
      "the other publisher has another type of values or failures: put map(_:) or mapError(_:) behind one of both"
  )
  public func amb<P: Publisher>(_ other: P) -> some Publisher<Output, Failure> {
    Empty<Output, Failure>()
  }
}
