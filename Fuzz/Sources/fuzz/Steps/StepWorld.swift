// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Penstock
import PenstockTesting

/// A run of a pipeline in the library: the clock, the subjects, and the log.
final class StepWorld {
  typealias Stream = ModelOperator.Stream

  let clock = ModelOperator.Clock()
  private let subjects: [Int: PassthroughSubject<Int, ModelError>]
  var log = StepLog()

  /// - Parameter trees: The pipelines to whose subjects values are sent.
  init(_ trees: [StepTree]) {
    let lines = trees.reduce(into: [:]) { $0.merge($1.subjects) { line, _ in line } }
    subjects = lines.mapValues { _ in PassthroughSubject() }
    for (id, line) in lines.sorted(by: { $0.key < $1.key }) {
      guard let subject = subjects[id] else { continue }
      for moment in line.moments {
        clock.schedule(after: VirtualTime(nanoseconds: moment.time)) { subject.send(moment.value) }
      }
      if let end = line.end {
        clock.schedule(after: VirtualTime(nanoseconds: end.time)) {
          subject.send(completion: end.isFailure ? .failure(ModelError()) : .finished)
        }
      }
    }
  }

  var now: Int { clock.now.nanoseconds }

  func stream(_ tree: StepTree, outer: Int = 0) -> Stream {
    switch tree {
    case .sequence(let id, let values, isFailing: true):
      probed(id, Record(output: values, completion: .failure(ModelError())))
    case .sequence(let id, let values, isFailing: false):
      probed(id, values.publisher.setFailureType(to: ModelError.self))
    case .made(let id, let count):
      probed(id, StepTree.made(of: outer, count: count).publisher.setFailureType(to: ModelError.self))
    case .subject(let id, _): probed(id, subjects[id]!)
    case .node(let row, let number, let upstreams):
      row.build(StepBuilder(world: self, upstreams: upstreams, number: number, outer: outer))
    }
  }

  private func probed(_ id: Int, _ source: some Publisher<Int, ModelError>) -> Stream {
    Probed(upstream: source, source: id, world: self).eraseToAnyPublisher()
  }

  /// Subscribes to a pipeline, and moves the time until nothing is left to do.
  func run(_ stream: Stream, _ plan: StepPlan) -> StepLog {
    let subscriber = StepSubscriber(plan, in: self)
    for request in plan.requests {
      clock.schedule(after: VirtualTime(nanoseconds: request.time)) { subscriber.request(request.amount) }
    }
    if case .at(let time) = plan.cancel {
      clock.schedule(after: VirtualTime(nanoseconds: time)) { subscriber.cancel() }
    }
    stream.subscribe(subscriber)
    try! clock.run(maxActions: 100_000)
    return log
  }
}

/// A subscriber that follows a plan, and notes the signals that it receives.
private final class StepSubscriber: Subscriber {
  private let plan: StepPlan
  private let world: StepWorld
  private var subscription: (any Subscription)?
  private var received = 0
  private var asked = Amount.none
  private var isOver = false

  init(_ plan: StepPlan, in world: StepWorld) {
    self.plan = plan
    self.world = world
  }

  func request(_ amount: Amount) {
    asked += amount
    subscription?.request(amount.demand)
  }

  func cancel() {
    isOver = true
    subscription?.cancel()
  }

  func receive(subscription: any Subscription) {
    self.subscription = subscription
    if plan.first > .none { request(plan.first) }
  }

  func receive(_ value: Int) -> Subscribers.Demand {
    world.log.signals.append(.init(time: world.now, value: value))
    received += 1
    if asked < Amount(received) { world.log.faults.append("more than requested") }
    if isOver { world.log.faults.append("after the end") }
    if plan.cancel == .after(received) {
      cancel()
      return .none
    }
    let reply = plan.reply(to: received)
    guard plan.asksInside, reply > .none else {
      asked += reply
      return reply.demand
    }
    request(reply)
    return .none
  }

  func receive(completion: Subscribers.Completion<ModelError>) {
    world.log.signals.append(.init(time: world.now, isFailure: completion != .finished))
    if isOver { world.log.faults.append("after the end") }
    isOver = true
  }
}
