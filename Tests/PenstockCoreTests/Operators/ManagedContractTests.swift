// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// The rules of every stream, for operators between a source of the library and a subscriber.
///
/// They get values from 2 on, which each of them forwards.
@Suite struct ManagedContractTests {
  static let operators = OperatorSpec.managed + [OperatorSpec("dropFirst(0)") { $0.dropFirst(0) }]

  @Test(arguments: operators)
  func `A sink behind it gets what a subject sends, up to its cancel`(_ spec: OperatorSpec) {
    let subject = PassthroughSubject<Int, TestError>()
    var values: [Int] = []
    let cancellable = spec.apply(subject.eraseToAnyPublisher())
      .sink(receiveCompletion: { _ in Issue.record("a completion") }, receiveValue: { values.append($0) })
    subject.send(2)
    subject.send(3)
    cancellable.cancel()
    subject.send(5)
    subject.send(completion: .finished)
    #expect(values.map(String.init) == spec.outputs)
  }

  @Test(arguments: operators)
  func `No delivery starts after a cancel from another thread`(_ spec: OperatorSpec) {
    let subject = PassthroughSubject<Int, TestError>()
    let recorder = Recorder<Int, TestError>()
    recorder.onValue = { _ in
      if recorder.values.count == 1 { elsewhere { recorder.cancel() } }
      return .none
    }
    spec.apply(subject.eraseToAnyPublisher()).subscribe(recorder)
    for value in [2, 3, 5] { subject.send(value) }
    subject.send(completion: .finished)
    #expect(recorder.values.map(String.init) == Array(spec.outputs.prefix(1)))
    #expect(recorder.completions.isEmpty)
  }

  @Test(arguments: operators)
  func `Cancels from many threads race with a completion`(_ spec: OperatorSpec) {
    for _ in 0..<100 {
      let subject = PassthroughSubject<Int, TestError>()
      let count = Locked(0)
      let cancellable = spec.apply(subject.eraseToAnyPublisher())
        .sink(receiveCompletion: { _ in count.change { $0 += 1 } }, receiveValue: { _ in })
      onThreads([
        { subject.send(completion: .finished) }, { cancellable.cancel() }, { cancellable.cancel() },
      ])
      #expect(count.value <= 1)
    }
  }

  @Test(arguments: operators)
  func `A value sent during a delivery nests`(_ spec: OperatorSpec) {
    let subject = PassthroughSubject<Int, TestError>()
    let recorder = Recorder<Int, TestError>()
    var next = [3, 5]
    recorder.onValue = { _ in
      if !next.isEmpty { subject.send(next.removeFirst()) }
      return .none
    }
    spec.apply(subject.eraseToAnyPublisher()).subscribe(recorder)
    subject.send(2)
    #expect(recorder.values.count == 3)
    #expect(recorder.values.prefix(2).map(String.init) == spec.outputs)
  }

  @Test(arguments: operators)
  func `Tens of thousands of values asked for one by one leave the stack as it was`(_ spec: OperatorSpec) {
    let sent = 100_000.sampled(oneIn: 5)
    let (count, expected) = (Locked(0), Locked(0))
    let ended = Locked(false)
    onSmallStack {
      let numbers = Publishers.Sequence<ClosedRange<Int>, TestError>(sequence: 1...sent)
      let all = Recorder<Int, TestError>()
      spec.apply(numbers.eraseToAnyPublisher()).subscribe(all)
      expected.change { $0 = all.values.count }
      let recorder = Recorder<Int, TestError>(demand: .max(1))
      recorder.onValue = { [unowned recorder] _ in
        count.change { $0 += 1 }
        recorder.request(.max(1))
        return .none
      }
      spec.apply(numbers.eraseToAnyPublisher()).subscribe(recorder)
      ended.change { $0 = recorder.isFinished }
    }
    #expect(count.value >= sent / 4 * 3)
    #expect(count.value == expected.value)
    #expect(ended.value)
  }

  @Test(arguments: operators, ["finish", "fail", "cancel", "drop"])
  func `What a sink behind it holds is freed at the end`(_ spec: OperatorSpec, _ end: String) {
    var graveyard = Graveyard()
    let subject = PassthroughSubject<Int, TestError>()
    var cancellable: AnyCancellable?
    do {
      let canary = graveyard.watch(Canary(), "closure")
      cancellable = spec.apply(subject.eraseToAnyPublisher())
        .sink(receiveCompletion: { _ in }, receiveValue: { _ in withExtendedLifetime(canary) {} })
    }
    subject.send(2)
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
