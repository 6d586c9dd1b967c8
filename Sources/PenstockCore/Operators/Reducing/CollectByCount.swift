// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Collects values into arrays of a given size.
  ///
  /// ![Values are published in arrays of two; the last array has what is left.](collect-count)
  ///
  /// ```swift
  /// let cancellable = (1...5).publisher.collect(2).sink { print($0) }
  /// // Prints "[1, 2]", "[3, 4]", "[5]" on three lines.
  /// ```
  ///
  /// **Demand:** for each requested array, as many values as it holds are requested from upstream. `request(.none)`
  /// traps.
  ///
  /// **Completion:** forwarded after an array of the remaining values, if there are any. That array waits until it is
  /// requested, and the completion waits with it.
  ///
  /// **Failure:** forwarded; the remaining values are dropped.
  ///
  /// **Concurrency:** adds no thread and no lock; arrays are delivered on the thread that delivers their last value.
  ///
  /// With a count of 0 no array is ever full, and only unlimited demand reaches upstream. A negative count traps at the
  /// first request.
  ///
  /// Use ``collect()`` for one array of all values, and ``collect(_:options:)`` for arrays by time, or by time and
  /// size.
  ///
  /// - Parameter count: The number of values in an array.
  /// - Returns: A publisher of arrays.
  @_alwaysEmitIntoClient
  public consuming func collect(_ count: Int) -> Publishers.CollectByCount<Self> {
    Publishers.CollectByCount(upstream: self, count: count)
  }
}

extension Publishers {
  /// A publisher that collects upstream values into arrays of a given size; see ``Publisher/collect(_:)``.
  public struct CollectByCount<Upstream: Publisher>: Publisher, _DerivedTypes {
    public typealias _Origin = Empty<[Upstream.Output], Upstream.Failure>

    /// The publisher whose values are collected.
    public let upstream: Upstream

    /// The number of values in an array.
    public let count: Int

    /// Creates a publisher that collects upstream values into arrays of a given size.
    @_alwaysEmitIntoClient
    public init(upstream: Upstream, count: Int) {
      self.upstream = upstream
      self.count = count
    }

    @_alwaysEmitIntoClient @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Failure == S.Failure, Self.Output == S.Input {
      attach(subscriber)
    }

    @_alwaysEmitIntoClient @inline(__always)
    internal func makeStage() -> CollectByCountStage<Upstream.Output, Failure> {
      CollectByCountStage(count)
    }
  }
}

extension Publishers.CollectByCount: QueuedOperator {}

/// The stage of `collect(_:)`: it makes an array of every `count` values, and one of the remaining values.
@usableFromInline
internal final class CollectByCountStage<Input, Failure: Error>: QueuedStage {
  @usableFromInline internal typealias Channel = PassingChannel<Failure>

  @usableFromInline internal let count: Int
  @exclusivity(unchecked) @usableFromInline internal var buffer: [Input] = []
  @usableFromInline internal let shownCount = ShownCell(0)

  @_alwaysEmitIntoClient
  internal init(_ count: Int) {
    self.count = count
  }

  @_alwaysEmitIntoClient
  internal static var name: String { "CollectByCount" }

  @_alwaysEmitIntoClient
  internal var demand: QueuedDemand { .multiplied(by: count, operator: "collect(_:)") }

  /// Full arrays are delivered in any case, as in Combine.
  @_alwaysEmitIntoClient
  internal static var accounting: QueuedAccounting { .lenient }

  @_alwaysEmitIntoClient
  internal static var forwardsEveryCompletion: Bool { true }

  /// Forced inline: the shape then knows which verdicts are possible, and drops its code for the others.
  @_alwaysEmitIntoClient @inline(__always)
  internal func receive(_ input: Input) -> Verdict<[Input], Failure> {
    buffer.append(input)
    guard buffer.count == count else {
      shownCount.set(buffer.count)
      return .absorb
    }
    shownCount.set(0)
    var batch: [Input] = []
    batch.reserveCapacity(count)
    // Exchanged before the delivery, during which new values or the completion may arrive.
    swap(&batch, &buffer)
    return .emit(batch)
  }

  @_alwaysEmitIntoClient
  internal func finish(
    _ completion: Subscribers.Completion<Failure>, into outputs: inout Outputs<[Input]>
  ) -> Subscribers.Completion<Failure> {
    let rest = exchange(&buffer, with: [])
    if !rest.isEmpty { outputs.append(rest) }
    return completion
  }

  @usableFromInline
  internal func show(in link: inout LinkState) {
    // A group that waits for demand comes first.
    guard link.waiting == 0 else { return }
    (link.waiting, link.capacity) = (shownCount.value, count)
    link.wait = count > 0 ? .group(more: count - shownCount.value) : .end
  }

  @usableFromInline
  internal func mirrorChildren(
    downstream: Any, slot: borrowing SubscriptionSlot
  ) -> [(label: String?, value: Any)] {
    [
      ("downstream", downstream), ("upstreamSubscription", slot.current as Any), ("buffer", buffer), ("count", count),
    ]
  }
}

extension Publishers.CollectByCount: Equatable where Upstream: Equatable {}

extension Publishers.CollectByCount: Sendable where Upstream: Sendable {}
