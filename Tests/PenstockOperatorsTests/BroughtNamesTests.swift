// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import TestSupport
import Testing

/// Names that users of other libraries bring along, each compared with the name that it stands for.
@Suite struct BroughtNamesTests {
  private func values<P: Publisher>(of publisher: P) -> [P.Output] {
    let recorder = Recorder<P.Output, P.Failure>()
    publisher.subscribe(recorder)
    return recorder.values
  }

  @Test func `A replay subject of a buffer size replays that many`() {
    let subject = ReplaySubject<Int, Never>(bufferSize: 2)
    for value in 1...3 { subject.send(value) }
    #expect(values(of: subject) == [2, 3])
  }

  @Test func `A closure of withLatestFrom may have a label, and one without is the one without`() {
    let (one, two) = (Just(1), Just(2))
    #expect(values(of: one.withLatestFrom(two, resultSelector: { "\($0)\($1)" })) == ["12"])
    #expect(values(of: one.withLatestFrom(two, resultSelector: +)) == [3])
    #expect(values(of: one.withLatestFrom(two, +)) == [3])
    #expect(values(of: one.withLatestFrom(two) { $0 - $1 }) == [-1])
    #expect(values(of: one.withLatestFrom(two)) == [2])
    #expect(values(of: one.withLatestFrom(two, two, resultSelector: { $0 + $1.0 * $1.1 })) == [5])
    #expect(values(of: one.withLatestFrom(two, two) { $0 + $1.0 * $1.1 }) == [5])
    #expect(values(of: one.withLatestFrom(two, two, two, resultSelector: { $0 + $1.0 * $1.1 * $1.2 })) == [9])
  }

  @Test func `Publishers of one output are joined with others, whatever their types`() {
    let (some, others) = ([1, 2].publisher, [[10, 20].publisher.map { $0 }, [100, 200].publisher.map { $0 }])
    #expect(values(of: some.zip(with: others)) == [[1, 10, 100], [2, 20, 200]])
    #expect(values(of: some.zip(with: others[0], others[1])) == [[1, 10, 100], [2, 20, 200]])
    #expect(values(of: some.combineLatest(with: others)) == [[2, 20, 100], [2, 20, 200]])
    #expect(values(of: some.combineLatest(with: others[0])) == [[2, 10], [2, 20]])
    #expect(values(of: some.amb(with: others)) == [1, 2])
    #expect(values(of: Empty(completeImmediately: false).amb(with: others[1], others[0])) == [100, 200])
    #expect(values(of: some.zip(with: [Just<Int>]())) == [[1], [2]])
  }

  @Test(arguments: [true, false])
  func `A failure that is ignored ends the stream, or leaves it open`(_ completes: Bool) {
    for isTyped in [true, false] {
      let publisher = ManualPublisher<Int, TestError>()
      let recorder = Recorder<Int, TestError>(demand: .max(2))
      if isTyped {
        publisher.ignoreFailure(setFailureType: TestError.self, completeImmediately: completes).subscribe(recorder)
      } else {
        publisher.ignoreFailure(completeImmediately: completes).setFailureType(to: TestError.self).subscribe(recorder)
      }
      publisher.send(1)
      publisher.send(completion: .failure(.oops))
      #expect(recorder.values == [1])
      #expect(recorder.completions == (completes ? [.finished] : []))
      #expect(publisher.calls == [.requested(.max(2))])
    }
    let publisher = ManualPublisher<Int, TestError>()
    let recorder = Recorder<Int, Never>()
    publisher.ignoreFailure(completeImmediately: completes).subscribe(recorder)
    publisher.send(completion: .finished)
    #expect(recorder.completions == [.finished])
  }

  @Test func `A closure makes a publisher by an initialiser as well`() {
    let cancels = Locked(0)
    let publisher = AnyPublisher<Int, TestError> { subscriber in
      subscriber.send(1)
      subscriber.send(completion: .failure(.oops))
      return AnyCancellable { cancels.change { $0 += 1 } }
    }
    let recorder = Recorder<Int, TestError>()
    publisher.subscribe(recorder)
    #expect(recorder.values == [1] && recorder.completions == [.failure(.oops)])
    #expect(cancels.value == 1)
    #expect(values(of: AnyPublisher(Just(2))) == [2])
  }

  @Test func `An end is made an event by its own name`() {
    let events: [Subscribers.Event<Int, TestError>] = [.value(1), .failure(.oops)]
    #expect(events == [.value(1), .completion(.failure(.oops))])
    #expect(Subscribers.Event<Int, TestError>.finished == .completion(.finished))
    let recorder = Recorder<Int, TestError>()
    events.publisher.dematerialize().subscribe(recorder)
    #expect(recorder.values == [1] && recorder.completions == [.failure(.oops)])
  }
}
