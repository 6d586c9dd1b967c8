// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Republishes values while they satisfy a throwing predicate, and then finishes.
  ///
  /// ![Even numbers pass. The predicate throws: upstream is cancelled, and the output fails.](try-prefix-while)
  ///
  /// The first value that does not satisfy it is not republished.
  ///
  /// ```swift
  /// struct Garbled: Error {}
  /// let cancellable = ["1", "x", "30"].publisher
  ///   .tryPrefix { text in
  ///     guard let number = Int(text) else { throw Garbled() }
  ///     return number < 10
  ///   }
  ///   .sink(receiveCompletion: { print($0) }, receiveValue: { print($0) })
  /// // Prints "1", "failure(Garbled())" on two lines.
  /// ```
  ///
  /// **Demand:** passed to upstream unchanged. `request(.none)` traps.
  ///
  /// **Completion:** forwarded. The first value that does not satisfy the predicate cancels upstream and finishes the
  /// publisher.
  ///
  /// **Failure:** forwarded. An error that the closure throws cancels upstream and becomes the failure.
  ///
  /// **Concurrency:** adds no thread and no lock; the closure runs on the thread that delivers the value.
  ///
  /// Use ``prefix(while:)`` if the predicate cannot throw: it keeps the failure type.
  ///
  /// - Parameter predicate: A closure that returns whether to keep republishing, or throws.
  /// - Returns: A publisher of the values before the first one that does not satisfy the predicate.
  @_alwaysEmitIntoClient
  public consuming func tryPrefix(while predicate: @escaping (Output) throws -> Bool)
    -> Publishers.TryPrefixWhile<Self>
  {
    Publishers.TryPrefixWhile(upstream: self, predicate: predicate)
  }
}

extension Publishers {
  /// A publisher that republishes upstream values while they satisfy a throwing predicate; see
  /// ``Publisher/tryPrefix(while:)``.
  public struct TryPrefixWhile<Upstream: Publisher>: Publisher, _DerivedTypes {
    public typealias _Origin = Empty<Upstream.Output, any Error>

    /// The publisher whose first values are republished.
    public let upstream: Upstream

    /// The closure that returns whether to keep republishing.
    public let predicate: (Upstream.Output) throws -> Bool

    /// Creates a publisher that republishes upstream values while they satisfy a throwing predicate.
    @_alwaysEmitIntoClient
    public init(upstream: Upstream, predicate: @escaping (Upstream.Output) throws -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    @_alwaysEmitIntoClient @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Self.Output == S.Input, S.Failure == any Error {
      attach(subscriber)
    }

    @_alwaysEmitIntoClient @inline(__always)
    internal func makeStage() -> PrefixWhileStage<ThrowingPredicate<Upstream.Output, Upstream.Failure>> {
      PrefixWhileStage(ThrowingPredicate(predicate))
    }
  }
}

extension Publishers.TryPrefixWhile: ManagedOperator {}
