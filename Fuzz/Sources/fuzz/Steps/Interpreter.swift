// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// Runs the machines of a tree in virtual time.
///
/// The actions of a machine are done depth first, like calls: each action with all of its consequences before the next
/// one.
struct Interpreter {
  private struct Instance {
    let machine: Int
    let parent: Int
    let place: Int
    /// The source and the number of the subscription, for a source.
    var source: (id: Int, number: Int)?
    let upstreams: [StepTree]
    /// The value for which an inner publisher is made.
    let outer: Int
    var children: [Int: Int] = [:]
    var isIntroduced = false
    var isLive = true
  }

  private enum Task {
    case act(Int, StepAction)
    case event(Int, StepEvent)
  }

  private enum Due {
    case wake(Int, Int)
    case send(Int, value: Int)
    case end(Int, isFailure: Bool)
    case request(Amount)
    case cancel
  }

  private let plan: StepPlan
  private var machines: [any Machine] = []
  private var instances: [Instance] = []
  private var tasks: [Task] = []
  private var due: [(time: Int, number: Int, due: Due)] = []
  private var scheduled = 0
  private var now = 0
  private var listeners: [Int: [Int]] = [:]
  private var ended: [Int: Bool] = [:]
  private var received = 0
  private var log = StepLog()

  /// The subscriber, in place of a downstream.
  private static let subscriber = -1

  static func log(of tree: StepTree, _ plan: StepPlan) -> StepLog {
    var interpreter = Interpreter(plan)
    interpreter.run(tree)
    return interpreter.log
  }

  private init(_ plan: StepPlan) { self.plan = plan }

  private mutating func run(_ tree: StepTree) {
    for (id, line) in tree.subjects.sorted(by: { $0.key < $1.key }) {
      for moment in line.moments { schedule(.send(id, value: moment.value), at: moment.time) }
      if let end = line.end { schedule(.end(id, isFailure: end.isFailure), at: end.time) }
    }
    for request in plan.requests { schedule(.request(request.amount), at: request.time) }
    if case .at(let time) = plan.cancel { schedule(.cancel, at: time) }
    subscribe(Self.subscriber, 0, to: tree, outer: 0)
    work()
    while let next = due.indices.min(by: { (due[$0].time, due[$0].number) < (due[$1].time, due[$1].number) }) {
      let event = due.remove(at: next)
      now = event.time
      perform(event.due)
      work()
    }
  }

  private mutating func schedule(_ what: Due, at time: Int) {
    due.append((time, scheduled, what))
    scheduled += 1
  }

  private mutating func perform(_ what: Due) {
    switch what {
    case .wake(let instance, let tag): tasks.append(.event(instance, .go(tag)))
    case .send(let id, let value):
      tasks += listeners[id, default: []].reversed().map { .event($0, .value(value, from: 0)) }
    case .end(let id, let isFailure):
      ended[id] = isFailure
      tasks += listeners[id, default: []].reversed().map { .event($0, .end(isFailure: isFailure, from: 0)) }
    case .request(let amount): request(amount)
    case .cancel: cancel(0)
    }
  }

  private mutating func work() {
    var steps = 0
    while let task = tasks.popLast() {
      steps += 1
      if steps > 100_000 { fatalError("the reference does not come to an end") }
      switch task {
      case .act(let instance, let action): if instances[instance].isLive { perform(action, of: instance) }
      case .event(Self.subscriber, let event): receive(event)
      case .event(let instance, let event):
        guard instances[instance].isLive else { continue }
        let actions = machines[instances[instance].machine].step(event)
        tasks += actions.reversed().map { .act(instance, $0) }
      }
    }
  }

  // MARK: Machines

  private mutating func perform(_ action: StepAction, of number: Int) {
    let instance = instances[number]
    switch action {
    case .subscribe(let place, let upstream, let value):
      subscribe(number, place, to: instance.upstreams[upstream], outer: value ?? instance.outer)
    case .introduce:
      instances[number].isIntroduced = true
      tasks.append(.event(instance.parent, .subscribed(instance.place)))
    case .request(let amount, let place):
      if let child = instance.children[place] { request(amount, of: child) }
    case .cancel(let place): if let child = instance.children[place] { cancel(child) }
    case .deliver(let value):
      if !instance.isIntroduced { fatalError("the reference delivers before the subscription") }
      note(number) { source, _ in source.delivered.append(value) }
      tasks.append(.event(instance.parent, .value(value, from: instance.place)))
    case .end(let isFailure):
      if !instance.isIntroduced { fatalError("the reference ends before the subscription") }
      note(number) { source, now in source.ending = .ended(now) }
      leave(number)
      tasks.append(.event(instance.parent, .end(isFailure: isFailure, from: instance.place)))
    case .leaveOpen: log.isOpen = true
    case .leaveUndetermined: log.isUndetermined = true
    case .again(let tag): tasks.append(.event(number, .go(tag)))
    case .wake(let time, let tag): schedule(.wake(number, tag), at: now + time)
    }
  }

  private mutating func subscribe(_ parent: Int, _ place: Int, to tree: StepTree, outer: Int) {
    let machine: any Machine
    var (upstreams, id): ([StepTree], Int?) = ([], nil)
    switch tree {
    case .sequence(let number, let values, let isFailing):
      id = number
      machine = SequenceMachine(values, isFailing: isFailing)
    case .made(let number, let count):
      id = number
      machine = SequenceMachine(StepTree.made(of: outer, count: count))
    case .subject(let number, _):
      id = number
      machine = SubjectMachine(hasFailed: ended[number])
      listeners[number, default: []].append(instances.count)
    case .node(let row, let number, let trees):
      upstreams = trees
      machine = row.machine(number)
    }
    machines.append(machine)
    if parent != Self.subscriber { instances[parent].children[place] = instances.count }
    instances.append(
      Instance(
        machine: machines.count - 1, parent: parent, place: place,
        source: id.map { ($0, log.subscribe(to: $0, at: now)) }, upstreams: upstreams, outer: outer))
    tasks.append(.event(instances.count - 1, .start))
  }

  private mutating func request(_ amount: Amount, of number: Int) {
    guard instances[number].isLive else { return }
    note(number) { source, now in source.grant(amount, at: now) }
    tasks.append(.event(number, .request(amount)))
  }

  private mutating func cancel(_ number: Int) {
    guard instances[number].isLive else { return }
    note(number) { source, now in source.ending = .cancelled(now) }
    leave(number)
  }

  /// Ends an operator, and cancels what it is still subscribed to.
  private mutating func leave(_ number: Int) {
    instances[number].isLive = false
    for child in instances[number].children.values { cancel(child) }
    if let id = instances[number].source?.id { listeners[id]?.removeAll { $0 == number } }
  }

  private mutating func note(_ number: Int, _ change: (inout StepLog.Source, Int) -> Void) {
    guard let source = instances[number].source else { return }
    change(&log.sources[source.id]![source.number], now)
  }

  // MARK: The subscriber

  private mutating func request(_ amount: Amount) {
    if amount > .none { request(amount, of: 0) }
  }

  private mutating func receive(_ event: StepEvent) {
    switch event {
    case .subscribed: request(plan.first)
    case .value(let value, _):
      log.signals.append(.init(time: now, value: value))
      received += 1
      if plan.cancel == .after(received) { cancel(0) } else { request(plan.reply(to: received)) }
    case .end(let isFailure, _): log.signals.append(.init(time: now, isFailure: isFailure))
    case .start, .request, .go: break
    }
  }
}
