// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// For the compiler's messages alone, as in FailureMessages.swift: overloads that report a missing
// eraseToAnyPublisher(), in place of "cannot convert" and two long types. Each operator that chains end with has one.

extension Publisher {
  @_documentation(visibility: internal)
  @_disfavoredOverload
  @available(*, unavailable, message: "the declared type is AnyPublisher: put eraseToAnyPublisher() at the end")
  public func map<T>(_ transform: @escaping (Output) -> T) -> AnyPublisher<T, Failure> { onlyForItsMessage() }

  @_documentation(visibility: internal)
  @_disfavoredOverload
  @available(*, unavailable, message: "the declared type is AnyPublisher: put eraseToAnyPublisher() at the end")
  public func tryMap<T>(_ transform: @escaping (Output) throws -> T) -> AnyPublisher<T, any Error> {
    onlyForItsMessage()
  }

  @_documentation(visibility: internal)
  @_disfavoredOverload
  @available(*, unavailable, message: "the declared type is AnyPublisher: put eraseToAnyPublisher() at the end")
  public func compactMap<T>(_ transform: @escaping (Output) -> T?) -> AnyPublisher<T, Failure> { onlyForItsMessage() }

  @_documentation(visibility: internal)
  @_disfavoredOverload
  @available(*, unavailable, message: "the declared type is AnyPublisher: put eraseToAnyPublisher() at the end")
  public func filter(_ isIncluded: @escaping (Output) -> Bool) -> AnyPublisher<Output, Failure> { onlyForItsMessage() }

  @_documentation(visibility: internal)
  @_disfavoredOverload
  @available(*, unavailable, message: "the declared type is AnyPublisher: put eraseToAnyPublisher() at the end")
  public func scan<T>(_ initialResult: T, _ nextPartialResult: @escaping (T, Output) -> T) -> AnyPublisher<T, Failure> {
    onlyForItsMessage()
  }

  @_documentation(visibility: internal)
  @_disfavoredOverload
  @available(*, unavailable, message: "the declared type is AnyPublisher: put eraseToAnyPublisher() at the end")
  public func mapError<E: Error>(_ transform: @escaping (Failure) -> E) -> AnyPublisher<Output, E> {
    onlyForItsMessage()
  }

  @_documentation(visibility: internal)
  @_disfavoredOverload
  @available(*, unavailable, message: "the declared type is AnyPublisher: put eraseToAnyPublisher() at the end")
  public func replaceError(with output: Output) -> AnyPublisher<Output, Never> { onlyForItsMessage() }

  @_documentation(visibility: internal)
  @_disfavoredOverload
  @available(*, unavailable, message: "the declared type is AnyPublisher: put eraseToAnyPublisher() at the end")
  public func `catch`<P: Publisher>(_ handler: @escaping (Failure) -> P) -> AnyPublisher<Output, P.Failure>
  where P.Output == Output { onlyForItsMessage() }

  @_documentation(visibility: internal)
  @_disfavoredOverload
  @available(*, unavailable, message: "the declared type is AnyPublisher: put eraseToAnyPublisher() at the end")
  public func retry(_ retries: Int) -> AnyPublisher<Output, Failure> { onlyForItsMessage() }

  @_documentation(visibility: internal)
  @_disfavoredOverload
  @available(*, unavailable, message: "the declared type is AnyPublisher: put eraseToAnyPublisher() at the end")
  public func prefix(_ maxLength: Int) -> AnyPublisher<Output, Failure> { onlyForItsMessage() }

  @_documentation(visibility: internal)
  @_disfavoredOverload
  @available(*, unavailable, message: "the declared type is AnyPublisher: put eraseToAnyPublisher() at the end")
  public func dropFirst(_ count: Int = 1) -> AnyPublisher<Output, Failure> { onlyForItsMessage() }

  @_documentation(visibility: internal)
  @_disfavoredOverload
  @available(*, unavailable, message: "the declared type is AnyPublisher: put eraseToAnyPublisher() at the end")
  public func first() -> AnyPublisher<Output, Failure> { onlyForItsMessage() }

  @_documentation(visibility: internal)
  @_disfavoredOverload
  @available(*, unavailable, message: "the declared type is AnyPublisher: put eraseToAnyPublisher() at the end")
  public func collect() -> AnyPublisher<[Output], Failure> { onlyForItsMessage() }

  @_documentation(visibility: internal)
  @_disfavoredOverload
  @available(*, unavailable, message: "the declared type is AnyPublisher: put eraseToAnyPublisher() at the end")
  public func share() -> AnyPublisher<Output, Failure> { onlyForItsMessage() }

