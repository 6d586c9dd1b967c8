// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Dispatch
import Penstock
import PenstockConcurrency
import PenstockOperators
import PenstockTesting
import Testing

/// A pipeline from which nothing arrives, and the sentence that says why.
struct QuietPipeline: CustomTestStringConvertible, Sendable {
  let name: String
  /// What the sentence contains, in each form of the pipeline.
  let sentence: String
  /// Returns the pipeline, and puts what keeps it, and what sends to it, into the box.
  let make: @Sendable (Kept) -> AnyPublisher<Int, Never>

  var testDescription: String { name }

  /// What lives as long as the pipeline.
  final class Kept: @unchecked Sendable {
    // `@unchecked`: only the test's thread changes it.
    private var objects: [Any] = []
    private var actions: [() -> Void] = []

    func keep(_ object: Any) { objects.append(object) }

    func subject() -> PassthroughSubject<Int, Never> {
      let subject = PassthroughSubject<Int, Never>()
      keep(subject)
      return subject
    }

    /// Called when somebody has subscribed.
    func then(_ action: @escaping () -> Void) { actions.append(action) }

    func begin() { for action in actions { action() } }
  }

  init(_ name: String, says sentence: String, _ make: @escaping @Sendable (Kept) -> AnyPublisher<Int, Never>) {
    (self.name, self.sentence, self.make) = (name, sentence, make)
  }
}

private struct Broken: Error {}

extension QuietPipeline {
  static let all = waiting + timed + held

  private static let waiting = [
    QuietPipeline("A zip with one side that is silent", says: "Zip keeps 3 values and waits for upstream 2") { kept in
      let (first, second) = (kept.subject(), kept.subject())
      kept.then { for value in 1...3 { first.send(value) } }
      return first.zip(second).map { $0 + $1 }.eraseToAnyPublisher()
    },
    QuietPipeline(
      "A combineLatest with one side that is silent",
      says: "CombineLatest waits for a first value of upstream 2 (PassthroughSubject)"
    ) { kept in
      let (first, second) = (kept.subject(), kept.subject())
      kept.then { first.send(1) }
      return first.combineLatest(second).map { $0 + $1 }.eraseToAnyPublisher()
    },
    QuietPipeline(
      "A flatMap at its limit",
      says: "FlatMap has 1 inner publisher running, as many as it may, and Sequence has more"
    ) { kept in
      let quiet = kept.subject()
      return numbers(3).flatMap(maxPublishers: .max(1)) { _ in quiet }.eraseToAnyPublisher()
    },
    QuietPipeline(
      "A switchToLatest whose inner publisher never delivers",
      says: "SwitchToLatest waits for a value of its inner publisher"
    ) { kept in
      let outer = kept.subject()
      kept.then { outer.send(1) }
      return outer.map { _ in Empty<Int, Never>(completeImmediately: false) }.switchToLatest().eraseToAnyPublisher()
    },
    QuietPipeline(
      "A multicast that is not connected", says: "Multicast is not connected: call connect(), and keep what it returns"
    ) { kept in
      numbers(3).multicast { PassthroughSubject<Int, Never>() }.eraseToAnyPublisher()
    },
    QuietPipeline("A future whose promise is not kept", says: "Future waits for its promise") { kept in
      Future<Int, Never> { kept.keep($0) }.eraseToAnyPublisher()
    },
    QuietPipeline(
      "A drop(untilOutputFrom:) without a signal",
      says: "DropUntilOutput drops values until its signal (PassthroughSubject) delivers"
    ) { kept in
      let (values, signal) = (kept.subject(), kept.subject())
      kept.then { values.send(1) }
      return values.drop(untilOutputFrom: signal).eraseToAnyPublisher()
    },
    QuietPipeline(
      "A prefix(untilOutputFrom:) of a subject to which nobody sends",
      says: "PassthroughSubject is asked for values, and has none to give now"
    ) { kept in
      kept.subject().prefix(untilOutputFrom: kept.subject()).eraseToAnyPublisher()
    },
    QuietPipeline("A collect before the end", says: "Collect keeps 2 values until its upstream ends") { kept in
      let subject = kept.subject()
      kept.then { for value in 1...2 { subject.send(value) } }
      return subject.collect().map(\.count).eraseToAnyPublisher()
    },
    QuietPipeline("A collect of three with two", says: "CollectByCount keeps 2 of 3 values") { kept in
      let subject = kept.subject()
      kept.then { for value in 1...5 { subject.send(value) } }
      return subject.collect(3).filter { $0.count < 3 }.map(\.count).eraseToAnyPublisher()
    },
    QuietPipeline("A last before the end", says: "Last delivers when its upstream ends") { kept in
      let subject = kept.subject()
      kept.then { subject.send(1) }
      return subject.last().eraseToAnyPublisher()
    },
  ]

