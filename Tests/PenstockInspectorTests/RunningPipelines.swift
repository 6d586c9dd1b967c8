// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Dispatch
import Penstock
import PenstockConcurrency
import PenstockOperators
import Synchronization

/// The objects that keep a pipeline running, until `stop()`.
final class Running: Sendable {
  /// Counts the values that have reached the end.
  let delivered: Tally

  /// Removes the cause that holds a stuck pipeline up, so that at least one more value is delivered; `nil` for a
  /// healthy one.
  let release: (@Sendable () async -> Void)?

  /// Makes a slow pipeline deliver at least one more value, without removing the cause that makes it slow; `nil` for
  /// one that is idle or stuck.
  let step: (@Sendable () async -> Void)?

  private let parts: Mutex<[any Sendable]>
  private let end: Mutex<(@Sendable () -> Void)?>

  /// - Parameters:
  ///   - delivered: Counts the values that have reached the end.
  ///   - parts: The objects that keep the pipeline alive; those that can be cancelled are cancelled at the end.
  ///   - release: Removes the cause that holds it up.
  ///   - step: Makes it deliver at least one more value.
  ///   - end: Called once at the end, after the parts have been cancelled.
  init(
    _ delivered: Tally, keeping parts: [any Sendable], release: (@Sendable () async -> Void)? = nil,
    step: (@Sendable () async -> Void)? = nil, end: (@Sendable () -> Void)? = nil
  ) {
    self.delivered = delivered
    self.release = release
    self.step = step
    self.parts = Mutex(parts)
    self.end = Mutex(end)
  }

  deinit { stop() }

  /// Cancels the pipeline, and releases it.
  func stop() {
    let parts = parts.withLock { parts in
      defer { parts = [] }
      return parts
    }
    for part in parts { (part as? any Cancellable)?.cancel() }
    let end = end.withLock { $0.take() }
    end?()
  }
}

/// Returns a finite publisher whose type hides that it is a sequence, so that `map` and `filter` after it are links of
/// the pipeline; those of a sequence's own publisher transform the sequence instead.
func numbers(_ count: Int) -> some Publisher<Int, Never> { (1...count).publisher }

/// A count for which a task can wait.
final class Tally: Sendable {
  private typealias Waiter = (count: Int, continuation: CheckedContinuation<Void, Never>)

  private let state = Mutex<(count: Int, waiters: [Waiter])>((0, []))

  var count: Int { state.withLock { $0.count } }

  /// Adds one, and returns the count before that.
  @discardableResult
  func add() -> Int {
    let (before, due) = state.withLock { state in
      defer { state.count += 1 }
      let end = state.waiters.partition { $0.count <= state.count + 1 }
      let due = Array(state.waiters[end...])
      state.waiters.removeSubrange(end...)
      return (state.count, due)
    }
    for waiter in due { waiter.continuation.resume() }
    return before
  }

  /// Waits until the count is at least a number.
  func reached(_ count: Int) async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        if state.count < count { state.waiters.append((count, continuation)) }
        return state.count >= count
      }
      if isThere { continuation.resume() }
    }
  }
}

/// A gate at which tasks wait until it is opened, once and for all.
final class TaskGate: Sendable {
  /// Counts the tasks that have come to the gate.
  let arrivals = Tally()

  private let state = Mutex<(isOpen: Bool, waiting: [CheckedContinuation<Void, Never>])>((false, []))

  func pass() async {
    await withCheckedContinuation { continuation in
      let isOpen = state.withLock { state in
        if !state.isOpen { state.waiting.append(continuation) }
        return state.isOpen
      }
      if isOpen { continuation.resume() }
      arrivals.add()
    }
  }

  func open() {
    let waiting = state.withLock { state in
      defer { state = (true, []) }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }
}

/// An actor whose executor runs nothing until it is unblocked.
actor BlockedActor {
  final class Executor: SerialExecutor {
    private let queue = DispatchQueue(label: "blocked")
    private let isBlocked = Mutex(true)

    init() { queue.suspend() }

    /// A suspended queue may not be released.
    deinit { unblock() }

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    func unblock() {
      let wasBlocked = isBlocked.withLock { isBlocked in
        defer { isBlocked = false }
        return isBlocked
      }
      if wasBlocked { queue.resume() }
    }
  }

  nonisolated let executor = Executor()

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
}

/// A task that takes a value of an asynchronous sequence only when it is told to, and keeps the iterator in between.
final class TakingTask: Sendable {
  private let orders: AsyncStream<CheckedContinuation<Void, Never>?>.Continuation
  private let task: Task<Void, Never>

  init<Values: AsyncSequence & SendableMetatype>(_ values: sending Values, _ delivered: Tally)
  where Values.Failure == Never, Values.AsyncIterator: SendableMetatype {
    let (orders, continuation) = AsyncStream.makeStream(of: CheckedContinuation<Void, Never>?.self)
    self.orders = continuation
    task = Task {
      var iterator = values.makeAsyncIterator()
      for await order in orders {
        if await iterator.next(isolation: nil) != nil { delivered.add() }
        order?.resume()
      }
    }
  }

  /// Makes the task take one value, and waits until it has done so.
  func take() async {
    await withCheckedContinuation { continuation in _ = orders.yield(continuation) }
  }

  /// Makes the task wait for a value that has not come yet.
  func expect() { orders.yield(nil) }

  /// Ends the task, and with it the subscription; not during a call of `take()`.
  func stop() {
    orders.finish()
    task.cancel()
  }
}

/// A subscriber that asks for values at the beginning, and later only when it is told to.
///
/// `@unchecked`: the subscription is set when the pipeline is built, and dropped when it is stopped.
class AskingSubscriber: Subscriber, Cancellable, @unchecked Sendable {
  typealias Input = Int
  typealias Failure = Never

  private let delivered: Tally
  private let initial: Int
  private var subscription: (any Subscription)?

  init(_ delivered: Tally, asksFor initial: Int) {
    self.delivered = delivered
    self.initial = initial
  }

  func receive(subscription: any Subscription) {
    self.subscription = subscription
    if initial > 0 { subscription.request(.max(initial)) }
  }

  func receive(_ input: Int) -> Subscribers.Demand {
    delivered.add()
    return .none
  }

  func receive(completion: Subscribers.Completion<Never>) { subscription = nil }

  func request(_ demand: Subscribers.Demand) { subscription?.request(demand) }

  func cancel() {
    subscription?.cancel()
    subscription = nil
  }
}

/// A subscriber that asks for nothing.
final class SilentSubscriber: AskingSubscriber, @unchecked Sendable {
  init(_ delivered: Tally) { super.init(delivered, asksFor: 0) }
}

/// A subscriber that asks for a few values at the beginning, and then for no more.
final class FrugalSubscriber: AskingSubscriber, @unchecked Sendable {}

/// A value that the pipelines use from one task at a time.
struct Unchecked<Value>: @unchecked Sendable {
  let value: Value

  init(_ value: Value) { self.value = value }
}
