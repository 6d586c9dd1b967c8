// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import DequeModule
public import PenstockCore

/// The engine of a source that answers later; it has no upstream.
///
/// The stage is asked while there is demand, nothing waits to be delivered, and no call is unanswered. So answers come
/// one at a time, and only values beyond the demand wait.
///
/// An answer of the stage during the call, and a request of downstream during a delivery, are only noted: `serve()`
/// continues with them. So a source that answers at once makes a loop, not a recursion.
@usableFromInline
internal struct CallbackEngine<Work: CallbackStage>: ~Copyable, FanInEngine {
  @usableFromInline internal typealias Parameter = Work
  @usableFromInline internal typealias Failure = Work.Failure

  @usableFromInline internal var stage: Work?
  @usableFromInline internal var held: Deque<Work.Output> = []
  /// The completion, which waits until the values are delivered.
  @usableFromInline internal var ending: Subscribers.Completion<Work.Failure>?
  /// The number of calls of the stage so far.
  @usableFromInline internal var calls: UInt = 0
  /// Whether the last call has not been answered.
  @usableFromInline internal var isAwaiting = false
  /// Whether `serve()` runs.
  @usableFromInline internal var isServing = false
  /// Whether downstream's `receive(subscription:)` has returned.
  @usableFromInline internal var isIntroduced = false
  /// How many values wait, for tools.
  @usableFromInline internal let shownCount = ShownCell(0)

  @inlinable
  internal init(_ stage: consuming Work) { self.stage = stage }

  @inlinable
  internal var inlets: ContiguousArray<Inlet> { [] }

  @usableFromInline
  internal func show(in link: inout LinkState, of shape: CallbackSubscriber<Work>) {
    link.demand = shape.demand
    link.waiting = shownCount.value
    if link.waiting == 0, link.demand != Subscribers.Demand.none { link.wait = .result }
  }

  @inlinable
  internal static func add(_ demand: Subscribers.Demand, in shape: CallbackSubscriber<Work>) {
    shape.demand += demand
    shape.serve()
  }

  @inlinable
  internal static func discard(in shape: CallbackSubscriber<Work>) {
    let rest = exchange(&shape.engine.held, with: [])
    shape.engine.shownCount.set(0)
    if shape.engine.ending == nil { shape.engine.stage?.cancel() }
    shape.releaseStage()
    shape.noteDiscards(of: rest, .ended)
    withExtendedLifetime(rest) {}
  }
}

@usableFromInline
internal typealias CallbackSubscriber<Work: CallbackStage> = FanInSubscriber<CallbackEngine<Work>, Work, Work.Failure>

extension FanInSubscriber
where Parameter: CallbackStage, Failure == Parameter.Failure, Engine == CallbackEngine<Parameter> {
  /// Delivers the subscription, and then the values that wait.
  @inlinable
  internal func start() {
    // A callback may be kept for a long time.
    releasesDownstream = true
    introduce()
    submit { self.beginServing() }
  }

  @inlinable
  internal func beginServing() {
    engine.isIntroduced = true
    serve()
  }

  // MARK: Answers

  /// Takes an answer; on any thread.
  @inlinable
  internal func receive(
    _ values: [Parameter.Output], _ completion: Subscribers.Completion<Failure>?, toCall number: UInt
  ) {
    if isClosed { return noteDiscards(of: values, .late) }
    submit { self.take(values, completion, toCall: number) }
  }

  @inlinable
  internal func take(
    _ values: [Parameter.Output], _ completion: Subscribers.Completion<Failure>?, toCall number: UInt
  ) {
    assertOwned()
    guard engine.isAwaiting, number == engine.calls else { return trapSecondAnswer() }
    engine.isAwaiting = false
    engine.held.append(contentsOf: values)
    engine.shownCount.set(engine.held.count)
    engine.ending = completion
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

  /// Delivers the values that wait, and asks for more, until demand or values run out, or the stage answers later.
  @inlinable
  internal func serve() {
    assertOwned()
    if engine.isServing || !engine.isIntroduced { return }
    engine.isServing = true
    if engine.ending != nil { releaseStage() }
    while !isClosed, step() {}
    engine.isServing = false
  }

  /// - Returns: Whether a step was done that may make another one possible.
  @inlinable
  internal func step() -> Bool {
    if engine.held.isEmpty {
      if let ending = engine.ending {
        finish(ending)
        return false
      }
      if engine.isAwaiting || demand == .none { return false }
      ask()
      return true
    }
    if demand == .none { return false }
    let output = engine.held.removeFirst()
    engine.shownCount.set(engine.held.count)
    demand -= 1
    demand += deliver(value: output)
    return true
  }

  @inlinable
  internal func ask() {
    engine.isAwaiting = true
    engine.calls &+= 1
    let number = engine.calls
    // The stage is taken out meanwhile, since the engine changes if the stage answers at once.
    guard var stage = exchange(&engine.stage, with: nil) else { return }
    stage.request(demand, Callback { self.receive($0, $1, toCall: number) })
    if engine.ending == nil { engine.stage = stage }
  }

  @inlinable
  internal func releaseStage() { dispose(of: displace(&engine.stage, with: nil)) }
}

/// The publisher of `source`, for a stage that answers later.
@usableFromInline
internal struct CallbackPublisher<Work: CallbackStage>: SerialOperator {
  @usableFromInline internal typealias Output = Work.Output
  @usableFromInline internal typealias Failure = Work.Failure

  @usableFromInline internal let makeStage: () -> Work

  @inlinable
  internal init(_ makeStage: @escaping () -> Work) { self.makeStage = makeStage }

  @_alwaysEmitIntoClient @inline(__always)
  internal func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    attach(subscriber)
  }

  @inlinable
  internal func makeCore(_ downstream: __owned SubscriberCalls) -> CallbackSubscriber<Work> {
    .init(CallbackEngine(makeStage()), name: Work.name, downstream: downstream)
  }

  @inlinable @inline(__always)
  internal func start<Downstream: Subscriber>(_ core: CallbackSubscriber<Work>, upstreamOf downstream: Downstream.Type)
  where Downstream.Input == Output, Downstream.Failure == Failure { core.start() }
}
