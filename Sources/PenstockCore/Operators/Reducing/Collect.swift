// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Collects all values into one array, and publishes it when the upstream publisher finishes.
  ///
  /// ![All values are published as one array when upstream finishes.](collect)
  ///
  /// ```swift
  /// let cancellable = (1...3).publisher.map { $0 * 10 }.collect().sink { print($0) }
  /// // Prints "[10, 20, 30]"
  /// ```
  ///
  /// **Demand:** unlimited values are requested from upstream at once, so a publisher that never finishes fills the
  /// memory. The array waits until it is requested.
  ///
  /// **Completion:** `.finished` follows the array. A publisher that finishes without values gives an empty array.
  ///
  /// **Failure:** forwarded at once; the values collected so far are dropped.
  ///
  /// **Concurrency:** the array is delivered on the thread that finishes upstream, or on the one that requests it.
  ///
  /// Use ``collect(_:)`` for arrays of a given size, ``collect(_:options:)`` for arrays by time, and ``scan(_:_:)`` to
  /// publish every intermediate array.
  ///
  /// - Returns: A publisher of one array.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func collect() -> Publishers.Collect<Self> {
    Publishers.Collect(upstream: self)
  }
}

extension Publishers {
  /// A publisher that collects all upstream values into one array; see ``Publisher/collect()``.
  public struct Collect<Upstream: Publisher>: Publisher, _DerivedTypes {
    public typealias _Origin = Empty<[Upstream.Output], Upstream.Failure>

    /// The publisher whose values are collected.
    public let upstream: Upstream

    /// Creates a publisher that collects all upstream values into one array.
    @_alwaysEmitIntoClient
    public init(upstream: Upstream) {
      self.upstream = upstream
    }

    @_alwaysEmitIntoClient @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Self.Output == S.Input, Failure == S.Failure {
      attach(subscriber)
    }

    @_alwaysEmitIntoClient @inline(__always)
    internal func makeStage() -> CollectStage<Upstream.Output, Failure> {
      CollectStage()
    }
  }
}

extension Publishers.Collect: QueuedOperator {}

/// The stage of `collect()`.
@usableFromInline
internal final class CollectStage<Input, Failure: Error>: ReducingStage {
  @usableFromInline internal typealias Channel = PassingChannel<Failure>

  @exclusivity(unchecked) @usableFromInline internal var values: [Input] = []
  @usableFromInline internal let shownCount = ShownCell(0)

  @_alwaysEmitIntoClient
  internal init() {}

  @_alwaysEmitIntoClient
  internal static var name: String { "Collect" }

  @_alwaysEmitIntoClient
  internal func receive(_ input: Input) -> Verdict<[Input], Failure> {
    values.append(input)
    shownCount.set(values.count)
    return .absorb
  }

  @_alwaysEmitIntoClient
  internal var result: [Input]? { values }

  @usableFromInline
  internal func show(in link: inout LinkState) {
    if link.waiting == 0 { (link.waiting, link.wait) = (shownCount.value, .end) }
  }

  @usableFromInline
  internal func mirrorChildren(
    downstream: Any, slot: borrowing SubscriptionSlot
  ) -> [(label: String?, value: Any)] {
    [("count", values.count)]
  }
}

extension Publishers.Collect: Equatable where Upstream: Equatable {}

extension Publishers.Collect: Sendable where Upstream: Sendable {}
