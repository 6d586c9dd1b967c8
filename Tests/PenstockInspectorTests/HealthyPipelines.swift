// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Penstock
import PenstockConcurrency
import PenstockOperators
import PenstockTesting
import Testing

/// A pipeline that is idle, slow or over, but not stuck: it would deliver any value that comes, or delivers values step
/// by step.
struct HealthyPipeline: CustomTestStringConvertible, Sendable {
  /// A sentence that says what it does.
  let name: String

  /// Builds the pipeline.
  ///
  /// The result has a `step` if the pipeline is slow: after each step, at least one more value has been delivered.
  let make: @Sendable () async -> Running

  var testDescription: String { name }

  init(_ name: String, make: @escaping @Sendable () async -> Running) {
    self.name = name
    self.make = make
  }

  /// All twenty pipelines.
  static let all = idle + over + slowEnds + slowOperators + slowSchedulers
}

// MARK: Nothing waits anywhere

extension HealthyPipeline {
  private static let idle = [
    // Everything has been asked for, and nothing has been sent.
    HealthyPipeline("A button that nobody presses") {
      let delivered = Tally()
      let presses = PassthroughSubject<Int, Never>()
      let end = presses.map { $0 + 1 }.filter { $0 > 0 }.eraseToAnyPublisher().sink { _ in delivered.add() }
      return Running(delivered, keeping: [presses, end])
    },

    // The present value has been delivered at each change. The subject keeps it, but it waits for nobody.
    HealthyPipeline("A present value whose changes have all been seen") {
      let delivered = Tally()
      let (level, doubled) = (CurrentValueSubject<Int, Never>(1), CurrentValueSubject<Int, Never>(0))
      let feed = level.map { $0 * 2 }.removeDuplicates().subscribe(doubled)
      let end = doubled.dropFirst().sink { _ in delivered.add() }
      level.value = 2
      return Running(delivered, keeping: [level, doubled, feed, end])
    },

    // The last value has been delivered when its time had passed; none is pending.
    HealthyPipeline("A debounce after a pause in the typing") {
      let delivered = Tally()
      let scheduler = VirtualTimeScheduler()
      let words = PassthroughSubject<String, Never>()
      let end = words.debounce(for: 1, scheduler: scheduler).sink { _ in delivered.add() }
      words.send("pen")
      words.send("penstock")
      await scheduler.advance(by: 5)
      return Running(delivered, keeping: [scheduler, words, end])
    },

    // Both sides have a latest value, and each tuple has been delivered.
    HealthyPipeline("A combineLatest with no news on either side") {
      let delivered = Tally()
      let (level, unit) = (CurrentValueSubject<Int, Never>(1), CurrentValueSubject<String, Never>("m"))
      let end = level.eraseToAnyPublisher().combineLatest(unit).map { "\($0) \($1)" }.sink { _ in delivered.add() }
      level.send(2)
      return Running(delivered, keeping: [level, unit, end])
    },

    // Each value has found its partner, so the zip keeps none.
    HealthyPipeline("A zip with no values on either side") {
      let delivered = Tally()
      let (questions, answers) = (PassthroughSubject<Int, Never>(), PassthroughSubject<String, Never>())
      let end = questions.zip(answers.eraseToAnyPublisher()).sink { _ in delivered.add() }
      for number in 1...3 { questions.send(number) }
      for number in 1...3 { answers.send("\(number)") }
      return Running(delivered, keeping: [questions, answers, end])
    },

    // The latest inner publisher is open and has been asked for everything. An earlier one had values left, and was
    // cancelled.
    HealthyPipeline("A long-lived stream that follows the latest of several") {
      let delivered = Tally()
      let rooms = CurrentValueSubject<PassthroughSubject<Int, Never>, Never>(PassthroughSubject())
      let end = rooms.map { $0.buffer(size: 4, prefetch: .byRequest, whenFull: .dropOldest) }.switchToLatest()
        .sink { _ in delivered.add() }
      rooms.value.send(1)
      rooms.send(PassthroughSubject())
      rooms.value.send(2)
      return Running(delivered, keeping: [rooms, end])
    },

    // The subscriber may still receive three values, and the buffer has none.
    HealthyPipeline("An empty buffer whose subscriber has asked for more") {
      let delivered = Tally()
      let levels = PassthroughSubject<Int, Never>()
      let end = FrugalSubscriber(delivered, asksFor: 5)
      levels.buffer(size: 3, prefetch: .keepFull, whenFull: .dropNewest).subscribe(end)
      levels.send(1)
      levels.send(2)
      return Running(delivered, keeping: [levels, end])
    },

    // The task has asked for the future's value, and the promise has not been kept.
    HealthyPipeline("A task that waits for a future") {
      let (delivered, requests) = (Tally(), Tally())
      var promise: Future<Int, Never>.Promise?
      let answer = Future { promise = $0 }
      let asked = answer.map { $0 + 1 }.handleEvents(receiveRequest: { _ in requests.add() })
      let task = TakingTask(asked.values, delivered)
      task.expect()
      await requests.reached(1)
      return Running(delivered, keeping: [Unchecked(promise), task], end: { task.stop() })
    },
  ]
}

