// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Combines each value with the previous result and publishes every intermediate result.
  ///
  /// ![For each number, the sum of all numbers so far is published.](scan)
  ///
  /// The initial result is not published. Every subscription starts from it again.
  ///
  /// ```swift
  /// let cancellable = (1...4).publisher.scan(0, +).sink { print($0) }
  /// // Prints "1", "3", "6", "10" on four lines.
  /// ```
  ///
  /// **Demand:** passed to upstream unchanged.
  ///
  /// **Completion:** forwarded.
  ///
  /// **Failure:** forwarded.
  ///
  /// **Concurrency:** adds no thread and no lock; the closure runs on the thread that delivers the value.
  ///
  /// Use ``reduce(_:_:)`` if only the final result matters, and ``tryScan(_:_:)`` if the closure can throw.
  ///
  /// - Parameters:
  ///   - initialResult: The result to start from.
  ///   - nextPartialResult: A closure that combines the previous result with the next value.
  /// - Returns: A publisher of the intermediate results.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func scan<T>(
    _ initialResult: T, _ nextPartialResult: @escaping (T, Output) -> T
  ) -> Publishers.Scan<Self, T> {
    Publishers.Scan(upstream: self, initialResult: initialResult, nextPartialResult: nextPartialResult)
  }
}

extension Publishers {
  /// A publisher that combines each upstream value with the previous result; see ``Publisher/scan(_:_:)``.
  public struct Scan<Upstream: Publisher, Output>: Publisher, _DerivedTypes {
    public typealias _Origin = Upstream

    /// The publisher whose values are combined.
    public let upstream: Upstream

    /// The result to start from.
    public let initialResult: Output

    /// The closure that combines the previous result with the next value.
    public let nextPartialResult: (Output, Upstream.Output) -> Output

    /// Creates a publisher that combines each upstream value with the previous result.
    @_alwaysEmitIntoClient
    public init(
      upstream: Upstream, initialResult: Output, nextPartialResult: @escaping (Output, Upstream.Output) -> Output
    ) {
      self.upstream = upstream
      self.initialResult = initialResult
      self.nextPartialResult = nextPartialResult
    }

    @_alwaysEmitIntoClient @inline(__always)
    internal var stage: ScanStage<PassingBinary<Output, Upstream.Output, Output, Failure>> {
      ScanStage(initialResult, PassingBinary(nextPartialResult))
    }

    @_alwaysEmitIntoClient @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
      attach(subscriber)
    }
  }
}

extension Publishers.Scan: TransparentOperator {}

/// The stage of `scan` and `tryScan`.
@usableFromInline
internal final class ScanStage<Fold: BinaryClosure>: Stage where Fold.First == Fold.Output {
  @usableFromInline internal typealias Input = Fold.Second
  @usableFromInline internal typealias Output = Fold.Output
  @usableFromInline internal typealias Channel = Fold.Channel

  @usableFromInline internal let nextPartialResult: Fold
  @exclusivity(unchecked) @usableFromInline internal var result: Output

  @_alwaysEmitIntoClient
  internal init(_ initial: Output, _ nextPartialResult: Fold) {
    result = initial
    self.nextPartialResult = nextPartialResult
  }

  @_alwaysEmitIntoClient
  internal static var name: String { Channel.namePrefix + "Scan" }

  @_alwaysEmitIntoClient
  internal func receive(_ input: Input) throws(Channel.Thrown) -> Verdict<Output, Channel.Downstream> {
    let next = try nextPartialResult(result, input)
    dispose(of: displace(&result, with: next))
    return .emit(next)
  }

  @usableFromInline
  internal func mirrorChildren(downstream: Any) -> [(label: String?, value: Any)] {
    [("downstream", downstream), ("result", result)]
  }
}
