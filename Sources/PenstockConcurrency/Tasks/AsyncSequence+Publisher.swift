// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension AsyncSequence where Self: Sendable, Element: Sendable {
  /// A publisher of the elements of this asynchronous sequence.
  ///
  /// ```swift
  /// let (levels, continuation) = AsyncStream.makeStream(of: Int.self)
  /// for level in 1...3 { continuation.yield(level) }
  /// continuation.finish()
  /// for await level in levels.publisher.dropFirst().values { print(level) }
  /// // Prints "2", "3" on two lines.
  /// ```
  ///
  /// Each subscriber has a task and an iterator of its own. Whether each of them receives every element is up to the
  /// sequence: subscribers of an `AsyncStream` share the elements.
  ///
  /// **Demand:** an element is pulled only if it has been requested; without demand the task is suspended. Nothing is
  /// buffered. `request(.none)` traps.
  ///
  /// **Completion:** `.finished` when the iterator returns `nil`. The iterator is asked only on demand, so the end is
  /// found only by a request for one more element than there are. A cancel cancels the task; an element that the
  /// iterator returns after that is dropped. A subscriber that neither cancels nor receives the completion keeps the
  /// task alive.
  ///
  /// **Failure:** what the iterator throws, of the type that the sequence declares.
  ///
  /// **Concurrency:** elements are delivered in the task, off every actor: put `receive(on:)` before a closure that belongs
  /// to the main actor, which traps elsewhere. The task starts when the subscriber has
  /// received its subscription, with the task-local values and the priority of the code that subscribes.
  ///
  /// Use `values` for the opposite. For a type that is also a sequence, `publisher` is that of the sequence.
  @_disfavoredOverload
  @inlinable
  public var publisher: some Publisher<Element, Failure> & Sendable { AsyncSequencePublisher(sequence: self) }
}

/// The publisher of an asynchronous sequence.
@usableFromInline
internal struct AsyncSequencePublisher<Base: AsyncSequence & Sendable>: Publisher, Sendable
where Base.Element: Sendable {
  @usableFromInline internal typealias Output = Base.Element
  @usableFromInline internal typealias Failure = Base.Failure

  @usableFromInline internal let sequence: Base

  @inlinable
  internal init(sequence: Base) { self.sequence = sequence }

  @_alwaysEmitIntoClient
  internal func receive<S: Subscriber>(subscriber: S) where S.Input == Base.Element, S.Failure == Base.Failure {
    let pull = AsyncPull<Base.Element, Base.Failure>()
    pull.introduce(subscriber.erased(), name: "AsyncSequence")
    // Started afterwards, so that nothing is delivered to a subscriber that is still busy with its subscription.
    pull.start { [sequence] in Task { await pull.run(sequence) } }
  }
}
