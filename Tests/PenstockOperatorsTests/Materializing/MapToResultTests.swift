// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import TestSupport
import Testing

@Suite struct MapToResultTests {
  private typealias Results = Recorder<Result<Int, TestError>, Never>

  private func attach(_ recorder: Results) -> ManualPublisher<Int, TestError> {
    let publisher = ManualPublisher<Int, TestError>()
    publisher.mapToResult().subscribe(recorder)
    return publisher
  }

  @Test func `Values and the failure become results, and the stream finishes`() {
    let recorder = Results()
    let publisher = attach(recorder)
    publisher.send(1)
    publisher.send(completion: .failure(.oops))
    #expect(
      recorder.events == [
        .subscription("MapToResult"), .value(.success(1)), .value(.failure(.oops)), .completion(.finished),
      ])
    #expect(publisher.calls == [.requested(.unlimited)])
  }

  @Test func `A stream that finishes gives no result for it, and needs no demand for it`() {
    let recorder = Results(demand: .max(1))
    let publisher = attach(recorder)
    publisher.send(1)
    publisher.send(completion: .finished)
    #expect(recorder.events == [.subscription("MapToResult"), .value(.success(1)), .completion(.finished)])
  }

  @Test func `The result of a failure waits until it is requested, also in the delivery before it`() {
    let recorder = Results(demand: .max(1))
    let publisher = attach(recorder)
    publisher.send(1)
    publisher.send(completion: .failure(.oops))
    #expect(recorder.values == [.success(1)])
    recorder.request(.max(1))
    #expect(recorder.values == [.success(1), .failure(.oops)])
    #expect(recorder.isFinished)

    let answering = Results(demand: .max(1), answering: .max(1))
    let other = attach(answering)
    #expect(other.send(1) == .max(1))
    other.send(completion: .failure(.oops))
    #expect(answering.values == [.success(1), .failure(.oops)])
  }

  @Test func `After a cancel the waiting result is not delivered, and nothing is left`() {
    var graveyard = Graveyard()
    do {
      let subject = graveyard.watch(PassthroughSubject<Canary, TestError>(), "subject")
      let recorder = graveyard.watch(Recorder<Result<Canary, TestError>, Never>(demand: nil), "subscriber")
      subject.mapToResult().subscribe(recorder)
      subject.send(completion: .failure(.oops))
      recorder.cancel()
      recorder.request(.max(1))
      #expect(recorder.values.isEmpty && recorder.completions.isEmpty)
      recorder.releaseSubscriptions()
    }
    #expect(graveyard.survivors.isEmpty)
  }
}
