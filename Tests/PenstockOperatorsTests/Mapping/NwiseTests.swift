// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import TestSupport
import Testing

@Suite struct NwiseTests {
  private func attach(_ size: Int, _ recorder: Recorder<[Int], TestError>) -> ManualPublisher<Int, TestError> {
    let publisher = ManualPublisher<Int, TestError>()
    publisher.nwise(size).subscribe(recorder)
    return publisher
  }

  @Test(
    arguments: [
      (1, [[1], [2], [3], [4]]), (2, [[1, 2], [2, 3], [3, 4]]), (3, [[1, 2, 3], [2, 3, 4]]), (4, [[1, 2, 3, 4]]),
      (5, []),
    ] as [(Int, [[Int]])])
  func `Each value comes with its predecessors`(_ size: Int, _ expected: [[Int]]) {
    let recorder = Recorder<[Int], TestError>()
    let publisher = attach(size, recorder)
    for value in 1...4 { publisher.send(value) }
    publisher.send(completion: .finished)
    #expect(recorder.values == expected)
    #expect(recorder.isFinished)
  }

  @Test func `For each value before the first array one more is requested`() {
    let recorder = Recorder<[Int], TestError>(demand: .max(1), answering: .max(2))
    let publisher = attach(3, recorder)
    #expect((1...4).map { publisher.send($0) } == [.max(1), .max(1), .max(2), .max(2)])
    publisher.send(completion: .failure(.oops))
    #expect(recorder.completions == [.failure(.oops)])
    #expect(publisher.calls == [.requested(.max(1))])
  }

  @Test func `A size below one traps`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Just(1).nwise(0)
    }
    expectMessage(result, "nwise(_:) takes a count of 1 or more")
  }

  @Test func `A value is free when no array can contain it any more`() {
    var graveyard = Graveyard()
    do {
      let subject = PassthroughSubject<Canary, TestError>()
      let cancellable = subject.nwise(2).sink(receiveCompletion: { _ in }, receiveValue: { _ in })
      for index in 0..<4 { subject.send(graveyard.watch(Canary(), "value \(index)")) }
      #expect(graveyard.survivors == ["value 3"])
      cancellable.cancel()
      #expect(graveyard.survivors.isEmpty)
    }
  }

  /// Sends a further value when it ends.
  private final class Sender {
    let number: Int
    let send: () -> Void

    init(_ number: Int, _ send: @escaping () -> Void) {
      self.number = number
      self.send = send
    }

    deinit { send() }
  }

  @Test func `A value that sends when it is released finds the window in order`() {
    let subject = PassthroughSubject<Sender, Never>()
    var received: [[Int]] = []
    let cancellable = subject.nwise(2).sink { received.append($0.map(\.number)) }
    subject.send(Sender(1) { subject.send(Sender(9) {}) })
    subject.send(Sender(2) {})
    subject.send(Sender(3) {})
    #expect(received.first == [1, 2])
    #expect(zip(received, received.dropFirst()).allSatisfy { $0[1] == $1[0] }, "\(received)")
    #expect(Set(received.flatMap { $0 }) == [1, 2, 3, 9])
    withExtendedLifetime(cancellable) {}
  }
}
