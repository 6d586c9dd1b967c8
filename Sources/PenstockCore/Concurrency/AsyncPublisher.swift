// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher where Failure == Never {
  /// The values of this publisher, to be waited for in a `for await` loop.
  ///
  /// ```swift
  /// for await level in [1, 2].publisher.values {
  ///   print(level)
  /// }
  /// // Prints "1", "2" on two lines.
  /// ```
  @inlinable
  public var values: AsyncPublisher<Self> {
    AsyncPublisher(self)
  }
}

/// The values of a publisher that cannot fail, as an asynchronous sequence.
///
/// Each iterator subscribes as soon as it is made.
///
/// **Demand:** one value for each call of ``Iterator/next()``. A publisher that does not wait for demand loses what it
/// sends between two calls: a ``PassthroughSubject`` all of it, a ``CurrentValueSubject`` all but the latest value. A
/// value that was not asked for traps.
///
/// **Completion:** ends the sequence.
///
/// **Concurrency:** calls of `next()` that wait at the same time are served in the order they came. A task that is
/// cancelled while it waits cancels the subscription, which ends the sequence for every call; so does freeing the
/// iterator, as a loop does that is left.
public struct AsyncPublisher<P: Publisher>: AsyncSequence where P.Failure == Never {
  public typealias Element = P.Output
  public typealias AsyncIterator = Iterator

  @usableFromInline internal let publisher: P

  /// Makes a sequence of what a publisher delivers.
  ///
  /// - Parameter publisher: The publisher, which each iterator subscribes to.
  @inlinable
  public init(_ publisher: P) {
    self.publisher = publisher
  }

  /// Subscribes to the publisher.
  @inlinable
  public func makeAsyncIterator() -> Iterator {
    Iterator(publisher)
  }

  /// One subscription, whose values are waited for.
  public struct Iterator: AsyncIteratorProtocol {
    public typealias Element = P.Output

    @usableFromInline internal let key: MailboxKey<P.Output, Never>

    @inlinable
    internal init(_ publisher: P) {
      key = MailboxKey(publisher)
    }

    /// Asks for one value, and waits for it.
    ///
    /// - Returns: The value; `nil` once the stream is over.
    @inlinable
    public nonisolated(nonsending) mutating func next() async -> P.Output? {
      await next(isolation: #isolation)
    }

    /// Asks for one value, and waits for it, without leaving an actor.
    ///
    /// - Parameter actor: The actor to stay on.
    /// - Returns: The value; `nil` once the stream is over.
    @inlinable
    public mutating func next(isolation actor: isolated (any Actor)?) async -> P.Output? {
      if case .value(let value) = await key.mailbox.next(isolation: actor) { value } else { nil }
    }
  }
}

extension AsyncPublisher: Sendable where P: Sendable {}
