// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Penstock
import PenstockOperators
import Synchronization

/// The operations that acts perform on a subscriber.
protocol Handle: Sendable {
  var tally: Tally? { get }
  func request(_ demand: Subscribers.Demand)
  func resume()
  func cancel()
  /// Drops the cancellable, if that ends the subscription.
  func drop()
}

extension Handle {
  func request(_ demand: Subscribers.Demand) {}
  func resume() {}
  func drop() { cancel() }
}

/// The signals that a subscriber has received.
final class Tally: Sendable {
  private struct State {
    var count = 0
    var channels: [Int: Int] = [:]
    var hasEnded = false
  }

  private let state = Guard(State())
  let firstThread = Atomic<UInt64>(0)
  let isIntroduced = Atomic<Bool>(false)
  let isCancelled = Atomic<Bool>(false)

  init() { Census.consumers.add(1, ordering: .relaxed) }
  deinit { Census.consumers.subtract(1, ordering: .acquiringAndReleasing) }

  /// Counts a value.
  ///
  /// - Returns: Its position, from 1.
  func note(_ item: Item) -> Int {
    state.change { state in
      state.count += 1
      if state.count == 1 { firstThread.store(currentThreadNumber(), ordering: .releasing) }
      if item.channel >= 0 { state.channels[item.channel, default: 0] += 1 }
      return state.count
    }
  }

  func noteEnd() { state.change { $0.hasEnded = true } }

  var hasEnded: Bool { state.value.hasEnded }
  var count: Int { state.value.count }
  var channels: [Int: Int] { state.value.channels }
}

/// A subscriber with a first request, and a demand that it returns for each value.
final class Consumer: Subscriber, Handle, @unchecked Sendable {
  typealias Input = Item
  typealias Failure = Fault

  private let counts: Tally
  private let terminal: Terminal
  private let world: World
  private let subscription = Guard<(any Subscription)?>(nil)

  var tally: Tally? { counts }

  init(_ terminal: Terminal, _ tally: Tally, in world: World) {
    self.terminal = terminal
    self.world = world
    counts = tally
  }

  func receive(subscription: any Subscription) {
    // Stored before the mark is read, while a cancel sets the mark before it looks here: one of the two sees the other.
    self.subscription.change { $0 = subscription }
    counts.isIntroduced.store(true, ordering: .releasing)
    if counts.isCancelled.load(ordering: .acquiring) {
      self.subscription.change { $0.take() }?.cancel()
      return
    }
    switch terminal.demand {
    case .none: subscription.request(.unlimited)
    case .some(0): break
    case .some(let count): subscription.request(.max(count))
    }
  }

  func receive(_ item: Item) -> Subscribers.Demand {
    if let act = terminal.acts[counts.note(item)] { world.perform(act) }
    return terminal.demand == nil ? .none : .max(terminal.reply)
  }

  func receive(completion: Subscribers.Completion<Fault>) {
    counts.noteEnd()
    let old = subscription.change { $0.take() }
    withExtendedLifetime(old) {}
  }

  func request(_ demand: Subscribers.Demand) { subscription.value?.request(demand) }

  func cancel() {
    counts.isCancelled.store(true, ordering: .releasing)
    subscription.change { $0.take() }?.cancel()
  }
}

/// The result of `sink`, `subscribe(_:)` or `pausableSink`, or a task.
private final class Holder<Means: AnyObject>: Handle, @unchecked Sendable {
  let tally: Tally?
  private let means = Guard<Means?>(nil)
  private let stop: (Means) -> Void
  private let goOn: (Means) -> Void

  init(_ tally: Tally?, stop: @escaping (Means) -> Void, goOn: @escaping (Means) -> Void = { _ in }) {
    self.tally = tally
    self.stop = stop
    self.goOn = goOn
  }

  func hold(_ new: Means) { means.change { $0 = new } }

  func cancel() {
    tally?.isCancelled.store(true, ordering: .releasing)
    if let means = means.change({ $0.take() }) { stop(means) }
  }

  func drop() {
    let old = means.change { $0.take() }
    withExtendedLifetime(old) {}
  }

  func resume() { if let means = means.value { goOn(means) } }
}

/// A task in an object.
private final class TaskBox: Sendable {
  let task: Task<Void, Never>

  init(_ task: Task<Void, Never>) { self.task = task }
  deinit { task.cancel() }
}

/// A pausable sink in an object.
private final class PausableBox: @unchecked Sendable {
  let sink: any Pausable & Cancellable

  init(_ sink: any Pausable & Cancellable) { self.sink = sink }
  deinit { sink.cancel() }
}

/// Subscribes, and checks the values that have to have been delivered when the call returns.
func attach(_ pipeline: Pipeline, to stream: Checked, in world: World) -> any Handle {
  let terminal = pipeline.terminal
  let tally = Tally()
  switch terminal.kind {
  case .counting:
    let consumer = Consumer(terminal, tally, in: world)
    stream.subscribe(consumer)
    checkPresence(of: pipeline, tally, in: world)
    return consumer
  case .sink:
    let holder = Holder<AnyCancellable>(tally, stop: { $0.cancel() })
    let sink = stream.sink(
      receiveCompletion: { _ in tally.noteEnd() },
      receiveValue: { item in
        if let act = terminal.acts[tally.note(item)] { world.perform(act) }
      })
    tally.isIntroduced.store(true, ordering: .releasing)
    checkPresence(of: pipeline, tally, in: world)
    holder.hold(sink)
    return holder
  case .pausable:
    let holder = Holder<PausableBox>(tally, stop: { $0.sink.cancel() }, goOn: { $0.sink.resume() })
    let sink = stream.pausableSink(
      receiveCompletion: { _ in tally.noteEnd() },
      receiveValue: { item in
        let count = tally.note(item)
        if let act = terminal.acts[count] { world.perform(act) }
        return count % 3 != 0
      })
    holder.hold(PausableBox(sink))
    return holder
  case .values:
    let holder = Holder<TaskBox>(nil, stop: { $0.task.cancel() })
    let erased = Unchecked(stream.eraseToAnyPublisher())
    holder.hold(
      TaskBox(
        Task.detached {
          do {
            for try await item in erased.value.values {
              if let act = terminal.acts[tally.note(item)] { world.perform(act) }
            }
          } catch {}
        }))
    return holder
  case .feeding:
    let holder = Holder<AnyCancellable>(nil, stop: { $0.cancel() })
    switch world.current?.sources[terminal.target] {
    case .passthrough(let subject): holder.hold(stream.subscribe(subject))
    case .current(let subject): holder.hold(stream.subscribe(subject))
    default: break
    }
    return holder
  }
}

/// Transfers a value without a check by the compiler, because the test is about just that.
struct Unchecked<Value>: @unchecked Sendable {
  let value: Value

  init(_ value: Value) { self.value = value }
}

private func checkPresence(of pipeline: Pipeline, _ tally: Tally, in world: World) {
  guard !tally.isCancelled.load(ordering: .acquiring) else { return }
  if !tally.isIntroduced.load(ordering: .acquiring), world.program.introducesAtOnce(pipeline.node) {
    Verdict.report(.synchronous, "subscribe has returned, and no subscription has come")
  }
  guard pipeline.terminal.demand != 0, world.program.presentsAtOnce(pipeline.node) else { return }
  let thread = tally.firstThread.load(ordering: .acquiring)
  if tally.hasEnded, thread == 0 { return }
  if thread == 0 {
    Verdict.report(.presentation, "subscribe has returned, and no value has come")
  } else if thread != currentThreadNumber() {
    Verdict.report(.presentation, "the first value came on another thread")
  }
}
