// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension SendablePublisher where Base.Failure == Never {
  /// The values of this publisher as an asynchronous sequence that is Sendable.
  ///
  /// So it can be passed to code that requires one, such as the body of a server's response, or be iterated by several
  /// tasks, each with an iterator of its own.
  ///
  /// ```swift
  /// let levels = [1, 2].publisher.sendable.map { $0 * 10 }.values
  /// let sum = Task {
  ///   var sum = 0
  ///   for await level in levels { sum += level }
  ///   return sum
  /// }
  /// for await level in levels { print(level) }
  /// print(await sum.value)
  /// // Prints "10", "20", "30" on three lines.
  /// ```
  ///
  /// **Demand:**, **Completion:** and **Concurrency:** as for ``/PenstockCore/AsyncPublisher``. **Failure:** none; the
  /// publisher cannot fail.
  @inlinable
  public var values: AsyncPublisher<Plain> { AsyncPublisher(publisher) }
}

extension SendablePublisher {
  /// The values of this publisher, which may fail, as an asynchronous sequence that is Sendable.
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as for ``/PenstockCore/AsyncThrowingPublisher``.
  /// Disfavoured, since a publisher that cannot fail would otherwise have two of them.
  @_disfavoredOverload
  @inlinable
  public var values: AsyncThrowingPublisher<Plain> { AsyncThrowingPublisher(publisher) }
}

extension SendablePublisher {
  /// The values of this publisher as an asynchronous sequence that is Sendable, and keeps values that arrive between
  /// two turns of a loop.
  ///
  /// ```swift
  /// let levels = PassthroughSubject<Int, Never>()
  /// var iterator = levels.sendable.map { $0 * 10 }.values(buffering: .unbounded).makeAsyncIterator()
  /// (1...2).forEach(levels.send)
  /// levels.send(completion: .finished)
  /// while let level = await iterator.next() { print(level) }
  /// // Prints "10", "20" on two lines.
  /// ```
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as for ``AsyncBufferedPublisher``.
  ///
  /// - Parameters:
  ///   - policy: What happens to values that no call waits for.
  ///   - onDrop: Called with each value that the policy drops, but not with values that a cancel drops.
  /// - Returns: An asynchronous sequence of the values.
  @inlinable
  public func values(
    buffering policy: AsyncBufferingPolicy, onDrop: (@Sendable (Output) -> Void)? = nil
  ) -> AsyncBufferedPublisher<Plain> {
    publisher.values(buffering: policy, onDrop: onDrop)
  }
}
