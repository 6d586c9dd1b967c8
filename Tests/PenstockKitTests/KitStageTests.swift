// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockKit
import PenstockTesting
import TestSupport
import Testing

/// What each protocol of the kit promises, beyond the contract.
@Suite struct KitStageTests {
  /// The values and the completion, as text.
  private func trace<P: Publisher>(_ publisher: P) -> [String] {
    var trace: [String] = []
    let cancellable = publisher.sink(
      receiveCompletion: {
        if case .failure(let error) = $0 { trace.append("\(error)") } else { trace.append("finished") }
      },
      receiveValue: { trace.append("\($0)") })
    cancellable.cancel()
    return trace
  }

  @Test func `A transparent stage leaves values out, and shows upstream's name`() {
    #expect(trace((1...5).publisher.lift(PlusTenStage())) == ["11", "12", "13", "15", "finished"])
    var printed = ""
    let cancellable = Just(1).lift(PlusTenStage()).print(to: TextLog { printed += $0 }).sink { _ in }
    cancellable.cancel()
    #expect(printed.contains("(Just)"))
  }

  @Test func `A stage is named by its type, and a name of its own comes first`() {
    final class Named: ManagedStage {
      static var name: String { "Chosen" }

      func receive(_ input: Int) -> Verdict<Int, Never> { .emit(input) }
    }

    func name(_ publisher: some Publisher<Int, Never>) -> String {
      var printed = ""
      let cancellable = publisher.print(to: TextLog { printed += $0 }).sink { _ in }
      cancellable.cancel()
      return String(printed.drop { $0 != "(" }.dropFirst().prefix { $0 != ")" })
    }

    #expect(name(Just(1).lift { PairsStage() }) == "Pairs")
    #expect(name(Just(1).lift { Named() }) == "Chosen")
    #expect(name(Just(1).lift { TwiceStage() }) == "Twice")
    #expect(name(Just(1).steered(by: Just(true), OpenStage())) == "Open")
    #expect(name(Just(1).followed { AgainRule(upstream: Just(1), times: 2) }) == "Again")
    #expect(name(Publishers.source { CountStage<Never>(end: 1) }) == "Count")
    #expect(name(Just(1).scheduled { LateStage(scheduler: VirtualTimeScheduler()) { _ in .zero } }) == "Late")
  }

  @Test func `A managed stage ends the stream, and upstream is cancelled`() {
    var cancels = 0
    let upstream = (1...9).publisher.handleEvents(receiveCancel: { cancels += 1 })
    #expect(trace(upstream.lift { ThroughStage(2) }) == ["1", "2", "finished"])
    #expect(cancels == 1)
    #expect(trace([1, 5].publisher.lift { ThroughStage(2) }) == ["1", "finished"])
  }

  @Test func `A managed stage fails the stream, and converts upstream's failure`() {
    #expect(trace((1...9).publisher.lift { RefusingStage<Never>(2) }) == ["1", "refused 2"])
    let failing = Fail<Int, TestError>(error: .oops)
    #expect(trace(failing.lift { RefusingStage<TestError>(2) }).first?.contains("from ") == true)
  }

  @Test func `Each subscription has a stage of its own`() {
    let pairs = [1, 2, 3].publisher.lift { PairsStage() }
    #expect(trace(pairs) == ["21", "32", "finished"])
    #expect(trace(pairs) == ["21", "32", "finished"])
  }

  @Test func `Outputs wait for demand, and the completion behind them`() {
    let recorder = Recorder<Int, Never>(demand: nil)
    [1, 2].publisher.lift { BackwardsStage() }.subscribe(recorder)
    #expect(recorder.values == [])
    recorder.request(.max(1))
    #expect(recorder.values == [2] && recorder.completions.isEmpty)
    recorder.request(.max(1))
    #expect(recorder.values == [2, 1])
    #expect(recorder.completions.count == 1)
  }

  @Test func `A stage that expands asks for one value at a time`() {
    var requested: [Subscribers.Demand] = []
    let recorder = Recorder<Int, Never>(demand: nil)
    [1, 2, 3].publisher.handleEvents(receiveRequest: { requested.append($0) }).lift { TwiceStage() }.subscribe(recorder)
    recorder.request(.max(1))
    recorder.request(.max(1))
    #expect(recorder.values == [1, 1])
    #expect(requested == [.max(1)])
  }

  @Test func `A failure discards outputs that wait, unless it waits`() {
    let failing = [1].publisher.setFailureType(to: TestError.self).append(Fail(error: .oops))
    let (patient, hasty) = (Recorder<Int, TestError>(demand: nil), Recorder<Int, TestError>(demand: nil))
    failing.lift { TwiceStage() }.subscribe(patient)
    failing.lift { BackwardsStage() }.subscribe(hasty)
    hasty.request(.max(1))
    #expect(hasty.values == [] && hasty.completions.count == 1)
    patient.request(.max(1))
    #expect(patient.values == [1] && patient.completions.isEmpty)
    patient.request(.max(1))
    #expect(patient.values == [1, 1])
    patient.request(.max(1))
    #expect(patient.completions.count == 1)
  }

  @Test(arguments: [Subscribers.Demand?.none, .max(1), .unlimited])
  func `What a stage adds at a failure precedes it, if failures wait`(_ demand: Subscribers.Demand?) {
    let failing = [1, 2].publisher.setFailureType(to: TestError.self).append(Fail(error: .oops))
    let recorder = Recorder<Int, TestError>(demand: demand)
    failing.lift { TotalStage() }.subscribe(recorder)
    if demand == nil {
      #expect(recorder.values.isEmpty && recorder.completions.isEmpty)
      recorder.request(.max(1))
    }
    #expect(recorder.values == [2])
    #expect(recorder.completions == [.failure(.oops)])
  }

