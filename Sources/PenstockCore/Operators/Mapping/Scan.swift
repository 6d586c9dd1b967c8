// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Folds the values into one, and delivers what it is so far after each of them.
  ///
  /// The initial result is not delivered. Every subscriber starts from it anew.
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
  /// **Concurrency:** adds no thread and no lock; the closure runs where upstream delivers.
  ///
  /// - Parameters:
  ///   - initialResult: What to start from.
  ///   - nextPartialResult: Combines the result so far with the next value.
  /// - Returns: A publisher of the results so far.
  @inlinable
  public func scan<T>(
    _ initialResult: T, _ nextPartialResult: @escaping (T, Output) -> T
  ) -> Publishers.Scan<Self, T> {
    Publishers.Scan(upstream: self, initialResult: initialResult, nextPartialResult: nextPartialResult)
  }
}

extension Publishers {
  /// A publisher of what the values of another fold into, so far; see ``Publisher/scan(_:_:)``.
  public struct Scan<Upstream: Publisher, Output>: Publisher {
    public typealias Failure = Upstream.Failure

    /// The publisher whose values are folded.
    public let upstream: Upstream

    /// What the folding starts from.
    public let initialResult: Output

    /// The closure that combines the result so far with the next value.
    public let nextPartialResult: (Output, Upstream.Output) -> Output

    /// Makes a publisher of what the values of another fold into, so far.
    @inlinable
    public init(
      upstream: Upstream, initialResult: Output, nextPartialResult: @escaping (Output, Upstream.Output) -> Output
    ) {
      self.upstream = upstream
      self.initialResult = initialResult
      self.nextPartialResult = nextPartialResult
    }

    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
      upstream.subscribe(
        Transparent(ScanStage(initialResult, PassingBinary<_, _, _, Failure>(nextPartialResult)), to: subscriber))
    }
  }
}

/// The stage of `scan` and `tryScan`.
@usableFromInline
internal final class ScanStage<Fold: Binary>: Stage where Fold.First == Fold.Output {
  @usableFromInline internal typealias Input = Fold.Second
  @usableFromInline internal typealias Output = Fold.Output
  @usableFromInline internal typealias Channel = Fold.Channel

  @usableFromInline internal let nextPartialResult: Fold
  @exclusivity(unchecked) @usableFromInline internal var result: Output

  @inlinable
  internal init(_ initial: Output, _ nextPartialResult: Fold) {
    result = initial
    self.nextPartialResult = nextPartialResult
  }

  @inlinable
  internal static var name: String { Channel.namePrefix + "Scan" }

  @inlinable
  internal func receive(_ input: Input) throws(Channel.Thrown) -> Verdict<Output> {
    let next = try nextPartialResult(result, input)
    dispose(of: displace(&result, with: next))
    return .emit(next)
  }

  @usableFromInline
  internal func mirrorChildren(downstream: Any) -> [(label: String?, value: Any)] {
    [("downstream", downstream), ("result", result)]
  }
}
