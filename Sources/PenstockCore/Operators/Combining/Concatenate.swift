// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Delivers values once this publisher has finished.
  ///
  /// ```swift
  /// let cancellable = Just(1).map { $0 }.append(2, 3).sink { print($0) }
  /// // Prints "1", "2", "3" on three lines.
  /// ```
  ///
  /// **Demand:** passed to this publisher, and counted; what is outstanding when it has finished is asked for from what
  /// follows. A value that was not asked for is dropped.
  ///
  /// **Completion:** that of what follows.
  ///
  /// **Failure:** forwarded; what follows is not subscribed to then.
  ///
  /// **Concurrency:** adds no thread: what follows is subscribed to where this publisher finishes. If it finishes inside
  /// of a delivery, what follows may deliver at once on the same thread; what it delivers on another one waits until that
  /// delivery has returned. Publishers that finish at once are worked off in a loop, and a chain of such operators counts
  /// as one, so that neither costs stack.
  ///
  /// - Parameter elements: The values to deliver at the end.
  /// - Returns: A publisher of these values after this publisher's own.
  @inlinable
  public func append(_ elements: Output...) -> Publishers.Concatenate<Self, Publishers.Sequence<[Output], Failure>> {
    append(elements)
  }

  /// Delivers the elements of a sequence once this publisher has finished; see ``append(_:)-(Self.Output...)``.
  ///
  /// - Parameter elements: The values to deliver at the end.
  /// - Returns: A publisher of these values after this publisher's own.
  @inlinable
  public func append<S: Sequence>(
    _ elements: S
  ) -> Publishers.Concatenate<Self, Publishers.Sequence<S, Failure>> where Output == S.Element {
    append(Publishers.Sequence(sequence: elements))
  }

  /// Goes on with another publisher once this one has finished; see ``append(_:)-(Self.Output...)``.
  ///
  /// - Parameter publisher: The publisher to go on with.
  /// - Returns: A publisher of its values after this publisher's own.
  @inlinable
  public func append<P: Publisher>(
    _ publisher: P
  ) -> Publishers.Concatenate<Self, P> where Failure == P.Failure, Output == P.Output {
    Publishers.Concatenate(prefix: self, suffix: publisher)
  }

  /// Delivers values before those of this publisher; see ``append(_:)-(Self.Output...)``.
  ///
  /// ```swift
  /// let cancellable = Just(3).map { $0 }.prepend(1, 2).sink { print($0) }
  /// // Prints "1", "2", "3" on three lines.
  /// ```
  ///
  /// - Parameter elements: The values to deliver first.
  /// - Returns: A publisher of these values before this publisher's own.
  @inlinable
  public func prepend(_ elements: Output...) -> Publishers.Concatenate<Publishers.Sequence<[Output], Failure>, Self> {
    prepend(elements)
  }

  /// Delivers the elements of a sequence before the values of this publisher; see ``append(_:)-(Self.Output...)``.
  ///
  /// - Parameter elements: The values to deliver first.
  /// - Returns: A publisher of these values before this publisher's own.
  @inlinable
  public func prepend<S: Sequence>(
    _ elements: S
  ) -> Publishers.Concatenate<Publishers.Sequence<S, Failure>, Self> where Output == S.Element {
    prepend(Publishers.Sequence(sequence: elements))
  }

  /// Delivers the values of another publisher before those of this one; see ``append(_:)-(Self.Output...)``.
  ///
  /// - Parameter publisher: The publisher to begin with.
  /// - Returns: A publisher of its values before this publisher's own.
  @inlinable
  public func prepend<P: Publisher>(
    _ publisher: P
  ) -> Publishers.Concatenate<P, Self> where Failure == P.Failure, Output == P.Output {
    Publishers.Concatenate(prefix: publisher, suffix: self)
  }
}

extension Publishers {
  /// A publisher of the values of one publisher and, once that has finished, of those of another; see
  /// ``Publisher/append(_:)-(Self.Output...)``.
  public struct Concatenate<Prefix: Publisher, Suffix: Publisher>: Publisher
  where Prefix.Failure == Suffix.Failure, Prefix.Output == Suffix.Output {
    public typealias Output = Suffix.Output
    public typealias Failure = Suffix.Failure

    /// The publisher to begin with.
    public let prefix: Prefix

    /// The publisher to go on with.
    public let suffix: Suffix

    /// Makes a publisher of the values of one publisher and, after that, of those of another.
    @inlinable
    public init(prefix: Prefix, suffix: Suffix) {
      self.prefix = prefix
      self.suffix = suffix
    }

    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Suffix.Failure == S.Failure, Suffix.Output == S.Input {
      if join(subscriber) { return }
      Handover(ConcatenateRule<Output, Failure>(), line: [start(for: S.self)], to: subscriber).beginInParts(
        with: prefix)
    }

    /// Not forced inline: with a closure inlined into `receive(subscriber:)` the compiler crashes in release builds.
    @inlinable
    internal func start<S: Subscriber>(for type: S.Type) -> HandoverSubscription.Start
    where Suffix.Failure == S.Failure, Suffix.Output == S.Input {
      { [suffix] in
        let handover = unsafeDowncast($0, to: Handover<ConcatenateRule<Output, Failure>, S>.self)
        suffix.subscribe(HandoverPart(handover))
      }
    }

    /// Adds both publishers to an enclosing concatenation, if the subscriber is one.
    ///
    /// However deeply concatenations are nested, one operator then stands between a value and the subscriber; and since
    /// its loop subscribes to all parts, the nesting does not grow the stack.
    @inlinable
    internal func join<S: Subscriber>(_ subscriber: S) -> Bool
    where Suffix.Failure == S.Failure, Suffix.Output == S.Input {
      guard let whole = subscriber.joinable else { return false }
      return whole.advance([
        { [suffix] in suffix.subscribe(S.subscriber(for: $0)) },
        { [prefix] in prefix.subscribe(S.subscriber(for: $0)) },
      ])
    }
  }
}

/// The rule of `append`: the next publisher in the line follows.
@usableFromInline
internal struct ConcatenateRule<Output, Failure: Error>: HandoverRule {
  @usableFromInline internal typealias Upstream = Failure
  @usableFromInline internal typealias Downstream = Failure

  @inlinable
  internal init() {}

  @inlinable
  internal static var name: String { "Concatenate" }

  @inlinable
  internal static var rules: HandoverRules { HandoverRules(isJoined: true) }

  @inlinable
  internal func succeed<S: Subscriber>(
    _ completion: Subscribers.Completion<Failure>, isLast: Bool, count: UInt,
    in handover: Handover<Self, S>.Type
  ) -> Succession<Failure> where S.Input == Output, S.Failure == Failure {
    if case .finished = completion, !isLast { .next } else { .end(completion) }
  }
}

extension ConcatenateRule: Sendable {}

extension Publishers.Concatenate: Equatable where Prefix: Equatable, Suffix: Equatable {}

extension Publishers.Concatenate: Sendable where Prefix: Sendable, Suffix: Sendable {}
