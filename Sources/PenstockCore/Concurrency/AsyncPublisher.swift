// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher where Failure == Never {
  /// The values of this publisher as an asynchronous sequence, for a `for await` loop.
  ///
  /// ```swift
  /// for await level in [1, 2].publisher.values {
  ///   print(level)
  /// }
  /// // Prints "1", "2" on two lines.
  /// ```
  ///
  /// **Demand:**, **Completion:** and **Concurrency:** as for ``AsyncPublisher``. **Failure:** none; the publisher
  /// cannot fail.
  @inlinable
  public var values: AsyncPublisher<Self> {
    AsyncPublisher(self)
  }
}

/// An asynchronous sequence of the values of a publisher that cannot fail.
///
/// Each iterator subscribes when it is created.
///
/// **Demand:** one value for each call of ``Iterator/next()``. A publisher that does not wait for demand loses values
/// between two calls: a ``PassthroughSubject`` all of them, a ``CurrentValueSubject`` all but the latest. A value that
/// was not requested traps.
///
/// **Completion:** ends the sequence.
///
/// **Concurrency:** several waiting calls of `next()` receive values in the order of the calls. Cancelling a task that
/// waits cancels the subscription, which ends the sequence for every call; so does releasing the iterator, for example
/// by leaving the loop.
public struct AsyncPublisher<P: Publisher>: AsyncSequence where P.Failure == Never {
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

    @usableFromInline internal let owner: AsyncSubscriberOwner<P.Output, Never>

    @_alwaysEmitIntoClient
    internal init(_ publisher: P) {
      owner = AsyncSubscriberOwner(publisher)
    }

    /// Requests the next value and waits for it.
    ///
    /// - Returns: The value, or `nil` after the end of the sequence.
    @inlinable
    public nonisolated(nonsending) mutating func next() async -> P.Output? {
      await next(isolation: #isolation)
    }

    /// Requests the next value and waits for it, without leaving an actor.
    ///
    /// - Parameter actor: The actor to stay on.
    /// - Returns: The value, or `nil` after the end of the sequence.
    @_alwaysEmitIntoClient
    public mutating func next(isolation actor: isolated (any Actor)?) async -> P.Output? {
      if case .value(let value) = await owner.subscriber.next(isolation: actor) { value } else { nil }
    }
  }
}

extension AsyncPublisher: Sendable where P: Sendable {}
