// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Delivers the last value to which a closure says yes, when the stream has finished.
  ///
  /// ```swift
  /// let cancellable = (1...9).publisher.map { $0 * $0 }.last { $0 < 50 }.sink { print($0) }
  /// // Prints "49"
  /// ```
  ///
  /// **Demand:** upstream is asked for everything at once. The value waits until it has been asked for.
  ///
  /// **Completion:** `.finished` follows the value. A stream without such a value gives none; its `.finished`, too, waits
  /// for a request.
  ///
  /// **Failure:** forwarded at once; the value so far is dropped.
  ///
  /// **Concurrency:** the closure runs where upstream delivers, the value goes out there or where it is requested.
  ///
  /// - Parameter predicate: Says whether a value is one to deliver if no other follows.
  /// - Returns: A publisher of at most one value.
  @inlinable
  public func last(where predicate: @escaping (Output) -> Bool) -> Publishers.LastWhere<Self> {
    Publishers.LastWhere(upstream: self, predicate: predicate)
  }
}

extension Publishers {
  /// A publisher that delivers the last value of another to which a closure says yes; see
  /// ``Publisher/last(where:)``.
  public struct LastWhere<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// The publisher whose values are looked at.
    public let upstream: Upstream

    /// The closure that says whether a value is one to deliver if no other follows.
    public let predicate: (Output) -> Bool

    /// Makes a publisher that delivers the last value of another to which a closure says yes.
    @inlinable
    public init(upstream: Upstream, predicate: @escaping (Output) -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Failure == S.Failure, Output == S.Input {
      upstream.subscribe(Collecting(LastWhereStage(PassingUnary<_, _, Failure>(predicate)), to: subscriber))
    }
  }
}

/// The stage of `last(where:)` and `tryLast(where:)`.
@usableFromInline
internal final class LastWhereStage<Predicate: Unary>: CollectingStage where Predicate.Output == Bool {
  @usableFromInline internal typealias Input = Predicate.Input
  @usableFromInline internal typealias Channel = Predicate.Channel

  @usableFromInline internal let predicate: Predicate
  @exclusivity(unchecked) @usableFromInline internal var result: Input?

  @inlinable
  internal init(_ predicate: Predicate) {
    self.predicate = predicate
  }

  @inlinable
  internal static var name: String { Channel.namePrefix + "LastWhere" }

  @inlinable
  internal func receive(_ input: Input) throws(Channel.Thrown) -> Bool {
    if try predicate(input) { dispose(of: displace(&result, with: input)) }
    return false
  }
}