  @Test func `A signal that a steered stage's value sends waits until the value is delivered`() {
    let (values, gate) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Bool, Never>())
    var seen: [Int] = []
    let cancellable = values.steered(by: gate, OpenStage()).sink {
      seen.append($0)
      if $0 == 1 {
        gate.send(false)
        values.send(2)
      }
    }
    gate.send(true)
    values.send(1)
    gate.send(true)
    values.send(3)
    #expect(seen == [1, 3])
    cancellable.cancel()
  }

  @Test func `Signals that have finished change nothing, and those that fail end the stream`() {
    let (values, gate) = (PassthroughSubject<Int, TestError>(), PassthroughSubject<Bool, TestError>())
    let recorder = Recorder<Int, TestError>(demand: .unlimited)
    values.steered(by: gate, OpenStage()).subscribe(recorder)
    gate.send(true)
    values.send(1)
    gate.send(completion: .failure(.oops))
    values.send(2)
    #expect(recorder.values == [1])
    #expect(recorder.completions.count == 1)

    let (others, opener) = (PassthroughSubject<Int, TestError>(), PassthroughSubject<Bool, TestError>())
    let second = Recorder<Int, TestError>(demand: .unlimited)
    others.steered(by: opener, OpenStage()).subscribe(second)
    opener.send(true)
    opener.send(completion: .finished)
    others.send(2)
    #expect(second.values == [2] && second.completions.isEmpty)
  }

  @Test func `A scheduled output does not overtake the one before it, and the completion comes last`() throws {
    let scheduler = VirtualTimeScheduler()
    var trace: [String] = []
    let cancellable = [3, 0, 1].publisher.scheduled {
      LateStage(scheduler: scheduler) { $0 == 0 ? .zero : .seconds($0) }
    }.sink(
      receiveCompletion: { _ in trace.append("finished at \(scheduler.now.nanoseconds / 1_000_000_000)") },
      receiveValue: { trace.append("\($0) at \(scheduler.now.nanoseconds / 1_000_000_000)") })
    try scheduler.run()
    #expect(trace == ["3 at 3", "0 at 3", "1 at 3", "finished at 3"])
    cancellable.cancel()
  }

  @Test func `A scheduled value that is left out is replaced by one more`() throws {
    let scheduler = VirtualTimeScheduler()
    let recorder = Recorder<Int, Never>(demand: .max(1))
    [-1, -2, 5, 6].publisher.scheduled { LateStage(scheduler: scheduler) { _ in .zero } }.subscribe(recorder)
    try scheduler.run()
    #expect(recorder.values == [5])
  }

  @Test func `A cancel frees what waits for the scheduler`() throws {
    let scheduler = VirtualTimeScheduler()
    var cancellable: AnyCancellable?
    weak var kept: PairsStage<Never>?
    do {
      let value = PairsStage<Never>()
      kept = value
      cancellable = Just(1).scheduled { [value] in
        LateStage(scheduler: scheduler) {
          _ = value
          return .seconds($0)
        }
      }.sink { _ in }
    }
    #expect(kept != nil)
    cancellable?.cancel()
    cancellable = nil
    try scheduler.run()
    #expect(kept == nil)
  }

  @Test(arguments: [1, 2, 3])
  func `A rule lets publishers follow, and each is asked for the rest`(_ times: Int) {
    let upstream = [1, 2].publisher
    let recorder = Recorder<Int, Never>(demand: .max(3))
    upstream.followed { AgainRule(upstream: upstream, times: times) }.subscribe(recorder)
    #expect(recorder.values == Array([1, 2, 1].prefix(2 * times)))
    recorder.request(.unlimited)
    #expect(recorder.values == (0..<times).flatMap { _ in [1, 2] })
    #expect(recorder.completions.count == 1)
  }

  @Test(arguments: 1...5)
  func `However many publishers follow, none delivers what has not been requested`(_ step: Int) {
    let upstream = [1, 2].publisher
    let recorder = Recorder<Int, Never>(demand: .max(step))
    upstream.followed { AgainRule(upstream: upstream, times: 4) }.subscribe(recorder)
    for count in stride(from: step, to: 8, by: step) {
      #expect(recorder.values.count == count)
      #expect(recorder.completions.isEmpty)
      recorder.request(.max(step))
    }
    #expect(recorder.values == [1, 2, 1, 2, 1, 2, 1, 2])
    #expect(recorder.isFinished)
    #expect(recorder.complaints.isEmpty)
  }

  @Test func `A hundred thousand publishers that follow each other leave the stack as it was`() {
    var count = 0
    let cancellable = Just(1).followed { AgainRule(upstream: Just(1), times: 100_000) }.sink { count += $0 }
    #expect(count == 100_000)
    cancellable.cancel()
  }

  @Test func `A source makes what is asked for, and ends as its stage says`() {
    let recorder = Recorder<Int, TestError>(demand: .max(2))
    Publishers.source { CountStage(end: 3, ending: .failure(TestError.oops)) }.subscribe(recorder)
    #expect(recorder.values == [1, 2] && recorder.completions.isEmpty)
    recorder.request(.max(1))
    #expect(recorder.values == [1, 2, 3])
    #expect(recorder.completions.count == 1)
  }

  @Test func `A source without outputs ends without a request`() {
    let recorder = Recorder<Int, Never>(demand: nil)
    Publishers.source { CountStage(end: 0) }.subscribe(recorder)
    #expect(recorder.completions.count == 1)
  }
}

/// A stream of text in closures.
private struct TextLog: TextOutputStream {
  let write: (String) -> Void

  init(_ write: @escaping (String) -> Void) { self.write = write }

  mutating func write(_ string: String) { write(string) }
}
