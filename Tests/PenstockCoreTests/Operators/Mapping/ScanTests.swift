// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

@Suite struct ScanTests {
  private let source = ManualPublisher<Int, TestError>()

  @Test(arguments: [0, 1, 4])
  func `The result so far follows each value, and the initial one none`(_ count: Int) {
    let recorder = Recorder<Int, Never>()
    Publishers.Scan(upstream: (0..<count).publisher, initialResult: 100, nextPartialResult: +).subscribe(recorder)
    #expect(recorder.values == Array([100, 101, 103, 106].prefix(count)))
    #expect(recorder.isFinished)
  }

  @Test func `Every subscriber starts anew`() {
    let (first, second) = (Recorder<[Int], TestError>(), Recorder<[Int], TestError>())
    let scanned = source.scan([]) { $0 + [$1] }
    scanned.subscribe(first)
    source.send(1)
    scanned.subscribe(second)
    source.send(2)
    #expect(first.values == [[1]])
    #expect(second.values == [[2]])
  }

  @Test func `The mirror shows the result so far`() {
    source.scan(0, +).subscribe(Recorder<Int, TestError>())
    source.send(3)
    source.send(4)
    let result = source.subscribers[0].customMirror.descendant("result")
    #expect(result as? Int == 7)
  }

  @Test func `A result that a value made in passing is the next one's start`() {
    let subject = PassthroughSubject<Int, Never>()
    let recorder = Recorder<Int, Never>()
    recorder.onValue = { value in
      if value == 1 { subject.send(10) }
      return .none
    }
    subject.scan(0, +).subscribe(recorder)
    subject.send(1)
    subject.send(100)
    #expect(recorder.values == [1, 11, 111])
  }

  @Test func `The state of tryScan stays subscribed when upstream completes`() {
    source.tryScan(0, +).subscribe(Recorder<Int, any Error>())
    let status = { self.source.subscribers[0].customMirror.descendant("status") }
    let before = String(describing: status() as Any)
    source.send(completion: .finished)
    #expect(String(describing: status() as Any) == before)
    #expect(source.subscription?.calls == [.requested(.unlimited)])
  }
}
