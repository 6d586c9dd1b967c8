// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import DequeModule
public import PenstockCore

/// A value and its weight.
@usableFromInline
internal struct Weighed<Value> {
  @usableFromInline internal let value: Value
  @usableFromInline internal let weight: Int

  @inlinable
  internal init(_ value: Value, weight: Int) {
    self.value = value
    self.weight = weight
  }
}

/// The marks between which a buffer is filled.
@usableFromInline
internal struct Watermarks: Sendable {
  /// The weight of waiting values up to which upstream is asked for more.
  @usableFromInline internal let high: Int
  /// The weight of waiting values at which upstream is asked again.
  @usableFromInline internal let low: Int
  /// Whether values are requested one at a time, since their weight is not known in advance; otherwise each weighs 1.
  @usableFromInline internal let isWeighted: Bool

  @inlinable
  internal init(high: Int, low: Int, isWeighted: Bool) {
    self.high = high
    self.low = low
    self.isWeighted = isWeighted
  }
}

/// The engine of a buffer that is filled up to a high mark, and filled again when it has been emptied down to a low
/// mark.
///
/// No value is dropped: a value that upstream delivers without demand waits as well, and counts.
@usableFromInline
internal struct WatermarkEngine<Value, F: Error>: ~Copyable, FanInEngine {
  @usableFromInline internal typealias Parameter = Value
  @usableFromInline internal typealias Failure = F

  /// How many values upstream has been asked for and has not delivered.
  @usableFromInline internal var outstanding = 0
  @usableFromInline internal let upstream = Inlet()
  @usableFromInline internal let marks: Watermarks

  @usableFromInline internal var waiting: Deque<Weighed<Value>> = []
  /// The weight of all values that wait.
  @usableFromInline internal var weight = 0
  /// Whether weighted values are being requested: the high mark has not been reached since the low mark was.
  @usableFromInline internal var isFilling = true
  /// Whether a delivery is running: signals that come during it are served after it has returned, in order.
  @usableFromInline internal var isDelivering = false
  /// The completion, which waits until the values have been delivered.
  @usableFromInline internal var ending: Subscribers.Completion<F>?
  /// How many values wait, for tools.
  @usableFromInline internal let shownCount = ShownCell(0)

  @inlinable
  internal init(_ marks: Watermarks) { self.marks = marks }

  @inlinable
  internal var inlets: ContiguousArray<Inlet> { [upstream] }

  @inlinable
  internal var main: Inlet? { upstream }

  @usableFromInline
  internal func show(in link: inout LinkState, of shape: WatermarkSubscriber<Value, F>) {
    link.demand = shape.demand
    if !marks.isWeighted { link.capacity = marks.high }
    link.waiting = shownCount.value
    // The buffered values are still to come, though upstream has ended.
    if link.phase == .ended { link.phase = .active }
  }

  // MARK: What waits

  @inlinable
  internal mutating func keep(_ input: Weighed<Value>) {
    waiting.append(input)
    shownCount.set(waiting.count)
    let (sum, overflow) = weight.addingReportingOverflow(input.weight)
    weight = overflow ? .max : sum
    if weight >= marks.high { isFilling = false }
  }

  @inlinable
  internal mutating func takeNext() -> Value? {
    guard let next = waiting.popFirst() else { return nil }
    shownCount.set(waiting.count)
    // A sum that has reached `Int.max` is not exact any more.
    weight = waiting.isEmpty ? 0 : max(weight - next.weight, 0)
    if weight <= marks.low { isFilling = true }
    return next.value
  }

  /// Computes the demand for upstream, and counts it as requested.
  ///
  /// - Returns: What the caller has to request.
  @inlinable
  internal mutating func takeRequest() -> Subscribers.Demand {
    guard upstream.hasBegun, ending == nil else { return .none }
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
  internal static func add(_ demand: Subscribers.Demand, in shape: WatermarkSubscriber<Value, F>) {
    shape.serve(demand)
  }

  @inlinable
  internal static func discard(in shape: WatermarkSubscriber<Value, F>) { shape.discardWaiting() }
}

@usableFromInline
internal typealias WatermarkSubscriber<Parameter, Failure: Error> = FanInSubscriber<
  WatermarkEngine<Parameter, Failure>, Parameter, Failure
>

/// Called by the owner of the loop.
extension FanInSubscriber where Engine == WatermarkEngine<Parameter, Failure> {
  @inlinable
  internal func take(_ input: Weighed<Parameter>) -> Subscribers.Demand {
    assertOwned()
    if engine.outstanding > 0 { engine.outstanding -= 1 }
    if demand != .none, !engine.isDelivering, engine.waiting.isEmpty {
      deliverCounted(input.value)
    } else {
      engine.keep(input)
    }
    if engine.isDelivering { return .none }
    serve()
    return isClosed ? .none : engine.takeRequest()
  }

  @inlinable @inline(never)
  internal func deliverCounted(_ value: Parameter) {
    engine.isDelivering = true
    demand -= 1
    demand += deliver(value: value)
    engine.isDelivering = false
  }

  /// Delivers waiting values, as far as demand reaches, and the completion after the last.
  @inlinable
  internal func serve() {
    while demand != .none, !isClosed, let next = engine.takeNext() { deliverCounted(next) }
    if engine.waiting.isEmpty, let ending = engine.ending.take() { finish(ending) }
  }

  @inlinable
  internal func askUpstream() {
    if !isClosed { requestLater(engine.takeRequest(), from: engine.upstream) }
  }

  @inlinable
  internal func serve(_ more: Subscribers.Demand) {
    demand += more
    if engine.isDelivering { return }
    serve()
    askUpstream()
  }

  @inlinable
  internal func end(_ completion: Subscribers.Completion<Failure>) {
    assertOwned()
    engine.ending = completion
    if !engine.isDelivering { serve() }
  }

  @inlinable
  internal func discardWaiting() {
    // Emptied before anything is released, which may run user code.
    let rest = exchange(&engine.waiting, with: [])
    engine.shownCount.set(0)
    noteDiscards(of: rest.lazy.map(\.value), .ended)
    withExtendedLifetime(rest) {}
  }
}
