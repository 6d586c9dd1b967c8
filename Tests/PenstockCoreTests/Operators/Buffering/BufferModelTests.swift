// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// `buffer` compared with a model of a few lines, for every short course of events.
@Suite struct BufferModelTests {
  enum Step: CaseIterable { case send, requestOne, requestTwo, finish, fail }

  enum Strategy: CaseIterable {
    case dropNewest, dropOldest, customError

    var whenFull: Publishers.BufferingStrategy<TestError> {
      switch self {
      case .dropNewest: .dropNewest
      case .dropOldest: .dropOldest
      case .customError: .customError { TestError("full") }
      }
    }
  }

  /// A buffer without threads and without callbacks.
  private struct Model {
    let size: Int
    let prefetch: Publishers.PrefetchStrategy
    let strategy: Strategy
    var queue: [Int] = []
    var demand = 0
    var terminal: Subscribers.Completion<TestError>?
    var isAttached = true
    var hasEnded = false
    var events: [Event<Int, TestError>] = [.subscription("Buffer")]
    var calls: [ManualSubscription.Call] = []
    var answers: [Subscribers.Demand] = []

    init(size: Int, prefetch: Publishers.PrefetchStrategy, strategy: Strategy) {
      self.size = size
      self.prefetch = prefetch
      self.strategy = strategy
      if prefetch == .byRequest { calls = [.requested(.unlimited)] }
      if prefetch == .keepFull, size > 0 { calls = [.requested(.max(size))] }
    }

    mutating func drain() -> Int {
      var delivered = 0
      while demand > 0, !queue.isEmpty {
        demand -= 1
        delivered += 1
        events.append(.value(queue.removeFirst()))
      }
      if let terminal, !hasEnded, terminal != .finished || (queue.isEmpty && demand > 0) {
        hasEnded = true
        events.append(.completion(terminal))
      }
      return delivered
    }

    mutating func send(_ value: Int) {
      var delivered = 0
      if !hasEnded {
        if queue.count < size || strategy == .dropOldest {
          if queue.count >= size, !queue.isEmpty { queue.removeFirst() }
          queue.append(value)
          delivered = drain()
        } else if strategy == .customError {
          if isAttached { calls.append(.cancelled) }
          isAttached = false
          terminal = terminal ?? .failure(TestError("full"))
        }
      }
      answers.append(prefetch == .keepFull ? .max(delivered) : .none)
    }

    mutating func request(_ count: Int) {
      guard !hasEnded else { return }
      demand += count
      let delivered = drain()
      if prefetch == .keepFull, delivered > 0, isAttached { calls.append(.requested(.max(delivered))) }
    }

    mutating func end(_ completion: Subscribers.Completion<TestError>) {
      guard isAttached else { return }
      isAttached = false
      terminal = terminal ?? completion
      _ = drain()
    }
  }

  private func check(_ course: [Step], size: Int, prefetch: Publishers.PrefetchStrategy, strategy: Strategy) -> Bool {
    var model = Model(size: size, prefetch: prefetch, strategy: strategy)
    let source = ManualPublisher<Int, TestError>()
    let recorder = Recorder<Int, TestError>(demand: nil)
    defer { recorder.releaseSubscriptions() }
    source.buffer(size: size, prefetch: prefetch, whenFull: strategy.whenFull).subscribe(recorder)
    var answers: [Subscribers.Demand] = []
    for (number, step) in course.enumerated() {
      switch step {
      case .send:
        model.send(number)
        answers.append(source.send(number))
      case .requestOne:
        model.request(1)
        recorder.request(.max(1))
      case .requestTwo:
        model.request(2)
        recorder.request(.max(2))
      case .finish:
        model.end(.finished)
        source.send(completion: .finished)
      case .fail:
        model.end(.failure(.oops))
        source.send(completion: .failure(.oops))
      }
    }
    return recorder.events == model.events && source.calls == model.calls && answers == model.answers
  }

  @Test(arguments: [Publishers.PrefetchStrategy.keepFull, .byRequest], Strategy.allCases)
  func `Every course of five events goes as in the model`(_ prefetch: Publishers.PrefetchStrategy, _ strategy: Strategy)
  {
    for size in 0...2 {
      var course: [Step] = []
      func extend() -> Bool {
        if !check(course, size: size, prefetch: prefetch, strategy: strategy) {
          Issue.record("size \(size): \(course)")
          return false
        }
        guard course.count < 5 else { return true }
        for step in Step.allCases where course.filter({ $0 == .finish || $0 == .fail }).count < 2 || step == .send {
          course.append(step)
          defer { course.removeLast() }
          guard extend() else { return false }
        }
        return true
      }
      #expect(extend())
    }
  }
}
