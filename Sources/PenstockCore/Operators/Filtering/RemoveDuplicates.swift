// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher where Output: Equatable {
  /// Suppresses values that equal their predecessor.
  ///
  /// ![A value that is equal to the one before is left out; it passes again later.](remove-duplicates)
  ///
  /// ```swift
  /// let cancellable = [1, 1, 2, 2, 1].publisher.removeDuplicates().sink { print($0) }
  /// // Prints "1", "2", "1" on three lines.
  /// ```
  ///
  /// **Demand:** passed to upstream unchanged; for each skipped value, one more is requested. `request(.none)` traps.
  ///
  /// **Completion:** forwarded.
  ///
  /// **Failure:** forwarded.
  ///
  /// **Concurrency:** adds no thread and no lock; values are compared on the thread that delivers them.
  ///
  /// Use ``removeDuplicates(by:)`` for values that are not `Equatable`, and ``filter(_:)`` to decide about each value
  /// separately.
  ///
  /// - Returns: A publisher in which no value equals its predecessor.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func removeDuplicates() -> Publishers.RemoveDuplicates<Self> {
    removeDuplicates(by: ==)
  }
}

extension Publisher {
  /// Suppresses values that a predicate considers equal to their predecessor.
  ///
  /// ![A letter that differs from the one before in its case alone is left out.](remove-duplicates-by)
  ///
  /// The first value is always republished. Each other value is compared with the value that upstream delivered before
  /// it, whether that was republished or not.
  ///
  /// ```swift
  /// let cancellable = [1, 2, 4, 7, 8].publisher
  ///   .removeDuplicates { $1 - $0 == 1 }
  ///   .sink { print($0) }
  /// // Prints "1", "4", "7" on three lines.
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
  /// Use ``removeDuplicates()`` to compare with `==`, and ``tryRemoveDuplicates(by:)`` if the predicate can throw.
  ///
  /// - Parameter predicate: A closure that returns whether its second argument counts as equal to its first, the
  ///   predecessor.
  /// - Returns: A publisher in which no value counts as equal to its predecessor.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func removeDuplicates(
    by predicate: @escaping (Output, Output) -> Bool
  ) -> Publishers.RemoveDuplicates<Self> {
    Publishers.RemoveDuplicates(upstream: self, predicate: predicate)
  }
}

extension Publishers {
  /// A publisher that suppresses upstream values equal to their predecessor; see ``Publisher/removeDuplicates(by:)``.
  public struct RemoveDuplicates<Upstream: Publisher>: Publisher, _DerivedTypes {
    public typealias _Origin = Upstream

    /// The publisher that may repeat values.
    public let upstream: Upstream

    /// The closure that returns whether its second argument counts as equal to its first.
    public let predicate: (Upstream.Output, Upstream.Output) -> Bool

    /// Creates a publisher that suppresses upstream values equal to their predecessor.
    @_alwaysEmitIntoClient
    public init(upstream: Upstream, predicate: @escaping (Upstream.Output, Upstream.Output) -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    @_alwaysEmitIntoClient @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Self.Output == S.Input, Failure == S.Failure {
      attach(subscriber)
    }

    @_alwaysEmitIntoClient @inline(__always)
    internal func makeStage() -> RemoveDuplicatesStage<PassingComparison<Upstream.Output, Failure>> {
      RemoveDuplicatesStage(PassingComparison(predicate))
    }
  }
}

extension Publishers.RemoveDuplicates: ManagedOperator {}

/// The stage of `removeDuplicates` and `tryRemoveDuplicates`.
@usableFromInline
internal final class RemoveDuplicatesStage<Predicate: BinaryClosure>: ManagedStage
where Predicate.First == Predicate.Second, Predicate.Output == Bool {
  @usableFromInline internal typealias Input = Predicate.First
  @usableFromInline internal typealias Channel = Predicate.Channel

  @usableFromInline internal let isSame: Predicate
  /// No optional, whose type would be looked up when the stage is freed.
  @exclusivity(unchecked) @usableFromInline internal var last = ValueSlot<Input>()

  @_alwaysEmitIntoClient
  internal init(_ isSame: Predicate) {
    self.isSame = isSame
  }

  deinit {
    if last.hasHeap || (last.isFull && !_isPOD(Input.self)) { last.empty() }
  }

  @_alwaysEmitIntoClient
  internal static var name: String { Channel.namePrefix + "RemoveDuplicates" }

  @_alwaysEmitIntoClient
  internal static var rules: ManagedRules { .filterLike }

  @_alwaysEmitIntoClient @inline(__always)
  internal static var endsItself: Bool { Channel.Thrown.self != Never.self }

  @_alwaysEmitIntoClient @inline(__always)
  internal func receive(_ input: Input) throws(Channel.Thrown) -> Verdict<Input, Channel.Downstream> {
    // Kept alive during the comparison, and so until it has been replaced: its `deinit` may run user code.
    let previous = last.takeIfFull()
    last.put(input)
    guard let previous, try isSame(previous, input) else { return .emit(input) }
    return .skip
  }

  @usableFromInline
  internal func mirrorChildren(downstream: Any) -> [(label: String?, value: Any)] {
    [("downstream", downstream), ("last", last.copyIfFull() as Any)]
  }
}