// MARK: Over

extension HealthyPipeline {
  private static let over = [
    // All values have been delivered, and the end too.
    HealthyPipeline("A pipeline that has finished") {
      let delivered = Tally()
      let end = numbers(5).map { $0 * 2 }.flatMap(maxPublishers: .max(1)) { Just($0) }.collect(2)
        .sink { _ in delivered.add() }
      return Running(delivered, keeping: [end])
    },

    // Values waited in the buffer when it was cancelled, which dropped them. The subject lives on, and is sent to.
    HealthyPipeline("A pipeline that was cancelled while it was stuck") {
      let delivered = Tally()
      let levels = PassthroughSubject<Int, Never>()
      let end = FrugalSubscriber(delivered, asksFor: 1)
      levels.buffer(size: 3, prefetch: .byRequest, whenFull: .dropOldest).eraseToAnyPublisher().subscribe(end)
      for level in 1...3 { levels.send(level) }
      end.cancel()
      levels.send(4)
      return Running(delivered, keeping: [levels, end])
    },
  ]
}

// MARK: Slow ends

extension HealthyPipeline {
  private static let slowEnds = [
    // Between two steps the subscriber has asked for nothing, and the sequence has values left; but it comes back.
    HealthyPipeline("A subscriber that asks for one value at a time") {
      let delivered = Tally()
      let end = StepwiseSubscriber(delivered)
      numbers(1000).map { $0 * 2 }.filter { $0 > 0 }.eraseToAnyPublisher().subscribe(end)
      end.request(.max(1))
      return Running(delivered, keeping: [end], step: { end.request(.max(1)) })
    },

    // The same with a task.
    HealthyPipeline("A task that takes one value at a time") {
      let delivered = Tally()
      let task = TakingTask(numbers(1000).map { $0 * 2 }.values, delivered)
      await task.take()
      return Running(delivered, keeping: [task], step: { await task.take() }, end: { task.stop() })
    },

    // The buffer is full at every look, with other values each time.
    HealthyPipeline("A full buffer that is drained and refilled") {
      let delivered = Tally()
      let levels = PassthroughSubject<Int, Never>()
      let end = StepwiseSubscriber(delivered)
      levels.buffer(size: 2, prefetch: .keepFull, whenFull: .dropNewest).subscribe(end)
      levels.send(1)
      levels.send(2)
      return Running(
        delivered, keeping: [levels, end],
        step: {
          end.request(.max(1))
          levels.send(delivered.count + 2)
        })
    },
  ]
}

// MARK: Slow operators

