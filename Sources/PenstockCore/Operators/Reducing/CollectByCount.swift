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
  /// **Demand:** for each array that is asked for, upstream is asked for as many values as it holds. `request(.none)`
  /// traps.
  ///
  /// **Completion:** forwarded, behind an array of the values that are left, if any.
  ///
  /// **Failure:** forwarded; the values that are left are dropped.
  ///
  /// **Concurrency:** adds no thread and no lock; arrays go out where upstream delivers.
  ///
  /// With a count of 0 no array is ever full, and only unlimited demand reaches upstream. A negative count traps at the
  /// first request.
  ///
  /// - Parameter count: The size of the arrays.
  /// - Returns: A publisher of arrays.
  @inlinable
  public func collect(_ count: Int) -> Publishers.CollectByCount<Self> {
    Publishers.CollectByCount(upstream: self, count: count)
  }
}

extension Publishers {
  /// A publisher that collects the values of another into arrays of a given size; see ``Publisher/collect(_:)``.
  public struct CollectByCount<Upstream: Publisher>: Publisher {
    public typealias Output = [Upstream.Output]
    public typealias Failure = Upstream.Failure

    /// The publisher whose values are collected.
    public let upstream: Upstream

    /// The size of the arrays.
    public let count: Int

    /// Makes a publisher that collects the values of another into arrays of a given size.
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

/// The part of `collect(_:)` that depends on no type: the subscription that downstream gets.
@usableFromInline
internal class CollectByCountSubscription: ManagedSubscription {
  @usableFromInline internal let count: Int

  @inlinable
  internal init(_ count: Int) {
    self.count = count
    super.init(name: "CollectByCount", rules: ManagedRules())
  }

  @usableFromInline
  package final override func request(_ demand: Subscribers.Demand) {
    if demand == .none { trap(.requestedNothing) }
    if count < 0 { trap(.negativeCount(operator: "collect(_:)")) }
    let values = demand * count
    if values != .none { super.request(values) }
  }
}

/// The work of `collect(_:)`.
///
/// Long-hand, because no shape multiplies demand, or has something to deliver before a completion.
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
    super.init(count)
  }

  @inlinable
  internal func receive(subscription: any Subscription) {
    if slot.attach(subscription) { downstream.receive(subscription: self) }
  }

  @inlinable
  internal func receive(_ input: Element) -> Subscribers.Demand {
    guard slot.phase == .active else { return .none }
    buffer.append(input)
    guard buffer.count == count else { return .none }
    var batch: [Element] = []
    batch.reserveCapacity(count)
    // Exchanged before the delivery, which may bring new values.
    swap(&batch, &buffer)
    return downstream.receive(batch) * count
  }

  /// Forwards a completion whenever it comes, as Combine does, unless a cancel follows the last array.
  @inlinable
  internal func receive(completion: Subscribers.Completion<Failure>) {
    if slot.phase == .active {
      // Upstream is over: nothing goes there any more, whatever downstream does with the rest.
      _ = slot.release()
      var rest: [Element] = []
      swap(&rest, &buffer)
      if case .finished = completion, !rest.isEmpty { _ = downstream.receive(rest) }
      guard slot.finish() else { return }
    }
    downstream.receive(completion: completion)
  }

  @usableFromInline
  package override var mirrorChildren: [(label: String?, value: Any)] {
    [
      ("downstream", downstream), ("upstreamSubscription", slot.current as Any), ("buffer", buffer),
      ("count", count),
    ]
  }
}

extension CollectByCountLink: ChainLink {}

extension Publishers.CollectByCount: Equatable where Upstream: Equatable {}

extension Publishers.CollectByCount: Sendable where Upstream: Sendable {}
