// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import TestSupport
import Testing

@Suite struct EventFilterTests {
  private typealias Number = Subscribers.Event<Int, TestError>

  private let events = ManualPublisher<Number, TestError>()

  private func sendAll() -> [Subscribers.Demand] {
    [.value(1), .completion(.finished), .value(2), .completion(.failure(.oops)), .value(3)].map { events.send($0) }
  }

  @Test func `Values are taken out of events, and each completion is replaced by a further request`() {
    let recorder = Recorder<Int, TestError>(demand: .max(2), answering: .max(3))
    events.values().subscribe(recorder)
    #expect(sendAll() == [.max(3), .max(1), .max(3), .max(1), .max(3)])
    #expect(recorder.values == [1, 2, 3])
    #expect(recorder.completions.isEmpty)
    #expect(events.calls == [.requested(.max(2))])
  }

  @Test func `Failures are taken out of events, and each other event is replaced by a further request`() {
    let recorder = Recorder<TestError, TestError>(demand: .max(2), answering: .max(3))
    events.failures().subscribe(recorder)
    #expect(sendAll() == [.max(1), .max(1), .max(1), .max(3), .max(1)])
    #expect(recorder.values == [.oops])
    #expect(events.calls == [.requested(.max(2))])
  }

  @Test(arguments: [Subscribers.Completion<TestError>.finished, .failure(.oops)])
  func `The completion of the stream of events is forwarded`(_ completion: Subscribers.Completion<TestError>) {
    let (values, failures) = (Recorder<Int, TestError>(), Recorder<TestError, TestError>())
    events.values().subscribe(values)
    events.send(completion: completion)
    events.failures().subscribe(failures)
    events.send(completion: completion)
    #expect(values.completions == [completion])
    #expect(failures.completions == [completion])
  }

  @Test func `A value that is nil is a value`() {
    let recorder = Recorder<Int?, Never>()
    let optionals: [Subscribers.Event<Int?, TestError>] = [.value(nil), .value(1)]
    optionals.publisher.values().subscribe(recorder)
    #expect(recorder.values == [nil, 1])
  }

  @Test func `The values of materialized events are those of the stream, whatever its end`() {
    for completion in [Subscribers.Completion<TestError>.finished, .failure(.oops)] {
      let (values, failures) = (Recorder<Int, Never>(), Recorder<TestError, Never>())
      let stream = Record(output: [1, 2], completion: completion)
      stream.materialize().values().subscribe(values)
      stream.materialize().failures().subscribe(failures)
      #expect(values.values == [1, 2] && values.isFinished)
      #expect(failures.values == (completion == .finished ? [] : [.oops]) && failures.isFinished)
    }
  }

  @Test func `The method is not taken for the asynchronous sequence of the same name`() async {
    var numbers: [Int] = []
    for await number in [Number.value(1), .value(2)].publisher.values().values { numbers.append(number) }
    #expect(numbers == [1, 2])
  }
}
