// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import TestSupport
import Testing

@Suite struct OutputTypeTests {
  @Test(arguments: [Subscribers.Completion<TestError>.finished, .failure(.oops)])
  func `A publisher without values has any output type, and its own end`(
    _ completion: Subscribers.Completion<TestError>
  ) {
    let recorder = Recorder<String, TestError>()
    let publisher = ManualPublisher<Never, TestError>()
    publisher.setOutputType(to: String.self).subscribe(recorder)
    #expect(publisher.calls == [.requested(.unlimited)])
    publisher.send(completion: completion)
    #expect(recorder.values.isEmpty && recorder.completions == [completion])
  }

  @Test func `Values are ignored under another output type, without any demand`() {
    let recorder = Recorder<String, TestError>(demand: nil)
    let publisher = ManualPublisher<Int, TestError>()
    publisher.ignoreOutput(setOutputType: String.self).subscribe(recorder)
    #expect(publisher.calls == [.requested(.unlimited)])
    publisher.send(1)
    publisher.send(completion: .failure(.oops))
    #expect(recorder.values.isEmpty && recorder.completions == [.failure(.oops)])
  }

  @Test func `A cancel goes upstream`() {
    let recorder = Recorder<String, TestError>()
    let publisher = ManualPublisher<Int, TestError>()
    publisher.ignoreOutput(setOutputType: String.self).subscribe(recorder)
    recorder.cancel()
    #expect(publisher.subscription?.cancellations == 1)
  }

  @Test func `Each value is replaced by the same one, or by Void, within demand`() {
    let (same, void) = (Recorder<String, TestError>(demand: .max(1)), Recorder<Bool, TestError>(demand: .max(1)))
    let publisher = ManualPublisher<Int, TestError>()
    publisher.mapToValue("x").subscribe(same)
    publisher.send(1)
    publisher.send(completion: .finished)
    publisher.mapToVoid().map { true }.subscribe(void)
    publisher.send(1)
    publisher.send(completion: .failure(.oops))
    #expect(same.values == ["x"] && same.completions == [.finished])
    #expect(void.values == [true] && void.completions == [.failure(.oops)])
    #expect(publisher.calls == [.requested(.max(1)), .requested(.max(1))])
  }

  @Test func `The value of mapToValue is free when the publisher and the stream are`() {
    var graveyard = Graveyard()
    do {
      let subject = PassthroughSubject<Int, Never>()
      let cancellable = subject.mapToValue(graveyard.watch(Canary())).sink { _ in }
      subject.send(1)
      subject.send(completion: .finished)
      #expect(graveyard.survivors.isEmpty)
      withExtendedLifetime(cancellable) {}
    }
  }
}
