// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import TestSupport
import Testing

@Suite struct IgnoreFailureTests {
  private struct Other: Error, Equatable {}

  @Test(arguments: [Subscribers.Completion<TestError>.finished, .failure(.oops)])
  func `Whatever the end, the publisher finishes`(_ completion: Subscribers.Completion<TestError>) {
    let recorder = Recorder<Int, Never>(demand: .max(2), answering: .max(1))
    let publisher = ManualPublisher<Int, TestError>()
    publisher.ignoreFailure().subscribe(recorder)
    #expect(publisher.send(1) == .max(1))
    publisher.send(completion: completion)
    publisher.send(completion: .failure(.oops))
    #expect(recorder.events == [.subscription("IgnoreFailure"), .value(1), .completion(.finished)])
    #expect(publisher.calls == [.requested(.max(2))])
  }

  @Test func `Another failure type is declared`() {
    let recorder = Recorder<Int, Other>()
    Fail<Int, TestError>(error: .oops).ignoreFailure(setFailureType: Other.self).append(Fail(error: Other()))
      .subscribe(recorder)
    #expect(recorder.completions == [.failure(Other())])
  }

  @Test func `The end needs no demand, and does not come after a cancel`() {
    let (idle, cancelled) = (Recorder<Int, Never>(demand: nil), Recorder<Int, Never>())
    let publisher = ManualPublisher<Int, TestError>()
    publisher.ignoreFailure().subscribe(idle)
    publisher.send(completion: .failure(.oops))
    #expect(idle.isFinished)
    publisher.ignoreFailure().subscribe(cancelled)
    cancelled.cancel()
    publisher.send(completion: .failure(.oops))
    #expect(cancelled.completions.isEmpty)
  }
}
