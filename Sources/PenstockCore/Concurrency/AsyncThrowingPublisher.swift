// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// The values of this publisher as an asynchronous sequence, for a `for try await` loop.
  ///
  /// ```swift
  /// struct Unreadable: Error {}
  /// let levels = ["1", "x"].publisher.tryMap { text in
  ///   guard let level = Int(text) else { throw Unreadable() }
  ///   return level
  /// }
  /// do {
  ///   for try await level in levels.values {
  ///     print(level)
  ///   }
  /// } catch {
  ///   print("failed")
  /// }
  /// // Prints "1", "failed" on two lines.
  /// ```
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as for ``AsyncThrowingPublisher``.
  @inlinable
  public var values: AsyncThrowingPublisher<Self> {
    AsyncThrowingPublisher(self)
  }
}

/// An asynchronous sequence of the values of a publisher that may fail.
///
/// Each iterator subscribes when it is created.
///
/// **Demand:** one value for each call of ``Iterator/next()``. A publisher that does not wait for demand loses values
/// between two calls: a ``PassthroughSubject`` all of them, a ``CurrentValueSubject`` all but the latest. A value that
/// was not requested traps.
///
/// **Completion:** ends the sequence.
///
/// **Failure:** thrown once, by the call that waits or by the next one; then the sequence ends.
///
/// **Concurrency:** several waiting calls of `next()` receive values in the order of the calls. Cancelling a task that
/// waits cancels the subscription, which ends the sequence for every call; so does releasing the iterator, for example
/// by leaving the loop.
public struct AsyncThrowingPublisher<P: Publisher>: AsyncSequence {
  public typealias Element = P.Output
  public typealias AsyncIterator = Iterator

  @usableFromInline internal let publisher: P

  /// Creates an asynchronous sequence of a publisher's values.
  ///
  /// - Parameter publisher: The publisher that each iterator subscribes to.
  @inlinable
  public init(_ publisher: P) {
    self.publisher = publisher
  }

  /// Creates an iterator, and subscribes to the publisher.
  @_alwaysEmitIntoClient
  public func makeAsyncIterator() -> Iterator {
    Iterator(publisher)
  }

  /// An iterator with a subscription of its own.
  public struct Iterator: AsyncIteratorProtocol {
    public typealias Element = P.Output

    @usableFromInline internal let owner: AsyncSubscriberOwner<P.Output, P.Failure>

    @_alwaysEmitIntoClient
    internal init(_ publisher: P) {
      owner = AsyncSubscriberOwner(publisher)
    }

    /// Requests the next value and waits for it.
    ///
    /// - Returns: The value, or `nil` after the end of the sequence.
    /// - Throws: The publisher's failure, once.
    @inlinable
    public nonisolated(nonsending) mutating func next() async throws -> P.Output? {
      try await next(isolation: #isolation)
    }

    /// Requests the next value and waits for it, without leaving an actor.
    ///
    /// - Parameter actor: The actor to stay on.
    /// - Returns: The value, or `nil` after the end of the sequence.
    /// - Throws: The publisher's failure, once.
    @_alwaysEmitIntoClient
    public mutating func next(isolation actor: isolated (any Actor)?) async throws -> P.Output? {
      switch await owner.subscriber.next(isolation: actor) {
      case .value(let value): value
      case .failure(let error): throw error
      case .end: nil
      }
    }
  }
}

extension AsyncThrowingPublisher: Sendable where P: Sendable {}
