// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

/// The inner publisher of `flatMap` with an asynchronous closure: a future of a publisher, and then that publisher.
@usableFromInline
internal struct FlatMapTask<Inner: Publisher & SendableMetatype>: Publisher {
  @usableFromInline internal typealias Output = Inner.Output
  @usableFromInline internal typealias Failure = Inner.Failure

  @usableFromInline internal let future: Future<Sent<Inner>, Inner.Failure>

  @inlinable
  internal init<Value: Sendable>(
    _ transform: @escaping @Sendable (Value) async throws(Inner.Failure) -> sending Inner, _ value: Value
  ) {
    future = Future { () async throws(Inner.Failure) -> Sent<Inner> in Sent(try await transform(value)) }
  }

  @_alwaysEmitIntoClient
  internal func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    future.flatMap(\.value).subscribe(subscriber)
  }
}

/// A value that a task has handed over, and does not use any more.
@usableFromInline
internal struct Sent<Value>: @unchecked Sendable {
  // `@unchecked`: the compiler has checked that nothing else refers to the value. It is used by one subscriber.

  @usableFromInline internal let value: Value

  @inlinable
  internal init(_ value: sending Value) { self.value = value }
}
