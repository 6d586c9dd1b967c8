// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Collects values into arrays of a given size.
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
  @inlinable
  public func collect(_ count: Int) -> Publishers.CollectByCount<Self> {
    Publishers.CollectByCount(upstream: self, count: count)
  }
}

extension Publishers {
  /// A publisher that collects upstream values into arrays of a given size; see ``Publisher/collect(_:)``.
  public struct CollectByCount<Upstream: Publisher>: Publisher {
    public typealias Output = [Upstream.Output]
    public typealias Failure = Upstream.Failure

    /// The publisher whose values are collected.
    public let upstream: Upstream

    /// The number of values in an array.
    public let count: Int

    /// Creates a publisher that collects upstream values into arrays of a given size.
    @inlinable
    public init(upstream: Upstream, count: Int) {
      self.upstream = upstream
      self.count = count
    }

    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Failure == S.Failure, Output == S.Input {
      upstream.subscribe(CollectByCountLink(count, to: subscriber))
    }
  }
}

/// The operator `collect(_:)`.
///
/// It is no stage of a shape, because no shape multiplies demand.
@usableFromInline
internal final class CollectByCountLink<Element, Downstream: Subscriber>: CollectByCountSubscription, Subscriber
where Downstream.Input == [Element] {
  @usableFromInline internal typealias Input = Element
  @usableFromInline internal typealias Failure = Downstream.Failure

  @usableFromInline internal let downstream: Downstream
  @exclusivity(unchecked) @usableFromInline internal var buffer: [Element] = []

  @inlinable @inline(__always)
  internal init(_ count: Int, to downstream: Downstream) {
    self.downstream = downstream
    super.init(count, deliver: { unsafeDowncast($0, to: CollectByCountLink.self).deliverRest() })
  }

  @inlinable
  internal func receive(subscription: any Subscription) {
    guard slot.attach(subscription) else { return }
    isDelivering = true
    downstream.receive(subscription: self)
    endDelivery()
  }

  @inlinable
  internal func receive(_ input: Element) -> Subscribers.Demand {
    guard slot.phase == .active else { return .none }
    buffer.append(input)
    guard buffer.count == count else { return .none }
    var batch: [Element] = []
    batch.reserveCapacity(count)
    // Exchanged before the delivery, during which new values or the completion may arrive.
    swap(&batch, &buffer)
    delivered += 1
    let isOutermost = beginDelivery()
    let more = downstream.receive(batch)
    let values = more == .none ? .none : answer(more)
    if isOutermost { endDelivery() }
    return values
  }

  /// Forwards a completion in every state of the stream, as Combine does, unless the remaining values have to precede
  /// it.
  @inlinable
  internal func receive(completion: Subscribers.Completion<Failure>) {
    if slot.finish() {
      if case .finished = completion, !buffer.isEmpty {
        settleAccount()
        return substitute()
      }
      buffer = []
    } else if isHolding {
      return
    }
    downstream.receive(completion: completion)
  }

  @inlinable
  internal func deliverRest() {
    var rest: [Element] = []
    swap(&rest, &buffer)
    _ = downstream.receive(rest)
    if !ledger.isClosed { downstream.receive(completion: .finished) }
  }

  @usableFromInline
  internal override func discard() {
    // Moved to a local variable before it is released, since that may run user code.
    var rest: [Element] = []
    swap(&rest, &buffer)
  }

  @usableFromInline
  package override var mirrorChildren: [(label: String?, value: Any)] {
    [
      ("downstream", downstream), ("upstreamSubscription", slot.current as Any), ("buffer", buffer),
      ("count", count),
    ]
  }
}

extension CollectByCountLink: SynchronousOperator {}

extension Publishers.CollectByCount: Equatable where Upstream: Equatable {}

extension Publishers.CollectByCount: Sendable where Upstream: Sendable {}
