// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Says whether a closure says yes to every value.
  ///
  /// `false` as soon as it says no; `true` when the stream has finished before that.
  ///
  /// ```swift
  /// let cancellable = (1...5).publisher.map { $0 * 10 }.allSatisfy { $0 > 5 }.sink { print($0) }
  /// // Prints "true"
  /// ```
  ///
  /// **Demand:** upstream is asked for everything at once. The answer waits until it has been asked for.
  ///
  /// **Completion:** `.finished` follows the answer. A `false` cancels upstream first. An empty stream gives `true`.
  ///
  /// **Failure:** forwarded at once.
  ///
  /// **Concurrency:** the closure runs where upstream delivers, the answer goes out there or where it is requested.
  ///
  /// - Parameter predicate: Says whether a value is as it should be.
  /// - Returns: A publisher of one truth value.
  @inlinable
  public func allSatisfy(_ predicate: @escaping (Output) -> Bool) -> Publishers.AllSatisfy<Self> {
    Publishers.AllSatisfy(upstream: self, predicate: predicate)
  }
}

extension Publishers {
  /// A publisher that says whether a closure says yes to every value of another; see
  /// ``Publisher/allSatisfy(_:)``.
  public struct AllSatisfy<Upstream: Publisher>: Publisher {
    public typealias Output = Bool
    public typealias Failure = Upstream.Failure

    /// The publisher whose values are looked at.
    public let upstream: Upstream

    /// The closure that says whether a value is as it should be.
    public let predicate: (Upstream.Output) -> Bool

    /// Makes a publisher that says whether a closure says yes to every value of another.
    @inlinable
    public init(upstream: Upstream, predicate: @escaping (Upstream.Output) -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Failure == S.Failure, S.Input == Bool {
      upstream.subscribe(Collecting(AllSatisfyStage(PassingUnary<_, _, Failure>(predicate)), to: subscriber))
    }
  }
}

/// The stage of `allSatisfy` and `tryAllSatisfy`.
@usableFromInline
internal final class AllSatisfyStage<Predicate: Unary>: CollectingStage where Predicate.Output == Bool {
  @usableFromInline internal typealias Input = Predicate.Input
  @usableFromInline internal typealias Channel = Predicate.Channel

  @usableFromInline internal let predicate: Predicate
  @exclusivity(unchecked) @usableFromInline internal var areAllSatisfying = true

  @inlinable
  internal init(_ predicate: Predicate) {
    self.predicate = predicate
  }

  @inlinable
  internal static var name: String { Channel.namePrefix + "AllSatisfy" }

  @inlinable
  internal static var initial: Bool? { true }

  @inlinable
  internal func receive(_ input: Input) throws(Channel.Thrown) -> Bool {
    if try predicate(input) { return false }
    areAllSatisfying = false
    return true
  }

  @inlinable
  internal var result: Bool? { areAllSatisfying }
}
