// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Skips values until one does not satisfy a throwing predicate.
  ///
  /// ![Even numbers are left out. The predicate throws: upstream is cancelled, and the output fails.](try-drop-while)
  ///
  /// That value and all later ones are republished; the predicate is not called again.
  ///
  /// ```swift
  /// struct Garbled: Error {}
  /// let cancellable = ["-1", "0", "x"].publisher
  ///   .tryDrop { text in
  ///     guard let number = Int(text) else { throw Garbled() }
  ///     return number < 0
  ///   }
  ///   .sink(receiveCompletion: { print($0) }, receiveValue: { print($0) })
  /// // Prints "0", "x", "finished" on three lines.
  /// ```
  ///
  /// **Demand:** passed to upstream unchanged; for each skipped value, one more is requested. `request(.none)` traps.
  ///
  /// **Completion:** forwarded.
  ///
  /// **Failure:** forwarded. An error that the closure throws cancels upstream and becomes the failure.
  ///
  /// **Concurrency:** adds no thread and no lock; the closure runs on the thread that delivers the value.
  ///
  /// Use ``drop(while:)`` if the predicate cannot throw: it keeps the failure type.
  ///
  /// - Parameter predicate: A closure that returns whether to keep skipping, or throws.
  /// - Returns: A publisher of the values from the first one that does not satisfy the predicate.
  @_alwaysEmitIntoClient
  public consuming func tryDrop(while predicate: @escaping (Output) throws -> Bool) -> Publishers.TryDropWhile<Self> {
    Publishers.TryDropWhile(upstream: self, predicate: predicate)
  }
}

extension Publishers {
  /// A publisher that skips upstream values until one does not satisfy a throwing predicate; see
  /// ``Publisher/tryDrop(while:)``.
  public struct TryDropWhile<Upstream: Publisher>: Publisher, _DerivedTypes {
    public typealias _Origin = Empty<Upstream.Output, any Error>

    /// The publisher whose first values are skipped.
    public let upstream: Upstream

    /// The closure that returns whether to keep skipping.
    public let predicate: (Upstream.Output) throws -> Bool

    /// Creates a publisher that skips upstream values until one does not satisfy a throwing predicate.
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
    internal func makeStage() -> DropWhileStage<ThrowingPredicate<Upstream.Output, Upstream.Failure>> {
      DropWhileStage(ThrowingPredicate(predicate))
    }
  }
}

extension Publishers.TryDropWhile: ManagedOperator {}
