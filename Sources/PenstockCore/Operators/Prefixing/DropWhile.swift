// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Leaves out the values up to the first for which a closure says no.
  ///
  /// That value and all after it go through; the closure is not asked again.
  ///
  /// ```swift
  /// let cancellable = [-2, -1, 0, -3].publisher.drop { $0 < 0 }.sink { print($0) }
  /// // Prints "0", "-3" on two lines.
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
  /// - Parameter predicate: Says whether to go on leaving out.
  /// - Returns: A publisher of the values from there on.
  @inlinable
  public func drop(while predicate: @escaping (Output) -> Bool) -> Publishers.DropWhile<Self> {
    Publishers.DropWhile(upstream: self, predicate: predicate)
  }
}

extension Publishers {
  /// A publisher that leaves out the first values of another, as far as a closure says; see
  /// ``Publisher/drop(while:)``.
  public struct DropWhile<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// The publisher whose first values are left out.
    public let upstream: Upstream

    /// The closure that says whether to go on leaving out.
    public let predicate: (Upstream.Output) -> Bool

    /// Makes a publisher that leaves out the first values of another, as far as a closure says.
    @inlinable
    public init(upstream: Upstream, predicate: @escaping (Upstream.Output) -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
      upstream.subscribe(Managed(DropWhileStage(PassingUnary<_, _, Failure>(predicate)), to: subscriber))
    }
  }
}

/// The stage of `drop(while:)` and `tryDrop(while:)`.
@usableFromInline
internal final class DropWhileStage<Predicate: Unary>: ManagedStage where Predicate.Output == Bool {
  @usableFromInline internal typealias Input = Predicate.Input
  @usableFromInline internal typealias Channel = Predicate.Channel

  @usableFromInline internal let predicate: Predicate
  @exclusivity(unchecked) @usableFromInline internal var isDropping = true

  @inlinable
  internal init(_ predicate: Predicate) {
    self.predicate = predicate
  }

  @inlinable
  internal static var name: String { Channel.namePrefix + "DropWhile" }

  @inlinable
  internal static var rules: ManagedRules { ManagedRules() }

  @inlinable
  internal func receive(_ input: Input) throws(Channel.Thrown) -> Verdict<Input> {
    if isDropping {
      if try predicate(input) { return .drop }
      isDropping = false
    }
    return .emit(input)
  }
}
