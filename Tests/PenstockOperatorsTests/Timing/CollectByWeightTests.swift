// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import PenstockTesting
import TestSupport
import Testing

/// The operator between a publisher driven by hand, whose values are their own weights, and a recorder.
struct WeightBench {
  let clock = VirtualTimeScheduler()
  let source = ManualPublisher<Int, TestError>()
  let recorder: Recorder<[Int], TestError>
  /// What upstream has sent.
  let sent = Locked(0)

  init(upTo count: Int = 3, weight: Int = 10, within interval: VirtualTime.Stride = 1, demand: Subscribers.Demand?) {
    recorder = Recorder(demand: demand)
    source.collect(upTo: count, weight: weight, within: interval, scheduler: clock) { $0 }.subscribe(recorder)
  }

  func send(_ values: Int...) {
    for value in values {
      sent.change { $0 += 1 }
      #expect(source.send(value) == .none)
    }
  }

  /// Runs the actions that are due at the present time.
  func settle() { clock.advance() }

  /// How many values upstream has been asked for.
  var granted: Int { source.subscription!.requests.reduce(0) { $0 + $1.max! } }

  /// How many values upstream may still send.
  var outstanding: Int { granted - sent.value }
}

@Suite struct CollectByWeightTests {
  // MARK: What ends an array

  @Test func `A full number of values ends an array, at once`() {
    let bench = WeightBench(demand: .unlimited)
    bench.send(1, 1, 1, 1)
    bench.settle()
    #expect(bench.recorder.values == [[1, 1, 1]])
    bench.send(2, 2)
    bench.settle()
    #expect(bench.recorder.values == [[1, 1, 1], [1, 2, 2]])
    #expect(bench.clock.now == 0)
  }

  @Test func `A value that would make an array too heavy begins the next one`() {
    let bench = WeightBench(upTo: 9, demand: .unlimited)
    bench.send(4, 5)
    bench.settle()
    #expect(bench.recorder.values.isEmpty)
    bench.send(2)
    bench.settle()
    #expect(bench.recorder.values == [[4, 5]])
    bench.send(7, 2)
    bench.settle()
    #expect(bench.recorder.values == [[4, 5], [2, 7]])
    bench.clock.advance(by: 1)
    #expect(bench.recorder.values == [[4, 5], [2, 7], [2]])
  }

  @Test func `An array that reaches the weight exactly is complete`() {
    let bench = WeightBench(upTo: 9, demand: .unlimited)
    bench.send(4, 6)
    bench.settle()
    #expect(bench.recorder.values == [[4, 6]])
    bench.send(0)
    bench.settle()
    #expect(bench.recorder.values == [[4, 6]])
  }

  @Test(arguments: [11, Int.max])
  func `A value that is too heavy is alone in its array, and goes at once`(_ heavy: Int) {
    let bench = WeightBench(upTo: 9, demand: .unlimited)
    bench.send(heavy)
    bench.settle()
    #expect(bench.recorder.values == [[heavy]])
    bench.send(1, 2, heavy, heavy, 3)
    bench.settle()
    #expect(bench.recorder.values == [[heavy], [1, 2], [heavy], [heavy]])
    bench.clock.advance(by: 1)
    #expect(bench.recorder.values.last == [3])
  }

  @Test func `Weights of nothing are limited by number and time only`() {
    let bench = WeightBench(weight: 1, demand: .unlimited)
    bench.send(0, 0)
    bench.clock.advance(by: 1)
    bench.send(0, 0, 0)
    bench.settle()
    #expect(bench.recorder.values == [[0, 0], [0, 0, 0]])
  }

  @Test func `The greatest weight and the greatest number do not overflow`() {
    let bench = WeightBench(upTo: .max, weight: .max, demand: .unlimited)
    #expect(bench.source.subscription?.requests == [.max(.max)])
    bench.send(.max - 1, 1, 5, .max)
    bench.settle()
    #expect(bench.recorder.values == [[.max - 1, 1], [5], [.max]])
    #expect(bench.source.subscription?.requests == [.max(.max), .max(2), .max(1), .max(1)])
  }

  @Test func `Each value is weighed once, when it arrives`() {
    let weighed = Locked<[String]>([])
    let clock = VirtualTimeScheduler()
    let subject = PassthroughSubject<String, Never>()
    let recorder = Recorder<[String], Never>()
    subject.collect(upTo: 3, weight: 4, within: 1, scheduler: clock) { text in
      weighed.change { $0.append(text) }
      return text.utf8.count
    }.subscribe(recorder)
    for text in ["a", "bb", "ccc"] { subject.send(text) }
    #expect(weighed.value == ["a", "bb", "ccc"])
    clock.advance(by: 5)
    #expect(recorder.values == [["a", "bb"], ["ccc"]])
    #expect(weighed.value.count == 3)
  }

  // MARK: Time

  @Test func `The time runs from the first value of an array, and not in periods`() {
    let bench = WeightBench(upTo: 9, weight: 100, demand: .unlimited)
    bench.clock.advance(by: 0.7)
    bench.send(1)
    bench.clock.advance(by: 0.6)
    bench.send(2)
    bench.clock.advance(by: 0.3)
    #expect(bench.recorder.values.isEmpty)
    bench.clock.advance(by: 0.1)
    #expect(bench.recorder.values == [[1, 2]])
    bench.clock.advance(by: 2.2)
    bench.send(3)
    bench.clock.advance(by: 0.9)
    #expect(bench.recorder.values == [[1, 2]])
    bench.clock.advance(by: 0.1)
    #expect(bench.recorder.values == [[1, 2], [3]])
  }