  private static let timed = [
    QuietPipeline(
      "A debounce on a queue that does not run", says: "Debounce keeps 1 value, due 6 s ago, and its scheduler"
    ) { kept in late(kept) { $0.debounce(for: .seconds(4), scheduler: $1).eraseToAnyPublisher() } },
    QuietPipeline(
      "A throttle on a queue that does not run", says: "Throttle keeps 1 value, due 6 s ago, and its scheduler"
    ) { kept in
      late(kept) { $0.throttle(for: .seconds(4), scheduler: $1, latest: true).eraseToAnyPublisher() }
    },
    QuietPipeline("A delay on a queue that does not run", says: "Delay keeps 2 values, due 6 s ago, and its scheduler")
    { kept in late(kept) { $0.delay(for: .seconds(4), scheduler: $1).eraseToAnyPublisher() } },
    QuietPipeline(
      "A collect by time on a queue that does not run",
      says: "CollectByTime keeps 2 values, due 6 s ago, and its scheduler"
    ) { kept in
      late(kept) { $0.collect(.byTime($1, .seconds(4))).map(\.count).eraseToAnyPublisher() }
    },
    QuietPipeline("A timeout that waits", says: "Timeout waits 3 s more for a value") { kept in
      let (subject, scheduler) = (kept.subject(), StoppedScheduler())
      kept.keep(scheduler)
      kept.then { scheduler.advance(by: .seconds(1)) }
      return subject.timeout(.seconds(4), scheduler: scheduler).eraseToAnyPublisher()
    },
    QuietPipeline("A retry in its pause", says: "Retry waits 41 s for attempt 3 of 5") { kept in
      let scheduler = VirtualTimeScheduler()
      kept.keep(scheduler)
      kept.then {
        scheduler.advance(by: .seconds(60))
        scheduler.advance(by: .seconds(19))
      }
      return Fail<Int, Broken>(error: Broken()).retry(4, delay: .seconds(60), scheduler: scheduler)
        .replaceError(with: 0).eraseToAnyPublisher()
    },
  ]

  /// Sends two values, and lets ten seconds pass on a scheduler that runs nothing for a date.
  private static func late(
    _ kept: Kept,
    _ make: (PassthroughSubject<Int, Never>, StoppedScheduler) -> AnyPublisher<Int, Never>
  ) -> AnyPublisher<Int, Never> {
    let (subject, scheduler) = (kept.subject(), StoppedScheduler())
    kept.keep(scheduler)
    kept.then {
      subject.send(1)
      // Throttle delivers its first value without waiting.
      scheduler.runAll()
      subject.send(2)
      scheduler.advance(by: .seconds(10))
    }
    return make(subject, scheduler)
  }

  private static let held = [
    QuietPipeline(
      "A receive(on:) before a queue that does not run", says: "ReceiveOn has 3 values for a scheduler that has not run"
    ) { kept in
      let scheduler = VirtualTimeScheduler()
      kept.keep(scheduler)
      return numbers(3).receive(on: scheduler).eraseToAnyPublisher()
    },
    QuietPipeline(
      "A subscribe(on:) before a queue that does not run",
      says: "SubscribeOn has scheduled its subscription, and the scheduler has not run"
    ) { kept in
      let scheduler = VirtualTimeScheduler()
      kept.keep(scheduler)
      return numbers(3).subscribe(on: scheduler).eraseToAnyPublisher()
    },
    QuietPipeline(
      "A subject to which nobody sends", says: "PassthroughSubject is asked for values, and has none to give now"
    ) { $0.subject().eraseToAnyPublisher() },
  ]
}
