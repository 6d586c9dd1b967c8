// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension Publisher {
  /// The values of this publisher as an asynchronous sequence that keeps values that arrive between two turns of a
  /// loop.
  ///
  /// ```swift
  /// let levels = PassthroughSubject<Int, Never>()
  /// var iterator = levels.values(buffering: .newest(2)) { print("dropped:", $0) }.makeAsyncIterator()
  /// for level in 1...3 { levels.send(level) }
  /// levels.send(completion: .finished)
  /// while let level = await iterator.next() { print(level) }
  /// // Prints "dropped: 1", "2", "3" on three lines.
  /// ```
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as for ``AsyncBufferedPublisher``.
  ///
  /// `values` without a policy requests one value for each turn of the loop: a publisher that does not wait for demand
  /// loses values that arrive between two turns.
  ///
  /// - Parameters:
  ///   - policy: What happens to values that no call waits for.
  ///   - onDrop: Called with each value that the policy drops, on the thread that delivers the value that does not fit:
  ///     to count or log them. It is not called with values that wait when the loop ends or is cancelled, unlike the
  ///     closure of ``PenstockCore/Publishers/fetching(batch:refillAt:maxCalls:priority:onDrop:_:)``, which can hand
  ///     values back.
  /// - Returns: An asynchronous sequence of the values.
  @inlinable
  public consuming func values(
    buffering policy: AsyncBufferingPolicy, onDrop: (@Sendable (Output) -> Void)? = nil
  ) -> AsyncBufferedPublisher<Self> {
    AsyncBufferedPublisher(self, buffering: policy, onDrop: onDrop)
  }
}

/// An asynchronous sequence of the values of a publisher, with a buffer between the two.
///
/// Each iterator subscribes when it is created, and has a buffer of its own.
///
/// **Demand:** that of the policy: unlimited, or, if it suspends upstream, as many values as fit into the buffer.
///
/// **Completion:** ends the sequence when the buffered values have been taken.
///
/// **Failure:** thrown once, when the buffered values have been taken; then the sequence ends.
///
/// **Concurrency:** the publisher may deliver on any thread. A call of ``Iterator/next()`` that finds a value does not
/// suspend its task. Several waiting calls receive values in the order of the calls. Cancelling a task that waits, or
/// that calls `next()` afterwards, cancels the subscription, drops the buffer and ends the sequence; so does releasing
/// the iterator, for example by leaving the loop.
public struct AsyncBufferedPublisher<P: Publisher>: AsyncSequence {
  public typealias Element = P.Output
  public typealias Failure = P.Failure
  public typealias AsyncIterator = Iterator

  @usableFromInline internal let publisher: P
  @usableFromInline internal let policy: AsyncBufferingPolicy
  @usableFromInline internal let onDrop: (@Sendable (P.Output) -> Void)?

  /// Creates an asynchronous sequence of a publisher's values.
  ///
  /// - Parameters:
  ///   - publisher: The publisher that each iterator subscribes to.
  ///   - policy: What happens to values that no call waits for.
  ///   - onDrop: Called with each value that the policy drops, but not with values that a cancel drops.
  @inlinable
  public init(
    _ publisher: P, buffering policy: AsyncBufferingPolicy, onDrop: (@Sendable (P.Output) -> Void)? = nil
  ) {
    policy.check()
    self.publisher = publisher
    self.policy = policy
    self.onDrop = onDrop
  }

  /// Creates an iterator, and subscribes to the publisher.
  @inlinable
  public func makeAsyncIterator() -> Iterator {
    Iterator(BufferingOwner(publisher, policy, onDrop))
  }

  /// An iterator with a subscription and a buffer of its own.
  public struct Iterator: AsyncIteratorProtocol {
    public typealias Element = P.Output
    public typealias Failure = P.Failure

    @usableFromInline internal let owner: BufferingOwner<P.Output, P.Failure>

    @inlinable
    internal init(_ owner: BufferingOwner<P.Output, P.Failure>) { self.owner = owner }

    /// Returns the next value, and waits for it if none is buffered.
    ///
    /// - Returns: The value, or `nil` after the end of the sequence.
    /// - Throws: The publisher's failure, once.
    @inlinable
    public nonisolated(nonsending) mutating func next() async throws(P.Failure) -> P.Output? {
      try await next(isolation: #isolation)
    }

    /// Returns the next value, and waits for it if none is buffered, without leaving an actor.
    ///
    /// - Parameter actor: The actor to stay on.
    /// - Returns: The value, or `nil` after the end of the sequence.
    /// - Throws: The publisher's failure, once.
    @inlinable
    public mutating func next(isolation actor: isolated (any Actor)?) async throws(P.Failure) -> P.Output? {
      switch await owner.subscriber.next(isolation: actor) {
      case .value(let value): return value
      case .failure(let error): throw error
      case .end: return nil
      }
    }
  }
}

extension AsyncBufferedPublisher: Sendable where P: Sendable {}
