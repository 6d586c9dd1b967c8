// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Republishes values while they satisfy a predicate, and then finishes.
  ///
  /// ![Values pass up to the first that is not below 10, which is left out. Then upstream is cancelled.](prefix-while)
  ///
  /// The first value that does not satisfy it is not republished.
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
  /// **Completion:** forwarded. The first value that does not satisfy the predicate cancels upstream and finishes the
  /// publisher.
  ///
  /// **Failure:** forwarded.
  ///
  /// **Concurrency:** adds no thread and no lock; the closure runs on the thread that delivers the value.
  ///
  /// Use ``filter(_:)`` to test every value, ``drop(while:)`` for the values after, and ``prefix(_:)`` to end by
  /// number.
  ///
  /// - Parameter predicate: A closure that returns whether to keep republishing.
  /// - Returns: A publisher of the values before the first one that does not satisfy the predicate.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func prefix(while predicate: @escaping (Output) -> Bool) -> Publishers.PrefixWhile<Self> {
    Publishers.PrefixWhile(upstream: self, predicate: predicate)
  }
}

extension Publishers {
  /// A publisher that republishes upstream values while they satisfy a predicate; see ``Publisher/prefix(while:)``.
  public struct PrefixWhile<Upstream: Publisher>: Publisher, _DerivedTypes {
    public typealias _Origin = Upstream

    /// The publisher whose first values are republished.
    public let upstream: Upstream

    /// The closure that returns whether to keep republishing.
    public let predicate: (Upstream.Output) -> Bool

    /// Creates a publisher that republishes upstream values while they satisfy a predicate.
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
    internal func makeStage() -> PrefixWhileStage<PassingPredicate<Upstream.Output, Failure>> {
      PrefixWhileStage(PassingPredicate(predicate))
    }
  }
}

extension Publishers.PrefixWhile: ManagedOperator {}

/// The stage of `prefix(while:)` and `tryPrefix(while:)`.
@frozen
@usableFromInline
internal struct PrefixWhileStage<Predicate: UnaryClosure>: ManagedStage where Predicate.Output == Bool {
  @usableFromInline internal typealias Input = Predicate.Input
  @usableFromInline internal typealias Channel = Predicate.Channel

  @usableFromInline internal let predicate: Predicate

  @_alwaysEmitIntoClient
  internal init(_ predicate: Predicate) {
    self.predicate = predicate
  }

  @_alwaysEmitIntoClient
  internal static var name: String { Channel.namePrefix + "PrefixWhile" }

  @_alwaysEmitIntoClient
  internal static var rules: ManagedRules { .filterLike }

  @_alwaysEmitIntoClient
  internal func receive(_ input: Input) throws(Channel.Thrown) -> Verdict<Input, Channel.Downstream> {
    try predicate(input) ? .emit(input) : .finish
  }

  @usableFromInline
  internal func mirrorChildren(downstream: Any) -> [(label: String?, value: Any)] { [("downstream", downstream)] }
}
