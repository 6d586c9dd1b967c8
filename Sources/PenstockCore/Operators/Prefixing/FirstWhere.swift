// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Delivers the first value to which a closure says yes, and finishes.
  ///
  /// ```swift
  /// let cancellable = (1...9).publisher.map { $0 * $0 }.first { $0 > 10 }.sink { print($0) }
  /// // Prints "16"
  /// ```
  ///
  /// **Demand:** upstream is asked for everything at once, and cancelled when the value has come. The value waits until
  /// it has been asked for.
  ///
  /// **Completion:** `.finished` follows the value. A stream without such a value gives none; its `.finished`, too, waits
  /// for a request.
  ///
  /// **Failure:** forwarded at once.
  ///
  /// **Concurrency:** the closure runs where upstream delivers, the value goes out there or where it is requested.
  ///
  /// - Parameter predicate: Says whether a value is the one to deliver.
  /// - Returns: A publisher of at most one value.
  @inlinable
  public func first(where predicate: @escaping (Output) -> Bool) -> Publishers.FirstWhere<Self> {
    Publishers.FirstWhere(upstream: self, predicate: predicate)
  }
}

extension Publishers {
  /// A publisher that delivers the first value of another to which a closure says yes; see
  /// ``Publisher/first(where:)``.
  public struct FirstWhere<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// The publisher whose values are looked at.
    public let upstream: Upstream

    /// The closure that says whether a value is the one to deliver.
    public let predicate: (Output) -> Bool

    /// Makes a publisher that delivers the first value of another to which a closure says yes.
    @inlinable
    public init(upstream: Upstream, predicate: @escaping (Output) -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Failure == S.Failure, Output == S.Input {
      upstream.subscribe(Collecting(FirstWhereStage(PassingUnary<_, _, Failure>(predicate)), to: subscriber))
    }
  }
}

/// The stage of `first(where:)` and `tryFirst(where:)`.
@usableFromInline
internal final class FirstWhereStage<Predicate: Unary>: CollectingStage where Predicate.Output == Bool {
  @usableFromInline internal typealias Input = Predicate.Input
  @usableFromInline internal typealias Channel = Predicate.Channel

  @usableFromInline internal let predicate: Predicate
  @exclusivity(unchecked) @usableFromInline internal var result: Input?

  @inlinable
  internal init(_ predicate: Predicate) {
    self.predicate = predicate
  }

  /// Combine's names: even the operator that cannot throw is called `TryFirst`.
  @inlinable
  internal static var name: String { Channel.Thrown.self == Never.self ? "TryFirst" : "TryFirstWhere" }

  @inlinable
  internal func receive(_ input: Input) throws(Channel.Thrown) -> Bool {
    guard try predicate(input) else { return false }
    dispose(of: displace(&result, with: input))
    return true
  }
}
