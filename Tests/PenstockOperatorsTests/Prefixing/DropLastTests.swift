// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import TestSupport
import Testing

@Suite struct DropLastTests {
  @Test(
    arguments: [
      (0, 3, [1, 2, 3]), (1, 0, []), (1, 1, []), (1, 3, [1, 2]), (2, 5, [1, 2, 3]), (9, 3, []),
    ] as [(Int, Int, [Int])])
  func `All values but the last come, each as soon as it is none of them`(
    _ count: Int, _ sent: Int, _ expected: [Int]
  ) {
    let recorder = Recorder<Int, TestError>()
    let publisher = ManualPublisher<Int, TestError>()
    publisher.dropLast(count).subscribe(recorder)
    for value in 0..<sent {
      publisher.send(value + 1)
      #expect(recorder.values == Array(expected.prefix(max(0, value + 1 - count))))
    }
    publisher.send(completion: .finished)
    #expect(recorder.events == [.subscription("DropLast")] + expected.map { .value($0) } + [.completion(.finished)])
  }

  @Test func `Demand passes, and each value that is kept at first is replaced by one more`() {
    let recorder = Recorder<Int, TestError>(demand: .max(1), answering: .max(3))
    let publisher = ManualPublisher<Int, TestError>()
    publisher.dropLast(2).subscribe(recorder)
    #expect(publisher.send(1) == .max(1))
    #expect(publisher.send(2) == .max(1))
    #expect(publisher.send(3) == .max(3))
    #expect(publisher.calls == [.requested(.max(1))])
    #expect(recorder.values == [1])
  }

  @Test func `Without a number one value is left out`() {
    let recorder = Recorder<Int, Never>()
    (1...3).publisher.dropLast().subscribe(recorder)
    #expect(recorder.values == [1, 2])
  }

  @Test func `A value that arrives during a delivery comes after it`() {
    let recorder = Recorder<Int, Never>()
    let subject = PassthroughSubject<Int, Never>()
    recorder.onValue = { value in
      if value < 4 { subject.send(value + 2) }
      return .none
    }
    subject.dropLast(1).subscribe(recorder)
    subject.send(1)
    subject.send(2)
    #expect(recorder.values == [1, 2, 3, 4])
  }

  @Test(arguments: ["finish", "fail", "cancel"])
  func `No more values are kept than are left out, and none after the end`(_ end: String) {
    var graveyard = Graveyard()
    do {
      let subject = graveyard.watch(PassthroughSubject<Canary, TestError>(), "subject")
      let recorder = Recorder<Int, TestError>()
      subject.dropLast(2).map { _ in 1 }.subscribe(recorder)
      for index in 0..<4 { subject.send(graveyard.watch(Canary(), "value \(index)")) }
      #expect(graveyard.survivors == ["subject", "value 2", "value 3"])
      switch end {
      case "finish": subject.send(completion: .finished)
      case "fail": subject.send(completion: .failure(.oops))
      default: recorder.cancel()
      }
      #expect(recorder.values.count == 2)
      if end != "cancel" { #expect(graveyard.survivors == ["subject"]) }
      recorder.releaseSubscriptions()
    }
    #expect(graveyard.survivors.isEmpty)
  }

  @Test func `A negative count traps`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = PassthroughSubject<Int, Never>().dropLast(-1)
    }
    expectMessage(result, "dropLast(_:) takes a count of 0 or more")
  }
}