extension HealthyPipeline {
  private static let slowOperators = [
    // Both sinks have asked for everything, and receive every value.
    HealthyPipeline("A shared stream with two sinks") {
      let delivered = Tally()
      let levels = PassthroughSubject<Int, Never>()
      let shared = levels.map { $0 + 1 }.share()
      let first = shared.sink { _ in delivered.add() }
      let second = shared.filter { $0 > 0 }.sink { _ in delivered.add() }
      return Running(delivered, keeping: [levels, first, second], step: { levels.send(1) })
    },

    // One side is a value ahead at every look: the zip holds one, another one each time, and makes a pair at each step.
    HealthyPipeline("A zip that is fed on one side and then on the other") {
      let delivered = Tally()
      let (questions, answers) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
      let end = questions.zip(answers).map { $0 + $1 }.eraseToAnyPublisher().sink { _ in delivered.add() }
      questions.send(0)
      return Running(
        delivered, keeping: [questions, answers, end],
        step: {
          answers.send(delivered.count)
          questions.send(delivered.count)
        })
    },

    // It is at its limit of two at every look, and asks the sequence for nothing then; but an inner publisher ends at
    // each step, and the next one takes its place.
    HealthyPipeline("A flatMap at its limit, whose publishers end and are replaced") {
      let (delivered, steps) = (Tally(), Tally())
      let inner = (0...100).map { _ in PassthroughSubject<Int, Never>() }
      let end = numbers(100).flatMap(maxPublishers: .max(2)) { Just($0).append(inner[$0]) }
        .sink { _ in delivered.add() }
      return Running(
        delivered, keeping: [inner, end], step: { inner[steps.add() + 1].send(completion: .finished) })
    },
  ]
}

// MARK: Slow schedulers

extension HealthyPipeline {
  private static let slowSchedulers = [
    // Nothing waits between two ticks.
    HealthyPipeline("A timer between two ticks") {
      let delivered = Tally()
      let scheduler = VirtualTimeScheduler()
      let end = Publishers.interval(1, scheduler: scheduler).map { "\($0)" }.sink { _ in delivered.add() }
      await scheduler.advance(by: 2.5)
      return Running(delivered, keeping: [scheduler, end], step: { await scheduler.advance(by: 1) })
    },

    // A value waits for the scheduler at every look, another one each time.
    HealthyPipeline("A scheduler that runs now and then") {
      let delivered = Tally()
      let scheduler = VirtualTimeScheduler()
      let levels = PassthroughSubject<Int, Never>()
      let end = levels.map { $0 + 1 }.receive(on: scheduler).filter { $0 > 0 }.sink { _ in delivered.add() }
      levels.send(1)
      return Running(
        delivered, keeping: [scheduler, levels, end],
        step: {
          await scheduler.advance()
          levels.send(delivered.count)
        })
    },

    // A value is pending at every look, another one each time.
    HealthyPipeline("A delay with a value that is pending") {
      let delivered = Tally()
      let scheduler = VirtualTimeScheduler()
      let levels = PassthroughSubject<Int, Never>()
      let end = levels.eraseToAnyPublisher().delay(for: 2, scheduler: scheduler).sink { _ in delivered.add() }
      levels.send(1)
      return Running(
        delivered, keeping: [scheduler, levels, end],
        step: {
          await scheduler.advance(by: 1)
          levels.send(delivered.count)
          await scheduler.advance(by: 1)
        })
    },

    // Between two attempts there is no upstream; the next one is scheduled.
    HealthyPipeline("A retry that waits for its next attempt") {
      struct Busy: Error {}
      let delivered = Tally()
      let scheduler = VirtualTimeScheduler()
      let server = Deferred { Just(1).setFailureType(to: Busy.self).append(Fail(error: Busy())) }
      let end = server.retry(1000, delay: 1, scheduler: scheduler)
        .sink(receiveCompletion: { _ in }, receiveValue: { _ in delivered.add() })
      return Running(delivered, keeping: [scheduler, end], step: { await scheduler.advance(by: 1) })
    },
  ]
}

/// A subscriber that asks only for the values that it is told to.
final class StepwiseSubscriber: AskingSubscriber, @unchecked Sendable {
  init(_ delivered: Tally) { super.init(delivered, asksFor: 0) }
}
