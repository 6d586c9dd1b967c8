// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockConcurrency
import TestSupport

/// A recorder of what tasks deliver, which a test waits for.
final class Probe<Input: Sendable, Failure: Error>: Sendable {
  let recorder: Recorder<Input, Failure>
  private let progress = Locked((values: 0, isOver: false))

  /// - Parameter onValue: Called with each value; returns the demand to return.
  init(
    demand: Subscribers.Demand? = .unlimited,
    onValue: @escaping @Sendable (Input) -> Subscribers.Demand = { _ in .none }
  ) {
    recorder = Recorder(demand: demand)
    recorder.onValue = { [progress] value in
      let more = onValue(value)
      progress.change { $0.values += 1 }
      return more
    }
    recorder.onCompletion = { [progress] _ in progress.change { $0.isOver = true } }
  }

  var count: Int { progress.value.values }

  var isOver: Bool { progress.value.isOver }

  /// Waits for a number of values, after which upstream has no demand for more.
  func values(_ count: Int) async -> [Input]? {
    await reached { self.count >= count } ? recorder.values : nil
  }

  /// Waits for the completion.
  func completion() async -> Subscribers.Completion<Failure>? {
    await reached { self.isOver } ? recorder.completions.last : nil
  }

  /// Whether the stream kept the rules of every stream.
  var isLawful: Bool { recorder.complaints.isEmpty && !recorder.hasOverlapped && recorder.completions.count <= 1 }
}

/// The reports of a test's asynchronous closures, and the gates that they wait for.
final class Work: Sendable {
  private struct State {
    var started: [Int] = []
    var ended: [Int] = []
    var cancelled: [Int] = []
    var most = 0
    var open: Set<Int> = []
    var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
  }

  private let state = Locked(State())

  /// The numbers of the closures that have started, in order.
  var started: [Int] { state.value.started }
  /// The numbers of those that have come to an end, cancelled or not.
  var ended: [Int] { state.value.ended }
  var cancelled: [Int] { state.value.cancelled }
  /// The largest number of closures that ran at a time.
  var most: Int { state.value.most }

  /// Runs until the test opens the way, or the task is cancelled.
  func run(_ number: Int) async {
    await withTaskCancellationHandler {
      // Recorded here, so that when a test sees it and cancels, the handler is in place.
      state.change {
        $0.started.append(number)
        $0.most = max($0.most, $0.started.count - $0.ended.count)
      }
      await withCheckedContinuation { waiter in
        let isDue = state.change { state in
          if state.open.contains(number) || state.cancelled.contains(number) { return true }
          state.waiters[number] = waiter
          return false
        }
        if isDue { waiter.resume() }
      }
    } onCancel: {
      state.change { state in
        state.cancelled.append(number)
        return state.waiters.removeValue(forKey: number)
      }?.resume()
    }
    state.change { $0.ended.append(number) }
  }

  /// Lets a closure finish, now or later.
  func open(_ number: Int) {
    state.change { state in
      state.open.insert(number)
      return state.waiters.removeValue(forKey: number)
    }?.resume()
  }
}

/// An asynchronous sequence of numbers that counts its iterators and what is pulled from them.
struct PacedNumbers<Failure: Error>: AsyncSequence, Sendable {
  struct Counts: Sendable {
    var iterators = 0
    var pulled = 0
    var ended = 0
  }

  let end: Int
  let failure: Failure?
  let counts = Locked(Counts())
  /// Called before each element with its number; the element waits until the call has returned.
  var before: @Sendable (Int) async -> Void = { _ in await Task.yield() }

  init(_ end: Int, thenFailing failure: Failure? = nil) {
    self.end = end
    self.failure = failure
  }

  func makeAsyncIterator() -> Iterator {
    counts.change { $0.iterators += 1 }
    return Iterator(sequence: self)
  }

  struct Iterator: AsyncIteratorProtocol {
    let sequence: PacedNumbers
    var last = 0
    let token: Token

    init(sequence: PacedNumbers) {
      self.sequence = sequence
      token = Token(sequence.counts)
    }

    mutating func next() async throws(Failure) -> Int? { try await next(isolation: nil) }

    mutating func next(isolation actor: isolated (any Actor)?) async throws(Failure) -> Int? {
      sequence.counts.change { $0.pulled += 1 }
      await sequence.before(last + 1)
      if last == sequence.end {
        if let failure = sequence.failure { throw failure }
        return nil
      }
      last += 1
      return last
    }
  }

  /// Freed with the iterator.
  final class Token: Sendable {
    let counts: Locked<Counts>

    init(_ counts: Locked<Counts>) { self.counts = counts }

    deinit { counts.change { $0.ended += 1 } }
  }
}

/// A task-local value, to see which tasks have it.
enum Trace {
  @TaskLocal static var name = "none"
}
