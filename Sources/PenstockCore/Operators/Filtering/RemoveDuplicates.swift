// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher where Output: Equatable {
  /// Leaves out a value that equals the one before it.
  ///
  /// ```swift
  /// let cancellable = [1, 1, 2, 2, 1].publisher.removeDuplicates().sink { print($0) }
  /// // Prints "1", "2", "1" on three lines.
  /// ```
  ///
  /// **Demand:** passed to upstream unchanged; for each value left out, one more is asked for. `request(.none)` traps.
  ///
  /// **Completion:** forwarded.
  ///
  /// **Failure:** forwarded.
  ///
  /// **Concurrency:** adds no thread and no lock; values are compared where upstream delivers.
  ///
  /// - Returns: A publisher in which no value equals the one before it.
  @inlinable
  public func removeDuplicates() -> Publishers.RemoveDuplicates<Self> {
    removeDuplicates(by: ==)
  }
}

extension Publisher {
  /// Leaves out a value that a closure calls the same as the one before it.
  ///
  /// The first value always goes through. Each other one is compared with the last one that upstream delivered, whether
  /// that went through or not.
  ///
  /// ```swift
  /// let cancellable = [1, 2, 4, 7, 8].publisher
  ///   .removeDuplicates { $1 - $0 == 1 }
  ///   .sink { print($0) }
  /// // Prints "1", "4", "7" on three lines.
  /// ```
  ///
  /// **Demand:** passed to upstream unchanged; for each value left out, one more is asked for. `request(.none)` traps.
  ///
  /// **Completion:** forwarded.
  ///
  /// **Failure:** forwarded.
  ///
  /// **Concurrency:** adds no thread and no lock; the closure runs where upstream delivers.
  ///
  /// - Parameter predicate: Says whether the second value is the same as the first.
  /// - Returns: A publisher in which no value is the same as the one before it.
  @inlinable
  public func removeDuplicates(
    by predicate: @escaping (Output, Output) -> Bool
  ) -> Publishers.RemoveDuplicates<Self> {
    Publishers.RemoveDuplicates(upstream: self, predicate: predicate)
  }
}

extension Publishers {
  /// A publisher that leaves out repeated values of another; see ``Publisher/removeDuplicates(by:)``.
  public struct RemoveDuplicates<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// The publisher that may repeat values.
    public let upstream: Upstream

    /// The closure that says whether the second value is the same as the first.
    public let predicate: (Upstream.Output, Upstream.Output) -> Bool

    /// Makes a publisher that leaves out repeated values of another.
    @inlinable
    public init(upstream: Upstream, predicate: @escaping (Upstream.Output, Upstream.Output) -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
      upstream.subscribe(Managed(RemoveDuplicatesStage(PassingBinary<_, _, _, Failure>(predicate)), to: subscriber))
    }
  }
}

/// The stage of `removeDuplicates` and `tryRemoveDuplicates`.
@usableFromInline
internal final class RemoveDuplicatesStage<Predicate: Binary>: ManagedStage
where Predicate.First == Predicate.Second, Predicate.Output == Bool {
  @usableFromInline internal typealias Input = Predicate.First
  @usableFromInline internal typealias Channel = Predicate.Channel

  @usableFromInline internal let isSame: Predicate
  @exclusivity(unchecked) @usableFromInline internal var last: Input?

  @inlinable
  internal init(_ isSame: Predicate) {
    self.isSame = isSame
  }

  @inlinable
  internal static var name: String { Channel.namePrefix + "RemoveDuplicates" }

  @inlinable
  internal static var rules: ManagedRules { .filterLike }

  @inlinable
  internal func receive(_ input: Input) throws(Channel.Thrown) -> Verdict<Input> {
    // Kept alive through the comparison, and so until it has been replaced: its `deinit` may run user code.
    let previous = exchange(&last, with: input)
    guard let previous, try isSame(previous, input) else { return .emit(input) }
    return .drop
  }

  @usableFromInline
  internal func mirrorChildren(downstream: Any) -> [(label: String?, value: Any)] {
    [("downstream", downstream), ("last", last as Any)]
  }
}
