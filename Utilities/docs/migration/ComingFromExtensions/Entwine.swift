// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Penstock
import PenstockConcurrency
import PenstockOperators
import PenstockTesting

enum ComingFromEntwine {
  // Entwine | `materialize`, `dematerialize`
  //
  // Differs: two cases, and no event for the subscription.
  static func materialize() {
    let events = Fail<Int, Trouble>(error: .offline).prepend(1).materialize()
    let cases = events.map { event in
      switch event {
      case .value(let value): "value \(value)"
      case .completion: "completion"
      }
    }
    expect(cases.received().log, ["value 1", "completion", "finished"])
    let original: AnyPublisher<Int, Trouble> = events.dematerialize().eraseToAnyPublisher()
    expect(original.received().log, ["1", "failure(offline)"])
  }

  // Entwine | `withLatest(from:)`, `withLatest(from:transform:)`
  static func withLatest() {
    let (clicks, color) = (PassthroughSubject<Int, Never>(), CurrentValueSubject<String, Never>("red"))
    let latest = clicks.withLatestFrom(color).received()
    let both = clicks.withLatestFrom(color) { "\($0) \($1)" }.received()
    clicks.send(1)
    color.value = "blue"
    clicks.send(2)
    expect(latest.log, ["red", "blue"])
    expect(both.log, ["1 red", "2 blue"])
  }

  // Entwine | `ReplaySubject(maxBufferSize:)`, `share(replay:)`
  static func replay() {
    let subject = ReplaySubject<Int, Never>(capacity: 2)
    let shared = subject.share(replay: 1)
    let first = shared.received()
    for number in 1...3 { subject.send(number) }
    expect(first.log, ["1", "2", "3"])
    expect(subject.received().log, ["2", "3"])
    expect(shared.received().log, ["3"])
  }

  // Entwine | `Publishers.Factory`
  static func factory() {
    let numbers = AnyPublisher<Int, Never>.create { emitter in
      emitter.send(1)
      emitter.send(completion: .finished)
      return AnyCancellable {}
    }
    expect(numbers.received().log, ["1", "finished"])
  }

  // Entwine | `referenceCounted()`
  //
  // Differs: the subject, and what it replays, is kept.
  static func referenceCounted() {
    let source = PassthroughSubject<Int, Never>()
    let counted = source.multicast { ReplaySubject<Int, Never>(capacity: 1) }.autoconnect()
    let anew = source.share(replay: 1)
    let first = [counted.received(), anew.received()]
    source.send(1)
    expect(first.map(\.log), [["1"], ["1"]])
    for subscriber in first { subscriber.cancel() }
    source.send(2)
    expect(counted.received().log, ["1"])
    expect(anew.received().log, [])
  }

  // Entwine | `TestScheduler`, `TestablePublisher`
  static func testScheduler() {
    let (scheduler, subject) = (VirtualTimeScheduler(), PassthroughSubject<String, Never>())
    scheduler.schedule(after: 200) { subject.send("second") }
    scheduler.schedule(after: 100) { subject.send("first") }
    let delayed = subject.delay(for: 50, scheduler: scheduler).map { "\($0) at \(scheduler.now)" }.received()
    scheduler.advance(to: 200)
    expect(delayed.log, ["first at 150s"])
    scheduler.advance(to: 300)
    expect(delayed.log, ["first at 150s", "second at 250s"])
  }

  // Entwine | `TestableSubscriber`
  static func testableSubscriber() {
    let (scheduler, subject) = (VirtualTimeScheduler(), PassthroughSubject<String, Never>())
    scheduler.schedule(after: 100) { subject.send("a") }
    var recorded: [(VirtualTime, String)] = []
    let cancellable = subject.sink { recorded.append((scheduler.now, $0)) }
    let recording = subject.record()
    scheduler.advance(by: 500)
    expect(recording.values, ["a"])
    recording.cancel()
    expect(recorded.map(\.0), [100])
    expect(recorded.map(\.1), ["a"])
    _ = cancellable
  }

  // Entwine | `TrampolineScheduler`
  //
  // Differs: a queue for each instance; without it nested values of a subject are nested.
  static func trampoline() {
    func order(_ publisher: some Publisher<Int, Never>, _ send: (Int) -> Void) -> [String] {
      withoutActuallyEscaping(send) { send in
        var log: [String] = []
        let cancellable = publisher.sink {
          log.append("begin \($0)")
          if $0 == 1 { send(2) }
          log.append("end \($0)")
        }
        send(1)
        cancellable.cancel()
        return log
      }
    }
    let (subject, replay) = (PassthroughSubject<Int, Never>(), ReplaySubject<Int, Never>())
    var emitter: Publishers.Emitter<Int, Never>?
    let created = AnyPublisher<Int, Never>.create {
      emitter = $0
      return AnyCancellable {}
    }
    let bounced = subject.receive(on: TrampolineScheduler())
    expect(order(bounced, subject.send), ["begin 1", "end 1", "begin 2", "end 2"])
    expect(order(subject, subject.send), ["begin 1", "begin 2", "end 2", "end 1"])
    expect(order(replay, replay.send), ["begin 1", "end 1", "begin 2", "end 2"])
    expect(order(created) { emitter?.send($0) }, ["begin 1", "end 1", "begin 2", "end 2"])
  }

  // Entwine | `signpost`
  static func signpost() {
    var (log, lines): ([String], [String]) = ([], [])
    let logger = TimeLogger(sinceOrigin: true, elapsed: { .zero }, output: { lines.append($0) })
    let numbers = Just(1).handleEvents(receiveOutput: { log.append("\($0)") }).print("n", to: logger)
    expect(numbers.received().log, ["1", "finished"])
    expect(log, ["1"])
    expect(lines[2], "+0.00000s: n: receive value: (1)")
  }

  // Entwine | `DeallocToken`, `CancellableBag`
  //
  // Differs: nothing is published when the object is freed.
  static func bag() {
    final class Model { var cancellables: Set<AnyCancellable> = [] }
    let subject = PassthroughSubject<Int, Never>()
    var (model, log) = (Optional(Model()), [String]())
    subject.sink(receiveCompletion: { log.append("\($0)") }, receiveValue: { log.append("\($0)") })
      .store(in: &model!.cancellables)
    subject.send(1)
    model = nil
    subject.send(2)
    subject.send(completion: .finished)
    expect(log, ["1"])
  }
}
