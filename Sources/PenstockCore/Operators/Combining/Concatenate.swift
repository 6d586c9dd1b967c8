// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Publishes given values after this publisher has finished.
  ///
  /// ![When upstream has finished, the elements follow at once.](append)
  ///
  /// ```swift
  /// let cancellable = Just(1).map { $0 }.append(2, 3).sink { print($0) }
  /// // Prints "1", "2", "3" on three lines.
  /// ```
  ///
  /// **Demand:** passed to this publisher, and counted; demand that is left when it finishes is requested from the
  /// publisher that follows. A value that was not requested is dropped.
  ///
  /// **Completion:** that of the publisher that follows.
  ///
  /// **Failure:** forwarded; the publisher that follows is not subscribed to.
  ///
  /// **Concurrency:** adds no thread: the publisher that follows is subscribed to on the thread on which this one
  /// finishes. If it finishes during a delivery, the next one may deliver at once on the same thread; values that it
  /// delivers on another thread wait until that delivery has returned. Publishers that finish at once are handled in a
  /// loop, and a chain of `append` and `prepend` counts as one operator, so neither uses stack.
  ///
  /// Use ``prepend(_:)-(Self.Output...)`` to put values first, ``merge(with:)->Publishers.Merge<Self,P>`` to run both
  /// publishers at the same time, and ``replaceEmpty(with:)`` for a publisher that finishes without values.
  ///
  /// - Parameter elements: The values to publish at the end.
  /// - Returns: A publisher of its own values followed by these.
  @_alwaysEmitIntoClient
  public consuming func append(_ elements: Output...)
    -> Publishers.Concatenate<Self, Publishers.Sequence<[Output], Failure>>
  {
    append(elements)
  }

  /// Publishes the elements of a sequence after this publisher has finished.
  ///
  /// ![When upstream has finished, the elements follow at once.](append)
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as for ``append(_:)-(Self.Output...)``.
  ///
  /// Use ``prepend(_:)-(Self.Output...)`` to put values first.
  ///
  /// - Parameter elements: The values to publish at the end.
  /// - Returns: A publisher of its own values followed by these.
  @_alwaysEmitIntoClient
  public consuming func append<S: Sequence>(
    _ elements: S
  ) -> Publishers.Concatenate<Self, Publishers.Sequence<S, Failure>> where Output == S.Element {
    append(Publishers.Sequence(sequence: elements))
  }

  /// Republishes the values of another publisher after this one has finished.
  ///
  /// ![The other publisher is subscribed to when upstream has finished, and its values follow.](append-publisher)
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as for ``append(_:)-(Self.Output...)``.
  ///
  /// Use ``merge(with:)->Publishers.Merge<Self,P>`` to run both publishers at the same time, and ``catch(_:)`` to
  /// continue with another publisher after a failure.
  ///
  /// - Parameter publisher: The publisher to continue with.
  /// - Returns: A publisher of its own values followed by those of the other.
  // Disfavoured, so that a sequence is tried first: until the type checker knows the type of a literal, it may also be
  // a publisher, and a chain of several would be tried in every combination.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func append<P: Publisher>(
    _ publisher: P
  ) -> Publishers.Concatenate<Self, P> where Failure == P.Failure, Output == P.Output {
    Publishers.Concatenate(prefix: self, suffix: publisher)
  }

  /// Publishes given values before those of this publisher.
  ///
  /// ![The elements are published first. Then upstream is subscribed to.](prepend)
  ///
  /// ```swift
  /// let cancellable = Just(3).map { $0 }.prepend(1, 2).sink { print($0) }
  /// // Prints "1", "2", "3" on three lines.
  /// ```
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as for ``append(_:)-(Self.Output...)``.
  ///
  /// Use ``append(_:)-(Self.Output...)`` to put values last, and a ``CurrentValueSubject`` if later subscribers should
  /// start with the latest value.
  ///
  /// - Parameter elements: The values to publish first.
  /// - Returns: A publisher of these values followed by its own.
  @_alwaysEmitIntoClient
  public consuming func prepend(_ elements: Output...)
    -> Publishers.Concatenate<Publishers.Sequence<[Output], Failure>, Self>
  {
    prepend(elements)
  }

  /// Publishes the elements of a sequence before the values of this publisher.
  ///
  /// ![The elements are published first. Then upstream is subscribed to.](prepend)
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as for ``append(_:)-(Self.Output...)``.
  ///
  /// Use ``append(_:)-(Self.Output...)`` to put values last.
  ///
  /// - Parameter elements: The values to publish first.
  /// - Returns: A publisher of these values followed by its own.
  @_alwaysEmitIntoClient
  public consuming func prepend<S: Sequence>(
    _ elements: S
  ) -> Publishers.Concatenate<Publishers.Sequence<S, Failure>, Self> where Output == S.Element {
    prepend(Publishers.Sequence(sequence: elements))
  }

  /// Republishes the values of another publisher before those of this one.
  ///
  /// ![The other publisher comes first. Upstream is subscribed to when that has finished.](prepend-publisher)
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as for ``append(_:)-(Self.Output...)``.
  ///
  /// Use ``merge(with:)->Publishers.Merge<Self,P>`` to run both publishers at the same time.
  ///
  /// - Parameter publisher: The publisher to start with.
  /// - Returns: A publisher of the other's values followed by its own.
  @_alwaysEmitIntoClient
  public consuming func prepend<P: Publisher>(
    _ publisher: P
  ) -> Publishers.Concatenate<P, Self> where Failure == P.Failure, Output == P.Output {
    Publishers.Concatenate(prefix: publisher, suffix: self)
  }
}

