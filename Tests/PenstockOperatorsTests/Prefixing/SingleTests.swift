// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import TestSupport
import Testing

@Suite struct SingleTests {
  private let publisher = ManualPublisher<Int, TestError>()

  private func recorder(demand: Subscribers.Demand? = .unlimited) -> Recorder<Int, TestError> {
    let recorder = Recorder<Int, TestError>(demand: demand)
    publisher.single { TestError("\($0)") }.subscribe(recorder)
    return recorder
  }

  @Test func `The only value comes when upstream finishes`() {
    let recorder = recorder()
    publisher.send(1)
    #expect(recorder.values == [])
    publisher.send(completion: .finished)
    #expect(recorder.events == [.subscription("Single"), .value(1), .completion(.finished)])
  }

  @Test func `No value is a failure, without a request`() {
    let recorder = recorder(demand: nil)
    publisher.send(completion: .finished)
    #expect(recorder.completions == [.failure(TestError("noValue"))])
    #expect(publisher.calls == [])
  }

  @Test func `The second value cancels upstream and is a failure`() {
    let recorder = recorder()
    publisher.send(1)
    #expect(publisher.send(2) == .none)
    publisher.send(3)
    publisher.send(completion: .finished)
    #expect(recorder.values == [])
    #expect(recorder.completions == [.failure(TestError("severalValues"))])
    #expect(publisher.calls == [.requested(.unlimited), .cancelled])
  }

  @Test func `Upstream's own failure is forwarded, and the value dropped`() {
    let recorder = recorder()
    publisher.send(1)
    publisher.send(completion: .failure(.oops))
    #expect(recorder.events == [.subscription("Single"), .completion(.failure(.oops))])
  }

  @Test func `A publisher that cannot fail gets the error of this operator`() {
    func completion(of numbers: ClosedRange<Int>?) -> [Subscribers.Completion<SingleValueError>] {
      let recorder = Recorder<Int, SingleValueError>()
      (numbers.map { Array($0) } ?? []).publisher.single().subscribe(recorder)
      return recorder.completions
    }
    #expect(completion(of: nil) == [.failure(.noValue)])
    #expect(completion(of: 1...1) == [.finished])
    #expect(completion(of: 1...2) == [.failure(.severalValues)])
  }

  @Test func `Values are requested one at a time, when the result is wanted, and two at most`() {
    let recorder = recorder(demand: nil)
    #expect(publisher.calls == [])
    recorder.request(.max(5))
    #expect(publisher.calls == [.requested(.max(1))])
    #expect(publisher.send(1) == .max(1))
    #expect(publisher.send(2) == .none)
    #expect(publisher.calls == [.requested(.max(1)), .cancelled])
  }

  @Test func `A source that is asked for two values alone tells that there are more`() {
    let made = Locked(0)
    let recorder = Recorder<Int, SingleValueError>(demand: .max(1))
    (1...).publisher.handleEvents(receiveOutput: { _ in made.change { $0 += 1 } }).single().subscribe(recorder)
    #expect(made.value == 2)
    #expect(recorder.completions == [.failure(.severalValues)])
  }

  @Test func `A cancel drops the value, and nothing comes`() {
    let recorder = recorder()
    publisher.send(1)
    recorder.cancel()
    recorder.cancel()
    publisher.send(completion: .finished)
    #expect(recorder.events == [.subscription("Single")])
    #expect(publisher.calls == [.requested(.unlimited), .cancelled])
  }

  @Test(arguments: ["finish", "fail", "a second", "cancel"])
  func `Nothing is left in memory`(_ end: String) {
    var graveyard = Graveyard()
    do {
      let subject = graveyard.watch(PassthroughSubject<Canary, TestError>(), "subject")
      let recorder = Recorder<Int, TestError>()
      subject.single { _ in .oops }.map { _ in 1 }.subscribe(recorder)
      subject.send(graveyard.watch(Canary(), "value"))
      #expect(graveyard.survivors == ["subject", "value"])
      switch end {
      case "finish": subject.send(completion: .finished)
      case "fail": subject.send(completion: .failure(.oops))
      case "cancel": recorder.cancel()
      default: subject.send(graveyard.watch(Canary(), "second"))
      }
      if end != "cancel" { #expect(graveyard.survivors == ["subject"]) }
      recorder.releaseSubscriptions()
    }
    #expect(graveyard.survivors.isEmpty)
  }
}
