// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Lets the values through up to the first for which a closure says no, and ends the stream there.
  ///
  /// That value is not delivered.
  ///
  /// ```swift
  /// let cancellable = [1, 2, 30, 4].publisher
  ///   .prefix { $0 < 10 }
  ///   .sink(receiveCompletion: { print($0) }, receiveValue: { print($0) })
  /// // Prints "1", "2", "finished" on three lines.
  /// ```
  ///
  /// **Demand:** passed to upstream unchanged. `request(.none)` traps.
  ///
  /// **Completion:** forwarded. The first value that does not go through cancels upstream and finishes the stream.
  ///
  /// **Failure:** forwarded.
  ///
  /// **Concurrency:** adds no thread and no lock; the closure runs where upstream delivers.
  ///
  /// - Parameter predicate: Says whether a value still goes through.
  /// - Returns: A publisher of the values up to there.
  @inlinable
  public func prefix(while predicate: @escaping (Output) -> Bool) -> Publishers.PrefixWhile<Self> {
    Publishers.PrefixWhile(upstream: self, predicate: predicate)
  }
}

extension Publishers {
  /// A publisher of the first values of another, as far as a closure says; see ``Publisher/prefix(while:)``.
  public struct PrefixWhile<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// The publisher whose first values go through.
    public let upstream: Upstream

    /// The closure that says whether a value still goes through.
    public let predicate: (Upstream.Output) -> Bool

    /// Makes a publisher of the first values of another, as far as a closure says.
    @inlinable
    public init(upstream: Upstream, predicate: @escaping (Upstream.Output) -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
      upstream.subscribe(Managed(PrefixWhileStage(PassingUnary<_, _, Failure>(predicate)), to: subscriber))
    }
  }
}

/// The stage of `prefix(while:)` and `tryPrefix(while:)`.
@frozen
@usableFromInline
internal struct PrefixWhileStage<Predicate: Unary>: ManagedStage where Predicate.Output == Bool {
  @usableFromInline internal typealias Input = Predicate.Input
  @usableFromInline internal typealias Channel = Predicate.Channel

  @usableFromInline internal let predicate: Predicate

  @inlinable
  internal init(_ predicate: Predicate) {
    self.predicate = predicate
  }

  @inlinable
  internal static var name: String { Channel.namePrefix + "PrefixWhile" }

  @inlinable
  internal static var rules: ManagedRules { .filterLike }

  @inlinable
  internal func receive(_ input: Input) throws(Channel.Thrown) -> Verdict<Input> {
    try predicate(input) ? .emit(input) : .finish
  }

  @usableFromInline
  internal func mirrorChildren(downstream: Any) -> [(label: String?, value: Any)] { [("downstream", downstream)] }
}
