// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import TestSupport
import Testing

@Suite struct TakeLastTests {
  private func attach(_ count: Int, _ recorder: Recorder<Int, TestError>) -> ManualPublisher<Int, TestError> {
    let publisher = ManualPublisher<Int, TestError>()
    publisher.takeLast(count).subscribe(recorder)
    return publisher
  }

  @Test(
    arguments: [
      (0, 3, []), (1, 0, []), (1, 3, [3]), (2, 1, [1]), (2, 2, [1, 2]), (2, 5, [4, 5]), (.max, 2, [1, 2]),
    ] as [(Int, Int, [Int])])
  func `The last values come when upstream finishes`(_ count: Int, _ sent: Int, _ expected: [Int]) {
    let recorder = Recorder<Int, TestError>()
    let publisher = attach(count, recorder)
    for value in 0..<sent { #expect(publisher.send(value + 1) == .none) }
    #expect(recorder.values.isEmpty)
    publisher.send(completion: .finished)
    #expect(recorder.events == [.subscription("TakeLast")] + expected.map { .value($0) } + [.completion(.finished)])
    #expect(publisher.calls == [.requested(.unlimited)])
  }

  @Test func `Values wait until they are requested, and the completion behind them`() {
    let recorder = Recorder<Int, TestError>(demand: nil)
    let publisher = attach(3, recorder)
    #expect(publisher.calls == [.requested(.unlimited)])
    for value in 1...5 { publisher.send(value) }
    recorder.request(.max(1))
    publisher.send(completion: .finished)
    #expect(recorder.values == [3])
    recorder.request(.max(1))
    #expect(recorder.values == [3, 4])
    #expect(recorder.completions.isEmpty)
    recorder.request(.max(1))
    #expect(recorder.values == [3, 4, 5])
    #expect(recorder.isFinished)
  }

  @Test func `The end of a stream without values needs no demand`() {
    let recorder = Recorder<Int, TestError>(demand: nil)
    attach(2, recorder).send(completion: .finished)
    #expect(recorder.events == [.subscription("TakeLast"), .completion(.finished)])
  }

  @Test func `Demand that a delivery returns or requests lets the next value out, without growing the stack`() {
    for returns in [true, false] {
      onSmallStack {
        let recorder = Recorder<Int, Never>(demand: .max(1))
        recorder.onValue = { [unowned recorder] _ in
          if !returns { recorder.request(.max(1)) }
          return returns ? .max(1) : .none
        }
        (1...100_000).publisher.takeLast(100_000).subscribe(recorder)
        #expect(recorder.values.count == 100_000)
        #expect(recorder.isFinished)
      }
    }
  }

  @Test func `A failure drops the values`() {
    let recorder = Recorder<Int, TestError>()
    let publisher = attach(2, recorder)
    publisher.send(1)
    publisher.send(completion: .failure(.oops))
    #expect(recorder.events == [.subscription("TakeLast"), .completion(.failure(.oops))])
  }

  @Test(arguments: 0...3)
  func `A cancel while values are delivered drops the rest`(_ count: Int) {
    let recorder = Recorder<Int, TestError>(demand: count == 0 ? nil : .unlimited)
    recorder.onValue = { [unowned recorder] value in
      if value == count { recorder.cancel() }
      return .none
    }
    let publisher = attach(3, recorder)
    for value in 1...3 { publisher.send(value) }
    publisher.send(completion: .finished)
    if count == 0 { recorder.cancel() }
    recorder.request(.unlimited)
    #expect(recorder.values == Array([1, 2, 3].prefix(count)))
    #expect(recorder.completions.isEmpty)
  }

  @Test func `A cancel before the end goes upstream once, and nothing comes afterwards`() {
    let recorder = Recorder<Int, TestError>()
    let publisher = attach(2, recorder)
    publisher.send(1)
    recorder.cancel()
    recorder.cancel()
    publisher.send(completion: .finished)
    #expect(recorder.events == [.subscription("TakeLast")])
    #expect(publisher.calls == [.requested(.unlimited), .cancelled])
  }

  @Test func `A negative count traps`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = PassthroughSubject<Int, Never>().takeLast(-1)
    }
    expectMessage(result, "takeLast(_:) takes a count of 0 or more")
  }

  @Test func `Asking for nothing traps`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      PassthroughSubject<Int, Never>().takeLast(1).subscribe(Recorder<Int, Never>(demand: .some(.none)))
    }
    expectMessage(result, "request(.none)")
  }

  @Test func `Requests of several threads deliver each value once, in order, and one at a time`() {
    for _ in 0..<100 {
      let probe = Recorder<Int, Never>(demand: nil)
      let subject = PassthroughSubject<Int, Never>()
      subject.takeLast(8).subscribe(probe)
      for value in 1...8 { subject.send(value) }
      onThreads(3) { thread in
        if thread == 0 { subject.send(completion: .finished) } else { for _ in 1...4 { probe.request(.max(1)) } }
      }
      #expect(!probe.hasOverlapped)
      #expect(probe.values == Array(1...8))
      #expect(probe.completions.count == 1)
    }
  }

  @Test func `A cancel that races with the deliveries leaves a beginning of them`() {
    for _ in 0..<100 {
      let recorder = Recorder<Int, Never>(demand: .max(2))
      let subject = PassthroughSubject<Int, Never>()
      subject.takeLast(4).subscribe(recorder)
      for value in 1...4 { subject.send(value) }
      onThreads([
        { subject.send(completion: .finished) }, { recorder.request(.max(2)) }, { recorder.cancel() },
      ])
      #expect([1, 2, 3, 4].starts(with: recorder.values))
      let events = recorder.events
      recorder.request(.unlimited)
      #expect(recorder.events == events)
    }
  }

  @Test(arguments: ["finish", "fail", "cancel", "hold, then cancel", "hold, then drop"])
  func `At most the last values are kept, and nothing when the stream is over`(_ end: String) {
    var graveyard = Graveyard()
    do {
      let subject = graveyard.watch(PassthroughSubject<Canary, TestError>(), "subject")
      let recorder = Recorder<Int, TestError>(demand: end.hasPrefix("hold") ? nil : .unlimited)
      subject.takeLast(2).map { _ in 1 }.subscribe(recorder)
      for index in 0..<4 { subject.send(graveyard.watch(Canary(), "value \(index)")) }
      #expect(graveyard.survivors == ["subject", "value 2", "value 3"])
      switch end {
      case "fail": subject.send(completion: .failure(.oops))
      case "cancel": recorder.cancel()
      default: subject.send(completion: .finished)
      }
      if end == "hold, then cancel" { recorder.cancel() }
      if end == "hold, then drop" {
        #expect(graveyard.survivors == ["subject", "value 2", "value 3"])
        recorder.releaseSubscriptions()
      }
      if end != "cancel" { #expect(graveyard.survivors == ["subject"]) }
      recorder.releaseSubscriptions()
    }
    #expect(graveyard.survivors.isEmpty)
  }

  /// A value that sends another one to its subject when it is deinitialised.
  private final class Echo: Sendable {
    let number: Int
    private let subject: Locked<PassthroughSubject<Echo, Never>?>

    init(_ number: Int, to subject: Locked<PassthroughSubject<Echo, Never>?>) {
      self.number = number
      self.subject = subject
    }

    deinit {
      if number > 0 { subject.value?.send(Echo(0, to: subject)) }
    }
  }

  @Test func `A value that drops out may send when it dies`() {
    for _ in 0..<100 {
      let subject = Locked<PassthroughSubject<Echo, Never>?>(PassthroughSubject())
      var values: [Int] = []
      let cancellable = subject.value?.takeLast(2).sink { values.append($0.number) }
      for number in 1...5 { subject.value?.send(Echo(number, to: subject)) }
      subject.value?.send(completion: .finished)
      subject.change { $0 = nil }
      cancellable?.cancel()
      #expect(values.count == 2)
    }
  }
}
