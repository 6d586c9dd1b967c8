// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import TestSupport
import Testing

@Suite struct IntersperseTests {
  private typealias Reader = Recorder<Int, TestError>

  private func attach(_ recorder: Reader) -> ManualPublisher<Int, TestError> {
    let publisher = ManualPublisher<Int, TestError>()
    publisher.intersperse(0).subscribe(recorder)
    return publisher
  }

  @Test(arguments: [([], []), ([1], [1]), ([1, 2], [1, 0, 2]), ([1, 2, 3], [1, 0, 2, 0, 3])] as [([Int], [Int])])
  func `A separator stands between two values`(_ inputs: [Int], _ expected: [Int]) {
    let recorder = Reader()
    let publisher = attach(recorder)
    inputs.forEach { publisher.send($0) }
    publisher.send(completion: .finished)
    #expect(recorder.values == expected)
    #expect(recorder.completions == [.finished])
    #expect(publisher.calls == [.requested(.unlimited)])
  }

  @Test func `One value is requested at a time, when nothing is held and demand is left`() {
    let recorder = Reader(demand: .max(4))
    let publisher = attach(recorder)
    #expect(publisher.calls == [.requested(.max(1))])
    // 1; 0, 2; 0 and a 3 that waits.
    #expect([1, 2, 3].map { publisher.send($0) } == [.max(1), .max(1), .none])
    #expect(recorder.values == [1, 0, 2, 0])
    recorder.request(.max(1))
    #expect(recorder.values == [1, 0, 2, 0, 3])
    #expect(publisher.calls == [.requested(.max(1))])
    recorder.request(.max(1))
    #expect(publisher.calls == [.requested(.max(1)), .requested(.max(1))])
    recorder.request(.max(1))
    #expect(publisher.calls.count == 2, "a value is awaited")
    #expect(publisher.send(4) == .none)
    #expect(recorder.values == [1, 0, 2, 0, 3, 0, 4])
  }

  @Test func `Unlimited demand is requested once, however late it comes`() {
    let recorder = Reader(demand: .max(1))
    let publisher = attach(recorder)
    recorder.request(.unlimited)
    recorder.request(.unlimited)
    #expect(publisher.calls == [.requested(.max(1))])
    #expect([1, 2, 3].map { publisher.send($0) } == [.unlimited, .none, .none])
    recorder.request(.max(1))
    #expect(publisher.calls == [.requested(.max(1))])
    #expect(recorder.values == [1, 0, 2, 0, 3])
  }

  @Test func `Demand that comes one by one, returned or requested, does not grow the stack`() {
    for returns in [true, false] {
      onSmallStack {
        let recorder = Recorder<Int, Never>(demand: .max(1))
        recorder.onValue = { [unowned recorder] _ in
          if !returns { recorder.request(.max(1)) }
          return returns ? .max(1) : .none
        }
        (1...100_000).publisher.intersperse(0).subscribe(recorder)
        #expect(recorder.values.count == 199_999)
        #expect(recorder.values.last == 100_000)
        #expect(recorder.isFinished)
      }
    }
  }

  @Test func `A value that arrives while a separator is delivered comes behind both`() {
    let recorder = Reader()
    let publisher = attach(recorder)
    recorder.onValue = { value in
      if value == 0, recorder.values.count == 2 { publisher.send(3) }
      return .none
    }
    publisher.send(1)
    publisher.send(2)
    #expect(recorder.values == [1, 0, 2, 0, 3])
  }

  @Test(arguments: [Subscribers.Completion<TestError>.finished, .failure(.oops)])
  func `The completion comes behind the value that waits`(_ completion: Subscribers.Completion<TestError>) {
    let recorder = Reader(demand: .max(2))
    let publisher = attach(recorder)
    publisher.send(1)
    publisher.send(2)
    publisher.send(completion: completion)
    #expect(recorder.values == [1, 0])
    #expect(recorder.completions.isEmpty)
    recorder.request(.max(1))
    #expect(recorder.values == [1, 0, 2])
    #expect(recorder.completions == [completion])
  }

  @Test(arguments: 0...4)
  func `A cancel goes upstream once, and nothing comes afterwards`(_ count: Int) {
    let recorder = Reader(demand: .max(5))
    let publisher = attach(recorder)
    recorder.onValue = { [unowned recorder] _ in
      if recorder.values.count == count { recorder.cancel() }
      return .none
    }
    if count == 0 { recorder.cancel() }
    for value in 1...3 { publisher.send(value) }
    publisher.send(completion: .finished)
    recorder.request(.max(1))
    #expect(recorder.values.count == count)
    #expect(recorder.completions.isEmpty)
    #expect(publisher.subscription?.cancellations == 1)
  }

  @Test func `Several threads request what upstream delivers, one value at a time`() {
    for _ in 0..<100 {
      let probe = Recorder<Int, Never>(demand: nil)
      (1...100).publisher.intersperse(0).subscribe(probe)
      onThreads(3) { _ in
        for _ in 0..<20 { probe.request(.max(1)) }
      }
      #expect(!probe.hasOverlapped)
      #expect(probe.values.count == 60)
      #expect(probe.values == (0..<60).map { $0.isMultiple(of: 2) ? $0 / 2 + 1 : 0 })
    }
  }

  @Test(arguments: ["finish", "fail", "cancel", "hold, then cancel"])
  func `Nothing is left when the stream is over`(_ end: String) {
    var graveyard = Graveyard()
    let holds = end.hasPrefix("hold")
    do {
      let subject = graveyard.watch(PassthroughSubject<Int, TestError>(), "subject")
      let recorder = graveyard.watch(Reader(demand: holds ? .max(2) : .unlimited), "subscriber")
      subject.intersperse(0).subscribe(recorder)
      subject.send(1)
      subject.send(2)
      switch end {
      case "finish": subject.send(completion: .finished)
      case "fail": subject.send(completion: .failure(.oops))
      default: recorder.cancel()
      }
      recorder.releaseSubscriptions()
    }
    #expect(graveyard.survivors.isEmpty)
  }
}