  @_documentation(visibility: internal)
  @_disfavoredOverload
  @available(*, unavailable, message: "the declared type is AnyPublisher: put eraseToAnyPublisher() at the end")
  public func flatMap<P: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> P
  ) -> AnyPublisher<P.Output, Failure> where P.Failure == Failure { onlyForItsMessage() }

  @_documentation(visibility: internal)
  @_disfavoredOverload
  @available(*, unavailable, message: "the declared type is AnyPublisher: put eraseToAnyPublisher() at the end")
  public func combineLatest<P: Publisher>(_ other: P) -> AnyPublisher<(Output, P.Output), Failure>
  where P.Failure == Failure { onlyForItsMessage() }

  @_documentation(visibility: internal)
  @_disfavoredOverload
  @available(*, unavailable, message: "the declared type is AnyPublisher: put eraseToAnyPublisher() at the end")
  public func combineLatest<P: Publisher, T>(
    _ other: P, _ transform: @escaping (Output, P.Output) -> T
  ) -> AnyPublisher<T, Failure> where P.Failure == Failure { onlyForItsMessage() }

  @_documentation(visibility: internal)
  @_disfavoredOverload
  @available(*, unavailable, message: "the declared type is AnyPublisher: put eraseToAnyPublisher() at the end")
  public func zip<P: Publisher>(_ other: P) -> AnyPublisher<(Output, P.Output), Failure> where P.Failure == Failure {
    onlyForItsMessage()
  }

  @_documentation(visibility: internal)
  @_disfavoredOverload
  @available(*, unavailable, message: "the declared type is AnyPublisher: put eraseToAnyPublisher() at the end")
  public func zip<P: Publisher, T>(
    _ other: P, _ transform: @escaping (Output, P.Output) -> T
  ) -> AnyPublisher<T, Failure> where P.Failure == Failure { onlyForItsMessage() }

  @_documentation(visibility: internal)
  @_disfavoredOverload
  @available(*, unavailable, message: "the declared type is AnyPublisher: put eraseToAnyPublisher() at the end")
  public func merge<P: Publisher>(with other: P) -> AnyPublisher<Output, Failure>
  where P.Output == Output, P.Failure == Failure { onlyForItsMessage() }

  @_documentation(visibility: internal)
  @_disfavoredOverload
  @available(*, unavailable, message: "the declared type is AnyPublisher: put eraseToAnyPublisher() at the end")
  public func receive<S: Scheduler>(on scheduler: S, options: S.SchedulerOptions? = nil) -> AnyPublisher<
    Output, Failure
  > { onlyForItsMessage() }

  @_documentation(visibility: internal)
  @_disfavoredOverload
  @available(*, unavailable, message: "the declared type is AnyPublisher: put eraseToAnyPublisher() at the end")
  public func subscribe<S: Scheduler>(on scheduler: S, options: S.SchedulerOptions? = nil) -> AnyPublisher<
    Output, Failure
  > { onlyForItsMessage() }

  @_documentation(visibility: internal)
  @_disfavoredOverload
  @available(*, unavailable, message: "the declared type is AnyPublisher: put eraseToAnyPublisher() at the end")
  public func debounce<S: Scheduler>(
    for dueTime: S.SchedulerTimeType.Stride, scheduler: S, options: S.SchedulerOptions? = nil
  ) -> AnyPublisher<Output, Failure> { onlyForItsMessage() }

  @_documentation(visibility: internal)
  @_disfavoredOverload
  @available(*, unavailable, message: "the declared type is AnyPublisher: put eraseToAnyPublisher() at the end")
  public func throttle<S: Scheduler>(
    for interval: S.SchedulerTimeType.Stride, scheduler: S, latest: Bool
  ) -> AnyPublisher<Output, Failure> { onlyForItsMessage() }

  @_documentation(visibility: internal)
  @_disfavoredOverload
  @available(*, unavailable, message: "the declared type is AnyPublisher: put eraseToAnyPublisher() at the end")
  public func delay<S: Scheduler>(
    for interval: S.SchedulerTimeType.Stride, tolerance: S.SchedulerTimeType.Stride? = nil, scheduler: S,
    options: S.SchedulerOptions? = nil
  ) -> AnyPublisher<Output, Failure> { onlyForItsMessage() }
}

extension Publisher where Output: Equatable {
  @_documentation(visibility: internal)
  @_disfavoredOverload
  @available(*, unavailable, message: "the declared type is AnyPublisher: put eraseToAnyPublisher() at the end")
  public func removeDuplicates() -> AnyPublisher<Output, Failure> { onlyForItsMessage() }
}

extension Publisher where Failure == Never {
  @_documentation(visibility: internal)
  @_disfavoredOverload
  @available(*, unavailable, message: "the declared type is AnyPublisher: put eraseToAnyPublisher() at the end")
  public func setFailureType<E: Error>(to failureType: E.Type) -> AnyPublisher<Output, E> { onlyForItsMessage() }
}

extension Publisher where Output: Publisher, Output.Failure == Failure {
  @_documentation(visibility: internal)
  @_disfavoredOverload
  @available(*, unavailable, message: "the declared type is AnyPublisher: put eraseToAnyPublisher() at the end")
  public func switchToLatest() -> AnyPublisher<Output.Output, Failure> { onlyForItsMessage() }
}
