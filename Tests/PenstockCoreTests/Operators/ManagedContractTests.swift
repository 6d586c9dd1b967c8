// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// The rules of every stream, for operators between a source of the library and a subscriber.
@Suite struct ManagedContractTests {
  /// An operator that forwards the numbers from 1 on.
  struct Operator: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let apply: @Sendable (AnyPublisher<Int, TestError>) -> AnyPublisher<Int, any Error>

    init<P: Publisher<Int, any Error> & SendableMetatype>(
      _ name: String, _ apply: @escaping @Sendable (AnyPublisher<Int, TestError>) -> P
    ) {
      testDescription = name
      self.apply = { apply($0).eraseToAnyPublisher() }
    }
  }

  static let operators: [Operator] = [
    Operator("tryMap") { $0.tryMap { $0 } },
    Operator("tryScan") { $0.tryScan(0) { $1 } },
    Operator("tryFilter") { $0.tryFilter { $0 > 0 } },
    Operator("tryCompactMap") { $0.tryCompactMap { $0 } },
    Operator("removeDuplicates") { $0.removeDuplicates().mapError { $0 } },
    Operator("tryRemoveDuplicates") { $0.tryRemoveDuplicates(by: ==) },
    Operator("dropFirst") { $0.dropFirst(0).mapError { $0 } },
    Operator("drop(while:)") { $0.drop { $0 < 0 }.mapError { $0 } },
    Operator("tryDrop(while:)") { $0.tryDrop { $0 < 0 } },
    Operator("prefix") { $0.prefix(.max).mapError { $0 } },
    Operator("prefix(while:)") { $0.prefix { $0 > 0 }.mapError { $0 } },
    Operator("tryPrefix(while:)") { $0.tryPrefix { $0 > 0 } },
    Operator("decode") { $0.decode(type: Int.self, decoder: NumberDecoder()) },
    Operator("print") { $0.print(to: Nowhere()).mapError { $0 } },
    Operator("handleEvents") { $0.handleEvents(receiveOutput: { _ in }).mapError { $0 } },
  ]

  private struct Nowhere: TextOutputStream {
    func write(_ text: String) {}
  }

  @Test(arguments: operators)
  func `A sink behind it gets what a subject sends, up to its cancel`(_ candidate: Operator) {
    let subject = PassthroughSubject<Int, TestError>()
    var values: [Int] = []
    let cancellable = candidate.apply(subject.eraseToAnyPublisher())
      .sink(receiveCompletion: { _ in Issue.record("a completion") }, receiveValue: { values.append($0) })
    subject.send(1)
    subject.send(2)
    cancellable.cancel()
    subject.send(3)
    subject.send(completion: .finished)
    #expect(values == [1, 2])
  }

  @Test(arguments: operators)
  func `No delivery starts after a cancel from another thread`(_ candidate: Operator) {
    let subject = PassthroughSubject<Int, TestError>()
    let recorder = Recorder<Int, any Error>()
    recorder.onValue = { value in
      if value == 1 { elsewhere { recorder.cancel() } }
      return .none
    }
    candidate.apply(subject.eraseToAnyPublisher()).subscribe(recorder)
    for value in 1...3 { subject.send(value) }
    subject.send(completion: .finished)
    #expect(recorder.values == [1])
    #expect(recorder.completions.isEmpty)
  }

  @Test(arguments: operators)
  func `Cancels from many threads race with a completion`(_ candidate: Operator) {
    for _ in 0..<100 {
      let subject = PassthroughSubject<Int, TestError>()
      let count = Locked(0)
      let cancellable = candidate.apply(subject.eraseToAnyPublisher())
        .sink(receiveCompletion: { _ in count.change { $0 += 1 } }, receiveValue: { _ in })
      onThreads([
        { subject.send(completion: .finished) }, { cancellable.cancel() }, { cancellable.cancel() },
      ])
      #expect(count.value <= 1)
    }
  }

  @Test(arguments: operators)
  func `A value sent during a delivery nests`(_ candidate: Operator) {
    let subject = PassthroughSubject<Int, TestError>()
    let recorder = Recorder<Int, any Error>()
    recorder.onValue = { value in
      if value < 3 { subject.send(value + 1) }
      return .none
    }
    candidate.apply(subject.eraseToAnyPublisher()).subscribe(recorder)
    subject.send(1)
    #expect(recorder.values == [1, 2, 3])
  }

  @Test(arguments: operators)
  func `A hundred thousand values asked for one by one leave the stack as it was`(_ candidate: Operator) {
    let count = Locked(0)
    let ended = Locked(false)
    onSmallStack {
      let numbers = Publishers.Sequence<ClosedRange<Int>, TestError>(sequence: 1...100_000)
      let recorder = Recorder<Int, any Error>(demand: .max(1))
      recorder.onValue = { [unowned recorder] _ in
        count.change { $0 += 1 }
        recorder.request(.max(1))
        return .none
      }
      candidate.apply(numbers.eraseToAnyPublisher()).subscribe(recorder)
      ended.change { $0 = recorder.isFinished }
    }
    #expect(count.value == 100_000)
    #expect(ended.value)
  }

  @Test(arguments: operators, ["finish", "fail", "cancel", "drop"])
  func `What a sink behind it holds is freed at the end`(_ candidate: Operator, _ end: String) {
    var graveyard = Graveyard()
    let subject = PassthroughSubject<Int, TestError>()
    var cancellable: AnyCancellable?
    do {
      let canary = graveyard.watch(Canary(), "closure")
      cancellable = candidate.apply(subject.eraseToAnyPublisher())
        .sink(receiveCompletion: { _ in }, receiveValue: { _ in withExtendedLifetime(canary) {} })
    }
    subject.send(1)
    #expect(graveyard.survivors == ["closure"])
    switch end {
    case "finish": subject.send(completion: .finished)
    case "fail": subject.send(completion: .failure(.oops))
    case "cancel": cancellable?.cancel()
    default: cancellable = nil
    }
    #expect(graveyard.survivors.isEmpty)
    cancellable = nil
  }
}