  @Test func `An array that begins with a value that was too much has its own time`() {
    let bench = WeightBench(upTo: 9, demand: .unlimited)
    bench.send(8)
    bench.clock.advance(by: 0.8)
    bench.send(4)
    bench.clock.advance(by: 0.9)
    #expect(bench.recorder.values == [[8]])
    bench.clock.advance(by: 0.1)
    #expect(bench.recorder.values == [[8], [4]])
  }

  @Test func `The time of an array that left early ends no later one`() {
    let bench = WeightBench(upTo: 2, demand: .unlimited)
    bench.send(1)
    bench.clock.advance(by: 0.9)
    bench.send(1, 2)
    bench.clock.advance(by: 0.9)
    #expect(bench.recorder.values == [[1, 1]])
    bench.clock.advance(by: 0.1)
    #expect(bench.recorder.values == [[1, 1], [2]])
  }

  @Test func `An array after one whose time was over is not over itself`() {
    let bench = WeightBench(demand: .max(1))
    bench.send(1)
    bench.clock.advance(by: 1)
    bench.send(2)
    bench.recorder.request(.max(1))
    bench.clock.advance(by: 0.9)
    #expect(bench.recorder.values == [[1]])
    bench.clock.advance(by: 0.1)
    #expect(bench.recorder.values == [[1], [2]])
  }

  @Test func `One timer serves all arrays, none is set before a value, and no empty array comes`() {
    let bench = WeightBench(demand: .unlimited)
    #expect(bench.clock.pending.isEmpty)
    bench.clock.advance(by: 5)
    bench.send(1)
    #expect(bench.clock.pending.count == 1)
    bench.send(1, 1)
    // With the delivery.
    #expect(bench.clock.pending.count == 2)
    bench.settle()
    #expect(bench.clock.pending.count == 1)
    bench.send(12)
    bench.settle()
    #expect(bench.clock.pending.count == 1)
    bench.send(2)
    bench.clock.advance(by: 1)
    #expect(bench.clock.pending.isEmpty)
    bench.clock.advance(by: 9)
    #expect(bench.recorder.values == [[1, 1, 1], [12], [2]])
  }

  @Test func `The timer of an array that was complete before its time goes off once, and does nothing`() {
    let bench = WeightBench(demand: .unlimited)
    bench.send(1, 1, 1)
    bench.settle()
    #expect(bench.clock.pending.count == 1)
    bench.clock.advance(by: 1)
    #expect(bench.clock.pending.isEmpty)
    #expect(bench.recorder.values == [[1, 1, 1]])
    bench.send(2)
    bench.clock.advance(by: 0.9)
    #expect(bench.recorder.values.count == 1)
    bench.clock.advance(by: 0.1)
    #expect(bench.recorder.values == [[1, 1, 1], [2]])
  }

  @Test func `The calls of the scheduler`() {
    let clock = RecordingScheduler(VirtualTimeScheduler<VirtualTime, String>(now: 0, minimumTolerance: 0.125))
    let source = ManualPublisher<Int, TestError>()
    let recorder = Recorder<[Int], TestError>()
    source.collect(upTo: 2, weight: 10, within: 3, scheduler: clock, options: "quick") { $0 }.subscribe(recorder)
    #expect(clock.takeCalls().isEmpty)
    source.send(1)
    #expect(
      clock.takeCalls() == [
        .now, .minimumTolerance, .scheduleRepeating(3, interval: 3, tolerance: 0.125, options: "quick"),
      ])
    source.send(2)
    #expect(clock.takeCalls() == [.schedule(options: "quick")])
    clock.base.advance()
    source.send(3)
    // The timer of the array before is the next one's.
    #expect(clock.takeCalls() == [.now])
    // The time has passed: no block besides the timer's own.
    clock.base.advance(by: 3)
    #expect(clock.takeCalls() == [.cancel(0)])
    #expect(recorder.values == [[1, 2], [3]])
  }

  @Test func `Everything comes on the scheduler, and the subscription where it is subscribed to`() {
    let bench = WeightBench(demand: .unlimited)
    #expect(bench.recorder.subscriptionTexts == ["CollectByWeight"])
    bench.send(1, 1, 1)
    bench.source.send(completion: .finished)
    #expect(bench.recorder.values.isEmpty && bench.recorder.completions.isEmpty)
    bench.settle()
    #expect(bench.recorder.values == [[1, 1, 1]])
    #expect(bench.recorder.isFinished)
  }

  @Test func `A scheduler that runs everything at once makes an array of each value`() {
    let recorder = Recorder<[Int], Never>()
    (1...3).publisher.collect(upTo: 5, weight: 9, within: 1, scheduler: ImmediateScheduler.shared) { $0 }
      .subscribe(recorder)
    #expect(recorder.values == [[1], [2], [3]])
    #expect(recorder.isFinished)
    #expect(recorder.complaints.isEmpty)
  }
}
