// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import TestSupport
import Testing

@Suite struct WithUnretainedTests {
  private final class Screen: @unchecked Sendable {
    let factor = 10
  }

  private let publisher = ManualPublisher<Int, TestError>()

  @Test func `Values come with the object, and demand passes`() {
    let screen = Screen()
    let recorder = Recorder<Int, TestError>(demand: .max(2), answering: .max(3))
    publisher.withUnretained(screen).map { $0.factor * $1 }.subscribe(recorder)
    #expect(publisher.send(1) == .max(3))
    publisher.send(completion: .failure(.oops))
    #expect(recorder.events == [.subscription("WithUnretained"), .value(10), .completion(.failure(.oops))])
    #expect(publisher.calls == [.requested(.max(2))])
  }

  @Test func `Neither the publisher nor the subscription keeps the object, and a value after its end finishes`() {
    var graveyard = Graveyard()
    var screen: Screen? = graveyard.watch(Screen())
    let recorder = Recorder<Int, TestError>()
    let results = publisher.withUnretained(screen!) { $0.factor + $1 }
    results.subscribe(recorder)
    publisher.send(1)
    screen = nil
    #expect(graveyard.survivors.isEmpty)
    #expect(recorder.completions.isEmpty)
    publisher.send(2)
    publisher.send(3)
    #expect(recorder.values == [11] && recorder.completions == [.finished])
    #expect(publisher.calls == [.requested(.unlimited), .cancelled])
    // For a later subscriber it is gone, too.
    let late = Recorder<Int, TestError>()
    results.subscribe(late)
    publisher.send(4)
    #expect(late.values.isEmpty && late.isFinished)
  }

  @Test func `The object lives through a delivery that gives up the last reference to it`() {
    var graveyard = Graveyard()
    var screen: Screen? = graveyard.watch(Screen())
    let subject = PassthroughSubject<Int, Never>()
    var factors: [Int] = []
    let cancellable = subject.withUnretained(screen!).sink { held, _ in
      screen = nil
      factors.append(held.factor)
    }
    subject.send(1)
    subject.send(2)
    #expect(factors == [10])
    #expect(graveyard.survivors.isEmpty)
    withExtendedLifetime((cancellable, screen)) {}
  }

  @Test func `The end comes without a value, and without the object`() {
    let recorder = Recorder<Int, TestError>()
    var screens = [Screen()]
    publisher.withUnretained(screens[0]) { $1 }.subscribe(recorder)
    screens = []
    publisher.send(completion: .failure(.oops))
    #expect(recorder.completions == [.failure(.oops)])
  }
}
