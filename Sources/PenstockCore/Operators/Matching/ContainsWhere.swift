// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Says whether a closure says yes to any value.
  ///
  /// `true` as soon as such a value comes; `false` when the stream has finished without one.
  ///
  /// ```swift
  /// let cancellable = ["gate", "pipe"].publisher.map(\.count).contains { $0 > 4 }.sink { print($0) }
  /// // Prints "false"
  /// ```
  ///
  /// **Demand:** upstream is asked for everything at once. The answer waits until it has been asked for.
  ///
  /// **Completion:** `.finished` follows the answer. A `true` cancels upstream first.
  ///
  /// **Failure:** forwarded at once.
  ///
  /// **Concurrency:** the closure runs where upstream delivers, the answer goes out there or where it is requested.
  ///
  /// - Parameter predicate: Says whether a value is one to look for.
  /// - Returns: A publisher of one truth value.
  @inlinable
  public func contains(where predicate: @escaping (Output) -> Bool) -> Publishers.ContainsWhere<Self> {
    Publishers.ContainsWhere(upstream: self, predicate: predicate)
  }
}

extension Publishers {
  /// A publisher that says whether a closure says yes to any value of another; see
  /// ``Publisher/contains(where:)``.
  public struct ContainsWhere<Upstream: Publisher>: Publisher {
    public typealias Output = Bool
    public typealias Failure = Upstream.Failure

    /// The publisher whose values are looked at.
    public let upstream: Upstream

    /// The closure that says whether a value is one to look for.
    public let predicate: (Upstream.Output) -> Bool

    /// Makes a publisher that says whether a closure says yes to any value of another.
    @inlinable
    public init(upstream: Upstream, predicate: @escaping (Upstream.Output) -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Failure == S.Failure, S.Input == Bool {
      upstream.subscribe(Collecting(ContainsWhereStage(PassingUnary<_, _, Failure>(predicate)), to: subscriber))
    }
  }
}

/// The stage of `contains(where:)` and `tryContains(where:)`.
@usableFromInline
internal final class ContainsWhereStage<Predicate: Unary>: CollectingStage where Predicate.Output == Bool {
  @usableFromInline internal typealias Input = Predicate.Input
  @usableFromInline internal typealias Channel = Predicate.Channel

  @usableFromInline internal let predicate: Predicate
  @exclusivity(unchecked) @usableFromInline internal var isFound = false

  @inlinable
  internal init(_ predicate: Predicate) {
    self.predicate = predicate
  }

  @inlinable
  internal static var name: String { Channel.namePrefix + "ContainsWhere" }

  @inlinable
  internal static var initial: Bool? { false }

  @inlinable
  internal func receive(_ input: Input) throws(Channel.Thrown) -> Bool {
    guard try predicate(input) else { return false }
    isFound = true
    return true
  }

  @inlinable
  internal var result: Bool? { isFound }
}