extension Publishers {
  /// A publisher of the values of one publisher, followed by those of another; see
  /// ``Publisher/append(_:)-(Self.Output...)``.
  public struct Concatenate<Prefix: Publisher, Suffix: Publisher>: Publisher, _DerivedTypes
  where Prefix.Failure == Suffix.Failure, Prefix.Output == Suffix.Output {
    public typealias _Origin = Prefix

    /// The publisher to start with.
    public let prefix: Prefix

    /// The publisher to continue with.
    public let suffix: Suffix

    /// Creates a publisher of the values of one publisher, followed by those of another.
    @_alwaysEmitIntoClient
    public init(prefix: Prefix, suffix: Suffix) {
      self.prefix = prefix
      self.suffix = suffix
    }

    @_alwaysEmitIntoClient @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Suffix.Failure == S.Failure, Suffix.Output == S.Input {
      if subscriber._join(prefix, followedBy: suffix) { return }
      SequentialSubscriber(ConcatenateRule<Self.Output, Failure>(), followedBy: suffix, to: subscriber).beginInParts(
        with: prefix)
    }
  }
}

/// The rule of `append` and `prepend`: when a publisher has finished, the next one follows.
@usableFromInline
internal struct ConcatenateRule<Output, Failure: Error>: SequentialRule {
  @usableFromInline internal typealias Upstream = Failure
  @usableFromInline internal typealias Downstream = Failure
  // Unused, since all publishers are in line. It is not the suffix, since then each suffix would have code of its own.
  @usableFromInline internal typealias Next = Empty<Output, Failure>

  @_alwaysEmitIntoClient
  internal init() {}

  @_alwaysEmitIntoClient
  internal static var name: String { "Concatenate" }

  @_alwaysEmitIntoClient
  internal static var traits: SequentialTraits { SequentialTraits(isJoined: true) }

  @_alwaysEmitIntoClient
  internal func next(
    after completion: Subscribers.Completion<Upstream>, number: UInt
  ) -> SequentialStep<Next, Downstream> {
    if case .finished = completion { .nextInLine } else { .finish(completion) }
  }
}

extension ConcatenateRule: Sendable {}

extension Publishers.Concatenate: Equatable where Prefix: Equatable, Suffix: Equatable {}

extension Publishers.Concatenate: Sendable where Prefix: Sendable, Suffix: Sendable {}
