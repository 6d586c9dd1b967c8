// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Skips values until one does not satisfy a predicate.
  ///
  /// ![Values are left out while they are below 10. From then on all pass, also those below.](drop-while)
  ///
  /// That value and all later ones are republished; the predicate is not called again.
  ///
  /// ```swift
  /// let cancellable = [-2, -1, 0, -3].publisher.drop { $0 < 0 }.sink { print($0) }
  /// // Prints "0", "-3" on two lines.
  /// ```
  ///
  /// **Demand:** passed to upstream unchanged; for each skipped value, one more is requested. `request(.none)` traps.
  ///
  /// **Completion:** forwarded.
  ///
  /// **Failure:** forwarded.
  ///
  /// **Concurrency:** adds no thread and no lock; the closure runs on the thread that delivers the value.
  ///
  /// Use ``filter(_:)`` to test every value, ``prefix(while:)`` for the values before, and ``dropFirst(_:)`` to skip by
  /// number.
  ///
  /// - Parameter predicate: A closure that returns whether to keep skipping.
  /// - Returns: A publisher of the values from the first one that does not satisfy the predicate.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func drop(while predicate: @escaping (Output) -> Bool) -> Publishers.DropWhile<Self> {
    Publishers.DropWhile(upstream: self, predicate: predicate)
  }
}

extension Publishers {
  /// A publisher that skips upstream values until one does not satisfy a predicate; see ``Publisher/drop(while:)``.
  public struct DropWhile<Upstream: Publisher>: Publisher, _DerivedTypes {
    public typealias _Origin = Upstream

    /// The publisher whose first values are skipped.
    public let upstream: Upstream

    /// The closure that returns whether to keep skipping.
    public let predicate: (Upstream.Output) -> Bool

    /// Creates a publisher that skips upstream values until one does not satisfy a predicate.
    @_alwaysEmitIntoClient
    public init(upstream: Upstream, predicate: @escaping (Upstream.Output) -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    @_alwaysEmitIntoClient @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Self.Output == S.Input, Failure == S.Failure {
      attach(subscriber)
    }

    @_alwaysEmitIntoClient @inline(__always)
    internal func makeStage() -> DropWhileStage<PassingPredicate<Upstream.Output, Failure>> {
      DropWhileStage(PassingPredicate(predicate))
    }
  }
}

extension Publishers.DropWhile: ManagedOperator {}

/// The stage of `drop(while:)` and `tryDrop(while:)`.
@usableFromInline
internal final class DropWhileStage<Predicate: UnaryClosure>: ManagedStage where Predicate.Output == Bool {
  @usableFromInline internal typealias Input = Predicate.Input
  @usableFromInline internal typealias Channel = Predicate.Channel

  @usableFromInline internal let predicate: Predicate
  @exclusivity(unchecked) @usableFromInline internal var isDropping = true

  @_alwaysEmitIntoClient
  internal init(_ predicate: Predicate) {
    self.predicate = predicate
  }

  @_alwaysEmitIntoClient
  internal static var name: String { Channel.namePrefix + "DropWhile" }

  @_alwaysEmitIntoClient
  internal static var rules: ManagedRules { ManagedRules(deliversAfterItsCall: true) }

  @_alwaysEmitIntoClient @inline(__always)
  internal static var endsItself: Bool { Channel.Thrown.self != Never.self }

  @_alwaysEmitIntoClient
  internal func receive(_ input: Input) throws(Channel.Thrown) -> Verdict<Input, Channel.Downstream> {
    if isDropping {
      if try predicate(input) { return .skip }
      isDropping = false
    }
    return .emit(input)
  }
}
