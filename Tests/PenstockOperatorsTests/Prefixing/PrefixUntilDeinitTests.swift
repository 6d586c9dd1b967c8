// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import TestSupport
import Testing

@Suite struct PrefixUntilDeinitTests {
  private final class Screen {
    let lifetime = Lifetime()
  }

  private let publisher = ManualPublisher<Int, TestError>()

  @Test func `The end of the object is the end of the stream, at once`() {
    var screen: Screen? = Screen()
    let recorder = Recorder<Int, TestError>()
    publisher.prefix(untilDeinitOf: screen!.lifetime).subscribe(recorder)
    publisher.send(1)
    #expect(recorder.completions == [])
    screen = nil
    #expect(recorder.values == [1] && recorder.completions == [.finished])
    #expect(publisher.calls == [.requested(.unlimited), .cancelled])
    _ = screen
  }

  @Test func `A subscriber that comes after the object gets the end at once`() {
    var screen: Screen? = Screen()
    let prefix = publisher.prefix(untilDeinitOf: screen!.lifetime)
    screen = nil
    let recorder = Recorder<Int, TestError>(demand: nil)
    prefix.subscribe(recorder)
    #expect(recorder.completions == [.finished])
    _ = screen
  }

  @Test func `Demand passes unchanged`() {
    let screen = Screen()
    let recorder = Recorder<Int, TestError>(demand: .max(2), answering: .max(3))
    publisher.prefix(untilDeinitOf: screen.lifetime).subscribe(recorder)
    #expect(publisher.send(1) == .max(3))
    #expect(publisher.calls == [.requested(.max(2))])
  }

  @Test(arguments: [true, false])
  func `Neither the object nor the stream keeps the other one`(_ isCancelled: Bool) {
    var graveyard = Graveyard()
    let screen = Screen()
    do {
      let subject = graveyard.watch(PassthroughSubject<Int, TestError>(), "subject")
      let recorder = graveyard.watch(Recorder<Int, TestError>(), "subscriber")
      subject.prefix(untilDeinitOf: screen.lifetime).subscribe(recorder)
      if isCancelled { recorder.cancel() } else { subject.send(completion: .finished) }
      recorder.releaseSubscriptions()
    }
    #expect(graveyard.survivors.isEmpty)
    withExtendedLifetime(screen) {}
  }

  @Test func `An object that goes during a delivery ends the stream after it`() {
    let screen = Locked<Screen?>(Screen())
    let recorder = Recorder<Int, TestError>()
    recorder.onValue = { _ in
      elsewhere { screen.change { $0 = nil } }
      return .none
    }
    publisher.prefix(untilDeinitOf: screen.value!.lifetime).subscribe(recorder)
    publisher.send(1)
    publisher.send(2)
    #expect(recorder.values == [1] && recorder.completions == [.finished])
    #expect(!recorder.hasOverlapped)
  }

  @Test func `Without a lifetime, the first value after the object is the end`() {
    var object: Canary? = Canary()
    let recorder = Recorder<Int, TestError>()
    publisher.prefix(untilDeinitOf: object!).subscribe(recorder)
    publisher.send(1)
    object = nil
    #expect(recorder.completions == [])
    publisher.send(2)
    #expect(recorder.values == [1] && recorder.completions == [.finished])
    #expect(publisher.calls == [.requested(.unlimited), .cancelled])
    _ = object
  }
}
