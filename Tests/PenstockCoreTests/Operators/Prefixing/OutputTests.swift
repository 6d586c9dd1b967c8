// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

@Suite struct OutputTests {
  private let source = ManualPublisher<Int, TestError>()

  @Test(arguments: [0, 1, 3, 5, 9])
  func `prefix lets so many through`(_ count: Int) {
    let recorder = Recorder<Int, Never>()
    Publishers.Output(upstream: (0..<5).publisher, range: 0..<count).subscribe(recorder)
    #expect(recorder.values == Array((0..<5).prefix(count)))
    #expect(recorder.completions == [.finished])
  }

  @Test func `The methods make ranges`() {
    #expect(source.prefix(3).range == 0..<3)
    #expect(source.prefix(.max).range == 0..<Int.max)
    #expect(source.output(at: 2).range == 2..<3)
    #expect(source.output(at: .max - 1).range == (.max - 1)..<Int.max)
    #expect(source.output(in: 2..<4).range == 2..<4)
    #expect(source.output(in: 2...4).range == 2..<5)
    #expect(source.output(in: 3...).range == 3..<Int.max)
    #expect(source.output(in: ..<3).range == 0..<3)
    #expect(source.output(in: ...3).range == 0..<4)
  }

  @Test func `Values before the range are answered with a request for another, those behind it with nothing`() {
    let recorder = Recorder<Int, TestError>(demand: .max(1), answering: .max(7))
    source.output(in: 1...2).subscribe(recorder)
    #expect([0, 1, 2, 3].map { source.send($0) } == [.max(1), .max(7), .max(7), .none])
    #expect(recorder.values == [1, 2])
  }

  @Test func `With the last value upstream is cancelled and the stream finished, in the same call`() {
    var log: [String] = []
    source.subscription?.onCancel = { log.append("cancel") }
    let recorder = Recorder<Int, TestError>(demand: .max(5))
    recorder.onValue = { value in
      log.append("value \(value)")
      return .max(7)
    }
    recorder.onCompletion = { log.append("\($0)") }
    source.prefix(2).subscribe(recorder)
    source.send(1)
    #expect(log == ["value 1"])
    #expect(source.send(2) == .max(7))
    #expect(log == ["value 1", "value 2", "cancel", "finished"])
  }

  @Test func `Exactly so many values of upstream are enough`() {
    let recorder = Recorder<[Int], Never>()
    let subject = PassthroughSubject<Int, Never>()
    subject.prefix(2).collect().subscribe(recorder)
    subject.send(1)
    subject.send(2)
    #expect(recorder.values == [[1, 2]])
    #expect(recorder.isFinished)
  }

  @Test func `Requests go up as they are, even for more than can come`() {
    let recorder = Recorder<Int, TestError>(demand: .unlimited)
    source.prefix(1).subscribe(recorder)
    recorder.request(.none)
    #expect(source.calls == [.requested(.unlimited), .requested(.none)])
  }

  @Test(arguments: [true, false])
  func `prefix(0) finishes with the first value or completion`(_ withValue: Bool) {
    let recorder = Recorder<Int, TestError>()
    source.prefix(0).subscribe(recorder)
    #expect(recorder.events == [.subscription("Output")])
    if withValue { #expect(source.send(1) == .none) } else { source.send(completion: .finished) }
    #expect(recorder.events == [.subscription("Output"), .completion(.finished)])
    #expect(source.subscription?.cancellations == (withValue ? 1 : 0))
    source.send(2)
    #expect(recorder.events.count == 2)
  }

  @Test func `An empty range further on does the same`() {
    let recorder = Recorder<Int, TestError>()
    source.output(in: 3..<3).subscribe(recorder)
    source.send(1)
    #expect(recorder.events == [.subscription("Output"), .completion(.finished)])
  }

  @Test func `A cancel during the delivery of the last value keeps the end back`() {
    let recorder = Recorder<Int, TestError>()
    recorder.onValue = { _ in
      recorder.cancel()
      return .none
    }
    source.prefix(1).subscribe(recorder)
    source.send(1)
    #expect(recorder.values == [1])
    #expect(recorder.completions.isEmpty)
    #expect(source.subscription?.cancellations == 1)
  }

  @Test func `A value sent during the delivery of the last one is not delivered`() {
    let subject = PassthroughSubject<Int, Never>()
    let recorder = Recorder<Int, Never>()
    recorder.onValue = { value in
      subject.send(value + 1)
      return .none
    }
    subject.prefix(2).subscribe(recorder)
    subject.send(1)
    #expect(recorder.values == [1, 2])
    #expect(recorder.completions == [.finished])
  }

  @Test func `Values are counted before the subscription and after the end, but end nothing`() {
    let source = ManualPublisher<Int, TestError>(subscription: nil)
    let (early, late) = (Recorder<Int, TestError>(), Recorder<Int, TestError>())
    source.output(in: 1...2).subscribe(early)
    for value in 0...3 { source.send(value) }
    #expect(early.events == [.value(1), .value(2)])

    source.prefix(2).subscribe(late)
    source.send(subscription: ManualSubscription())
    late.cancel()
    for value in 1...3 { source.send(value) }
    #expect(late.values == [1, 2])
    #expect(late.completions.isEmpty)
  }

  @Test func `Two are equal when upstream and range are`() {
    typealias Limited = Publishers.Output<Just<Int>>
    #expect(Limited(upstream: Just(1), range: 0..<2) == Limited(upstream: Just(1), range: 0..<2))
    #expect(Limited(upstream: Just(1), range: 0..<2) != Limited(upstream: Just(1), range: 0..<3))
    #expect(Limited(upstream: Just(1), range: 0..<2) != Limited(upstream: Just(2), range: 0..<2))
  }
}

@Suite struct OutputTraps {
  @Test func `A negative length`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = ManualPublisher<Int, Never>().prefix(-1)
    }
    expectMessage(result, "prefix takes a count of 0 or more")
  }

  @Test(arguments: [-1, Int.max])
  func `A position that is none`(_ index: Int) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [index] in
      _ = ManualPublisher<Int, Never>().output(at: index)
    }
    expectMessage(result, "output(at:) takes positions from 0")
  }

  @Test func `A range with a negative bound`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = ManualPublisher<Int, Never>().output(in: -1...3)
    }
    expectMessage(result, "output(in:) takes positions from 0")
  }

  @Test func `A publisher made with a negative bound`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Publishers.Output(upstream: ManualPublisher<Int, Never>(), range: -1..<3)
    }
    expectMessage(result, "Output takes positions from 0")
  }

  /// A range without a check of its bounds: in release builds `Range(uncheckedBounds:)` makes such ranges.
  private struct Unchecked: RangeExpression {
    static var range: Range<Int> { unsafeBitCast((2, -1), to: Range<Int>.self) }

    func relative<C: Collection>(to collection: C) -> Range<Int> where C.Index == Int { Self.range }
    func contains(_ element: Int) -> Bool { false }
  }

  @Test func `A range with a negative upper bound`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = ManualPublisher<Int, Never>().output(in: Unchecked())
    }
    expectMessage(result, "output(in:) takes positions from 0")
    let other = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Publishers.Output(upstream: ManualPublisher<Int, Never>(), range: Unchecked.range)
    }
    expectMessage(other, "Output takes positions from 0")
    let optional = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Optional<Int>.Publisher(1).output(in: Unchecked())
    }
    expectMessage(optional, "output(in:) takes positions from 0")
  }

  @Test func `A range that includes the largest number`() async {
    await #expect(processExitsWith: .failure) {
      _ = ManualPublisher<Int, Never>().output(in: 0...Int.max)
    }
  }
}
