// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import DequeModule

/// What is particular to a source that asks for values, and is called back with them later.
///
/// One call of a stage runs at a time, and none while values are delivered. It is released when it has answered with a
/// completion, or when the stream has been cancelled.
@usableFromInline
package protocol CallbackStage<Output, Failure> {
  associatedtype Output
  associatedtype Failure: Error

  /// The text that `print()` prints for the source.
  static var name: String { get }

  /// Asks for values.
  ///
  /// - Parameters:
  ///   - demand: What is requested; never `.none`.
  ///   - answer: To be called once, on any thread, also before this call returns.
  mutating func request(_ demand: Subscribers.Demand, _ answer: @escaping (CallbackAnswer<Output, Failure>) -> Void)

  /// Called once if the subscriber cancels before the stage has answered with a completion.
  mutating func cancel()
}

/// What a source is called back with.
@usableFromInline
package struct CallbackAnswer<Output, Failure: Error> {
  @usableFromInline internal let values: [Output]
  /// What follows the values, if there are no others.
  @usableFromInline internal let completion: Subscribers.Completion<Failure>?

  @inlinable
  package init(_ values: [Output], completion: Subscribers.Completion<Failure>?) {
    self.values = values
    self.completion = completion
  }
}

/// The subscription of a source that answers later.
///
/// The stage is asked while there is demand, nothing waits to be delivered, and no call is unanswered. So answers come one
/// at a time, and what waits is what an answer had beyond the demand.
///
/// What the stage answers during the call, and what downstream requests during a delivery, is only noted: ``serve()`` goes
/// on with it. So a source that answers at once makes a loop, and no recursion.
@usableFromInline
package final class CallbackSubscription<Work: CallbackStage>: SerialSubscription, SerialCore {
  @usableFromInline package typealias Failure = Work.Failure

  @usableFromInline internal let demand = ShownDemand()
  /// How many values wait, for tools.
  @usableFromInline internal let shownCount = ShownCell(0)

  // Accessed only by the owner of the loop.

  @exclusivity(unchecked) @usableFromInline internal var stage: Work?
  @exclusivity(unchecked) @usableFromInline internal var held: Deque<Work.Output> = []
  /// The completion, which waits behind the values.
  @exclusivity(unchecked) @usableFromInline internal var ending: Subscribers.Completion<Work.Failure>?
  /// The number of calls of the stage so far.
  @exclusivity(unchecked) @usableFromInline internal var calls: UInt = 0
  /// Whether the last call has not been answered.
  @exclusivity(unchecked) @usableFromInline internal var isAwaiting = false
  /// Whether ``serve()`` runs.
  @exclusivity(unchecked) @usableFromInline internal var isServing = false
  /// Whether downstream's `receive(subscription:)` has returned.
  @exclusivity(unchecked) @usableFromInline internal var isIntroduced = false

  @inlinable @inline(__always)
  package convenience init<Downstream: Subscriber>(_ stage: Work, to downstream: __owned Downstream)
  where Downstream.Input == Work.Output, Downstream.Failure == Work.Failure {
    self.init(stage, downstream: SubscriberCalls(for: downstream))
    embed(downstream)
  }

  @inlinable @inline(never)
  internal init(_ stage: Work, downstream: __owned SubscriberCalls) {
    self.stage = stage
    super.init(
      name: Work.name, acceptsZeroDemand: false, work: TypedWork(of: CallbackSubscription.self), downstream: downstream)
    // A callback may be kept for long.
    releasesDownstream = true
  }

  /// Delivers the subscription, and then what is there.
  @inlinable
  package func start() {
    introduce()
    act { self.beginServing() }
  }

  /// Acts at once, or when the owner of the loop gets to it; not if the stream is over.
  @inlinable @inline(__always)
  internal func act(_ action: @escaping () -> Void) {
    Unmanaged<SerialSubscription>.passUnretained(self).act(or: (), action, later: { postpone($0, action) })
  }

  @inlinable
  internal func beginServing() {
    isIntroduced = true
    serve()
  }

  // MARK: Signals from downstream

  @inlinable
  package func add(_ more: Subscribers.Demand) {
    assertOwned()
    demand.value += more
    serve()
  }

  /// The stage is told when no call of it is running, in ``discard()``.
  @inlinable
  package func cancelUpstreams() {}

  @inlinable
  package func discard() {
    assertOwned()
    let rest = exchange(&held, with: [])
    shownCount.set(0)
    if ending == nil { stage?.cancel() }
    releaseStage()
    noteDiscards(of: rest, .ended)
    withExtendedLifetime(rest) {}
  }

  // MARK: Answers

  /// Takes an answer; on any thread.
  @inlinable
  internal func receive(_ answer: CallbackAnswer<Work.Output, Work.Failure>, toCall number: UInt) {
    if isClosed { return noteDiscards(of: answer.values, .late) }
    act { self.take(answer, toCall: number) }
  }

  @inlinable
  internal func take(_ answer: CallbackAnswer<Work.Output, Work.Failure>, toCall number: UInt) {
    assertOwned()
    guard isAwaiting, number == calls else { return trapSecondAnswer() }
    isAwaiting = false
    held.append(contentsOf: answer.values)
    shownCount.set(held.count)
    ending = answer.completion
    serve()
  }

  @inlinable @inline(never)
  internal func trapSecondAnswer() {
    trap(
      .unfitStage(
        name, rule: "its callback was called twice",
        fix: "Call it once for each request: with all values that there are."
      ))
  }

  // MARK: The loop

  /// Delivers what there is, and asks for more, until demand or values run out, or the stage answers later.
  @inlinable
  internal func serve() {
    assertOwned()
    if isServing || !isIntroduced { return }
    isServing = true
    if ending != nil { releaseStage() }
    while !isClosed, step() {}
    isServing = false
  }

  /// - Returns: Whether something has been done that lets something else be done.
  @inlinable
  internal func step() -> Bool {
    if held.isEmpty {
      if let ending {
        finish(ending)
        return false
      }
      if isAwaiting || demand.value == .none { return false }
      ask()
      return true
    }
    if demand.value == .none { return false }
    let output = held.removeFirst()
    shownCount.set(held.count)
    demand.value -= 1
    demand.value += deliver(value: output)
    return true
  }

  @inlinable
  internal func ask() {
    isAwaiting = true
    calls &+= 1
    let number = calls
    stage?.request(demand.value) { self.receive($0, toCall: number) }
    if ending != nil { releaseStage() }
  }

  @inlinable
  internal func releaseStage() { dispose(of: displace(&stage, with: nil)) }

  // MARK: Tools

  package override func show(in link: inout LinkState) {
    super.show(in: &link)
    if isClosed { return }
    link.demand = demand.value
    link.waiting = shownCount.value
    if link.waiting == 0, link.demand != Subscribers.Demand.none { link.wait = .result }
  }

  @usableFromInline
  package override var mirrorChildren: [(label: String?, value: Any)] {
    [("downstream", underlying as Any), ("demand", demand.value), ("waiting", shownCount.value)]
  }
}
