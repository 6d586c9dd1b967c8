// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Observation
import Penstock
import PenstockConcurrency
import Testing

/// The checked family, and what else of PenstockConcurrency knows of isolation, in a module whose code belongs to the main
/// actor unless it says otherwise.
@Suite struct CheckedPipelineTests {
  @Test func `A service that tasks share is nonisolated, and so are the functions that its closures call`() async {
    let ticker = Ticker()
    let alarm = Task.detached {
      for await alarm in ticker.alarms.values(buffering: .unbounded) { return alarm }
      return "none"
    }
    // The present value alone, so that it does not matter when the task subscribes.
    ticker.prices.send(101)
    #expect(await alarm.value == "above: 101")
  }

  @Test func `A sink on the main actor changes the model, whoever sends`() async {
    let model = Model()
    let levels = PassthroughSubject<Int, Never>()
    await withCheckedContinuation { continuation in
      model.cancellable = levels.sendable.map { doubled($0) }.sink(on: .shared) { level in
        model.level = level
        continuation.resume()
      }
      Task.detached { levels.send(4) }
    }
    #expect(model.level == 8)
  }

  @Test func `A plain pipeline ends on the main actor by an end that says so`() async {
    let model = Model()
    let levels = PassthroughSubject<Int, Never>()
    await withCheckedContinuation { continuation in
      model.cancellable = levels.map { @Sendable in $0 + 1 }.sink(isolation: #isolation) { level in
        model.level = level
        continuation.resume()
      }
      Task.detached { levels.send(4) }
    }
    #expect(model.level == 5)
  }

  @Test func `An async operation is nonisolated, or goes to the main actor by itself`() async {
    let model = Model()
    let answers = (1...3).publisher.sendable
      .mapAsync { number in await answer(to: number) }
      .mapAsync { number in await model.add(number) }
    var sums: [Int] = []
    for await sum in answers.values(buffering: .unbounded) { sums.append(sum) }
    #expect(sums == [10, 30, 60])
    #expect(model.level == 60)
  }

  @Test func `An async future and its deferred form call what belongs to the main actor`() async {
    let model = Model()
    #expect(await Future { await model.add(2) }.value == 2)
    let deferred = Deferred { await model.add(3) }
    var sums: [Int] = []
    for await sum in deferred.values { sums.append(sum) }
    #expect(sums == [5])
  }

  @Test func `An observable model is published by a closure of the main actor`() async {
    let model = Model()
    var levels: [Int] = []
    await withCheckedContinuation { continuation in
      model.cancellable = Publishers.Observed(isolation: #isolation) { model.level }.sink { level in
        levels.append(level)
        if level == 0 { model.level = 7 } else { continuation.resume() }
      }
    }
    #expect(levels == [0, 7])
    model.cancellable = nil
  }
}

@Observable private final class Model {
  var level = 0
  @ObservationIgnored var cancellable: AnyCancellable?

  func add(_ number: Int) async -> Int {
    level += number
    return level
  }
}

private nonisolated final class Ticker: Sendable {
  let prices = CurrentValueSubject<Int, Never>(98)
  let alarms: AnySendablePublisher<String, Never>

  init() {
    alarms = prices.sendable
      .filter { isHigh($0) }
      .map { "above: \($0)" }
      .eraseToAnySendablePublisher()
  }
}

private nonisolated func isHigh(_ price: Int) -> Bool { price > 100 }

private nonisolated func doubled(_ number: Int) -> Int { number * 2 }

/// With `NonisolatedNonsendingByDefault` it runs where it is called from: here on the task of the operator.
private nonisolated func answer(to number: Int) async -> Int { number * 10 }
