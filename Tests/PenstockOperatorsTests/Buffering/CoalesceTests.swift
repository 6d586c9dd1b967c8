// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import PenstockTesting
import TestSupport
import Testing

@Suite struct CoalesceTests {
  let source = ManualPublisher<Int, TestError>()

  /// The merged text shows the values, in the order in which they were merged.
  private func texts(demand: Subscribers.Demand?) -> Recorder<String, TestError> {
    let recorder = Recorder<String, TestError>(demand: demand)
    source.map(String.init).coalesce { $0 + "+" + $1 }.subscribe(recorder)
    return recorder
  }

  private func lists(demand: Subscribers.Demand?) -> Recorder<[Int], TestError> {
    let recorder = Recorder<[Int], TestError>(demand: demand)
    source.coalesce(into: []) { $0.append($1) }.subscribe(recorder)
    return recorder
  }

  private func send(_ values: Int...) { for value in values { #expect(source.send(value) == .none) } }

  @Test func `Everything is requested, and nothing is merged while there is demand`() {
    let recorder = texts(demand: .unlimited)
    send(1, 2, 3)
    #expect(recorder.values == ["1", "2", "3"])
    #expect(source.calls == [.requested(.unlimited)])
    #expect(recorder.subscriptionTexts == ["Coalesce"])
  }

  @Test func `What comes while none is requested becomes one value`() {
    let recorder = texts(demand: .max(1))
    send(1, 2, 3, 4)
    #expect(recorder.values == ["1"])
    recorder.request(.max(2))
    #expect(recorder.values == ["1", "2+3+4"])
    send(5, 6, 7)
    recorder.request(.unlimited)
    send(8)
    #expect(recorder.values == ["1", "2+3+4", "5", "6+7", "8"])
    #expect(recorder.complaints.isEmpty)
  }

  @Test func `Each result begins anew`() {
    let recorder = lists(demand: .max(1))
    send(1, 2, 3)
    recorder.request(.max(1))
    recorder.request(.max(1))
    send(4, 5)
    recorder.request(.max(1))
    #expect(recorder.values == [[1], [2, 3], [4], [5]])
  }

  @Test func `An array that waits is not copied for each value`() {
    // A copy for each value would take minutes.
    let recorder = lists(demand: nil)
    for value in 0..<200_000 { _ = source.send(value) }
    recorder.request(.max(1))
    #expect(recorder.values == [Array(0..<200_000)])
  }

  @Test(arguments: [Subscribers.Completion<TestError>.finished, .failure(.oops)])
  func `The value that waits comes before the completion`(_ completion: Subscribers.Completion<TestError>) {
    let recorder = texts(demand: nil)
    send(1, 2)
    source.send(completion: completion)
    #expect(recorder.completions.isEmpty)
    recorder.request(.max(1))
    #expect(recorder.values == ["1+2"])
    #expect(recorder.completions == [completion])
    let idle = lists(demand: nil)
    source.send(completion: completion)
    #expect(idle.completions == [completion])
  }

  @Test(arguments: [true, false])
  func `Demand from a delivery pays for what waits, without a recursion`(_ isReturned: Bool) {
    let recorder = lists(demand: .max(1))
    recorder.onValue = { values in
      guard values != [4, 5] else { return .none }
      if values == [1] { self.send(2, 3) }
      if values == [2, 3] { self.send(4, 5) }
      if isReturned { return .max(1) }
      recorder.request(.max(1))
      return .none
    }
    send(1)
    // A request within a delivery covers the value that is sent next within it.
    #expect(recorder.values == [[1], [2, 3], [4, 5]])
    #expect(!recorder.hasOverlapped)
    if isReturned { #expect(recorder.isSerial) }
    #expect(recorder.complaints.isEmpty)
  }

  @Test func `What the closure sends comes after its result, and a completion after that`() {
    let subject = PassthroughSubject<Int, TestError>()
    let recorder = Recorder<[Int], TestError>(demand: .max(1))
    subject.coalesce(into: []) { result, value in
      if value == 2 {
        subject.send(3)
        subject.send(completion: .finished)
      }
      result.append(value)
    }.subscribe(recorder)
    subject.send(1)
    subject.send(2)
    #expect(recorder.values == [[1]])
    recorder.request(.unlimited)
    #expect(recorder.values == [[1], [2, 3]])
    #expect(recorder.isFinished)
    let all = Recorder<[Int], TestError>()
    let other = PassthroughSubject<Int, TestError>()
    other.coalesce(into: []) { result, value in
      if value == 1 { other.send(2) }
      result.append(value)
    }.subscribe(all)
    other.send(1)
    #expect(all.values == [[1], [2]])
  }

  @Test func `A cancel drops the value that waits`() {
    var graveyard = Graveyard()
    let subject = PassthroughSubject<Canary, Never>()
    let recorder = Recorder<Canary, Never>(demand: nil)
    subject.coalesce { $1 }.subscribe(recorder)
    for _ in 0..<2 { subject.send(graveyard.watch(Canary())) }
    recorder.cancel()
    #expect(graveyard.survivors.isEmpty)
    subject.send(Canary())
    recorder.request(.unlimited)
    #expect(recorder.values.isEmpty)
  }

  @Test func `A cancel within the closure is the last that happens`() {
    let recorder = Recorder<Int, TestError>(demand: .max(1))
    source.coalesce { first, second in
      recorder.cancel()
      return first + second
    }.subscribe(recorder)
    send(1, 2, 3)
    recorder.request(.max(5))
    #expect(recorder.values == [1])
    send(4)
    #expect(source.calls == [.requested(.unlimited), .cancelled])
  }

  enum Step: CaseIterable { case send, requestOne, requestTwo, finish, fail }

  @Test func `Every course of six events goes as in the model`() {
    var course: [Step] = []
    func check() -> Bool {
      let source = ManualPublisher<Int, TestError>()
      let recorder = Recorder<[Int], TestError>(demand: nil)
      defer { recorder.releaseSubscriptions() }
      source.coalesce(into: []) { $0.append($1) }.subscribe(recorder)
      var (waiting, demand): ([Int], Int) = ([], 0)
      var ending: Subscribers.Completion<TestError>?
      var hasEnded = false
      var events: [Event<[Int], TestError>] = [.subscription("Coalesce")]
      for (number, step) in course.enumerated() {
        switch step {
        case .send:
          if ending == nil { waiting.append(number) }
          _ = source.send(number)
        case .requestOne, .requestTwo:
          let count = step == .requestOne ? 1 : 2
          demand += count
          recorder.request(.max(count))
        case .finish, .fail:
          let completion: Subscribers.Completion<TestError> = step == .finish ? .finished : .failure(.oops)
          ending = ending ?? completion
          source.send(completion: completion)
        }
        if demand > 0, !waiting.isEmpty {
          demand -= 1
          events.append(.value(waiting))
          waiting = []
        }
        if waiting.isEmpty, !hasEnded, let ending {
          hasEnded = true
          events.append(.completion(ending))
        }
      }
      return recorder.events == events
    }
    func extend() -> Bool {
      if !check() {
        Issue.record("\(course)")
        return false
      }
      guard course.count < 6 else { return true }
      for step in Step.allCases {
        course.append(step)
        defer { course.removeLast() }
        guard extend() else { return false }
      }
      return true
    }
    #expect(extend())
  }

  @Test func `Beside requests on two threads values are merged in order, and none is lost`() {
    for _ in 0..<200 {
      let subject = PassthroughSubject<Int, Never>()
      let recorder = Recorder<[Int], Never>(demand: nil)
      subject.coalesce(into: []) { $0.append($1) }.subscribe(recorder)
      onThreads([
        {
          for value in 0..<300 { subject.send(value) }
          subject.send(completion: .finished)
        },
        { for _ in 0..<100 { recorder.request(.max(1)) } },
        { for _ in 0..<100 { recorder.request(.max(1)) } },
      ])
      recorder.request(.unlimited)
      #expect(Array(recorder.values.joined()) == Array(0..<300))
      #expect(recorder.values.allSatisfy { !$0.isEmpty })
      #expect(recorder.isFinished)
      #expect(!recorder.hasOverlapped)
      #expect(recorder.complaints.isEmpty)
    }
  }

  @Test func `A subscriber that is slow on another thread gets one value for those that come meanwhile`() {
    let subject = PassthroughSubject<Int, Never>()
    let recorder = Recorder<[Int], Never>(demand: nil)
    let (isDelivering, mayReturn) = (Gate(), Gate())
    recorder.onValue = { values in
      if values == [1] {
        isDelivering.open()
        mayReturn.wait()
        return .max(1)
      }
      return .none
    }
    subject.coalesce(into: []) { $0.append($1) }.subscribe(recorder)
    subject.send(1)
    onThreads([
      { recorder.request(.max(1)) },
      {
        isDelivering.wait()
        for value in 2...1_000 { subject.send(value) }
        mayReturn.open()
      },
    ])
    #expect(recorder.values == [[1], Array(2...1_000)])
    #expect(!recorder.hasOverlapped)
  }
}
