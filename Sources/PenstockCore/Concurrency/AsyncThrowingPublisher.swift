// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// The values of this publisher, to be waited for in a `for try await` loop.
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
  @inlinable
  public var values: AsyncThrowingPublisher<Self> {
    AsyncThrowingPublisher(self)
  }
}

/// The values of a publisher that may fail, as an asynchronous sequence.
///
/// Each iterator subscribes as soon as it is made.
///
/// **Demand:** one value for each call of ``Iterator/next()``. A publisher that does not wait for demand loses what it
/// sends between two calls: a ``PassthroughSubject`` all of it, a ``CurrentValueSubject`` all but the latest value. A
/// value that was not asked for traps.
///
/// **Completion:** ends the sequence.
///
/// **Failure:** thrown once, by the call that waits or by the next one; then the sequence is over.
///
/// **Concurrency:** calls of `next()` that wait at the same time are served in the order they came. A task that is
/// cancelled while it waits cancels the subscription, which ends the sequence for every call; so does freeing the
/// iterator, as a loop does that is left.
public struct AsyncThrowingPublisher<P: Publisher>: AsyncSequence {
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

    @usableFromInline internal let key: MailboxKey<P.Output, P.Failure>

    @inlinable
    internal init(_ publisher: P) {
      key = MailboxKey(publisher)
    }

    /// Asks for one value, and waits for it.
    ///
    /// - Returns: The value; `nil` once the stream is over.
    /// - Throws: The publisher's failure, once.
    @inlinable
    public nonisolated(nonsending) mutating func next() async throws -> P.Output? {
      try await next(isolation: #isolation)
    }

    /// Asks for one value, and waits for it, without leaving an actor.
    ///
    /// - Parameter actor: The actor to stay on.
    /// - Returns: The value; `nil` once the stream is over.
    /// - Throws: The publisher's failure, once.
    @inlinable
    public mutating func next(isolation actor: isolated (any Actor)?) async throws -> P.Output? {
      switch await key.mailbox.next(isolation: actor) {
      case .value(let value): value
      case .failure(let error): throw error
      case .end: nil
      }
    }
  }
}

extension AsyncThrowingPublisher: Sendable where P: Sendable {}
