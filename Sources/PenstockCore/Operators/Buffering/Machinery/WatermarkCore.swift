// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import DequeModule

/// A value and its weight.
@usableFromInline
package struct Weighed<Value> {
  @usableFromInline package let value: Value
  @usableFromInline package let weight: Int

  @inlinable
  package init(_ value: Value, weight: Int) {
    self.value = value
    self.weight = weight
  }
}

/// Between which marks a buffer is filled.
@usableFromInline
package struct Watermarks: Sendable {
  /// Upstream is asked until so much waits.
  @usableFromInline package let high: Int
  /// Upstream is asked again when no more than this is left.
  @usableFromInline package let low: Int
  /// Whether values are asked for one at a time, since it is not known before what they weigh; otherwise each weighs 1.
  @usableFromInline package let isWeighted: Bool

  @inlinable
  package init(high: Int, low: Int, isWeighted: Bool) {
    self.high = high
    self.low = low
    self.isWeighted = isWeighted
  }
}

/// The core of a buffer that is filled up to a mark, and then not until it has been emptied down to another one.
///
/// No value is dropped: one that upstream delivers without having been asked waits as well, and counts.
@usableFromInline
package final class WatermarkCore<Output, Failure: Error>: FanInSubscription, SerialCore {
  @usableFromInline internal let upstream = Inlet()
  @usableFromInline internal let marks: Watermarks

  // Accessed only by the owner of the loop.

  @exclusivity(unchecked) @usableFromInline internal var waiting: Deque<Weighed<Output>> = []
  /// The weight of all values that wait.
  @exclusivity(unchecked) @usableFromInline internal var weight = 0
  /// How many values upstream has been asked for and has not delivered.
  @exclusivity(unchecked) @usableFromInline internal var outstanding = 0
  /// Whether values that have a weight are asked for: the high mark has not been reached since the low one was.
  @exclusivity(unchecked) @usableFromInline internal var isFilling = true
  /// Whether a delivery is running: signals that come during it are served after it has returned, in order.
  @exclusivity(unchecked) @usableFromInline internal var isDelivering = false
  /// The completion that waits behind the values.
  @exclusivity(unchecked) @usableFromInline internal var ending: Subscribers.Completion<Failure>?
  /// How many values wait, for tools.
  @usableFromInline internal let shownCount = ShownCell(0)

  @inlinable @inline(never)
  internal init(_ marks: Watermarks, name: String, downstream: __owned SubscriberCalls) {
    self.marks = marks
    super.init(
      name: name, inlets: [upstream], acceptsZeroDemand: false, work: TypedWork(of: WatermarkCore.self),
      downstream: downstream)
  }

  @usableFromInline
  package override var upstreamBase: BaseSubscription? { upstream.slot.base }

  package override func show(in link: inout LinkState) {
    super.show(in: &link)
    if isClosed { return }
    link.phase = LinkState.Phase(upstream.slot.phase)
    link.demand = demand
    if !marks.isWeighted { link.capacity = marks.high }
    link.waiting = shownCount.value
    // What is in the buffer is still to come, though upstream has ended.
    if link.phase == .ended { link.phase = .active }
  }

  // MARK: Called by the owner

  @inlinable
  internal func take(_ input: Weighed<Output>) -> Subscribers.Demand {
    assertOwned()
    if outstanding > 0 { outstanding -= 1 }
    if demand != .none, !isDelivering, waiting.isEmpty {
      deliverCounted(input.value)
    } else {
      waiting.append(input)
      shownCount.set(waiting.count)
      add(weight: input.weight)
    }
    if isDelivering { return .none }
    serve()
    return takeRequest()
  }

  @inlinable
  internal func add(weight more: Int) {
    let (sum, overflow) = weight.addingReportingOverflow(more)
    weight = overflow ? .max : sum
    if weight >= marks.high { isFilling = false }
  }

  @inlinable @inline(never)
  internal func deliverCounted(_ value: Output) {
    assertOwned()
    isDelivering = true
    demand -= 1
    demand += deliver(value: value)
    isDelivering = false
  }

  /// Delivers waiting values, as far as demand reaches, and the completion behind the last.
  @inlinable
  internal func serve() {
    assertOwned()
    while demand != .none, !isClosed, let next = waiting.popFirst() {
      shownCount.set(waiting.count)
      // A sum that has reached the greatest number is not exact any more.
      weight = waiting.isEmpty ? 0 : max(weight - next.weight, 0)
      if weight <= marks.low { isFilling = true }
      deliverCounted(next.value)
    }
    if waiting.isEmpty, !isClosed, let ending = ending.take() { finish(ending) }
  }

  /// Counts as requested what upstream is to be asked for.
  ///
  /// - Returns: What the caller has to request.
  @inlinable
  internal func takeRequest() -> Subscribers.Demand {
    assertOwned()
    guard upstream.hasBegun, ending == nil, !isClosed else { return .none }
    let wanted: Int
    if marks.isWeighted {
      wanted = isFilling && outstanding == 0 ? 1 : 0
    } else {
      let expected = waiting.count + outstanding
      wanted = expected <= marks.low ? marks.high - expected : 0
    }
    outstanding += wanted
    return .max(wanted)
  }

  @inlinable
  internal func askUpstream() { requestLater(takeRequest(), from: upstream) }

  @inlinable
  package func add(_ more: Subscribers.Demand) {
    assertOwned()
    if isClosed { return }
    demand += more
    if isDelivering { return }
    serve()
    askUpstream()
  }

  @inlinable
  internal func end(_ completion: Subscribers.Completion<Failure>) {
    assertOwned()
    ending = completion
    if !isDelivering { serve() }
  }

  @inlinable
  internal func finish(_ completion: Subscribers.Completion<Failure>) {
    guard close() else { return }
    deliver(ending: completion)
  }

  @inlinable
  package func discard() {
    // Emptied before anything is released, which may run user code.
    let rest = exchange(&waiting, with: [])
    shownCount.set(0)
    noteDiscards(of: rest.lazy.map(\.value), .ended)
    withExtendedLifetime(rest) {}
  }
}
