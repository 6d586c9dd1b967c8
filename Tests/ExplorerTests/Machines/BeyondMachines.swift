// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockTesting
import TestSupport

@testable import PenstockOperators

private typealias Subject = PassthroughSubject<Int, TestError>

extension Machine {
  /// The machines of operators and sources that Combine does not have.
  static let beyond: [Machine] = [
    Machine("amb: both deliver, and one ends") { exploration in
      let (a, b, recorder) = (Subject(), Subject(), exploration.recorder())
      a.amb(b).subscribe(recorder)
      return Script([
        {
          a.send(1)
          a.send(2)
        },
        {
          b.send(11)
          b.send(completion: .finished)
        },
      ]) {
        recorder.broken()
          + expect(
            (recorder.values == [1, 2] && !recorder.isFinished) || (recorder.values == [11] && recorder.isFinished),
            "\(recorder.events)")
      }
    },
    Machine("amb: a request while one wins") { exploration in
      let (a, b) = (CurrentValueSubject<Int, TestError>(1), Subject())
      let recorder = exploration.recorder(demand: nil)
      b.amb(a).subscribe(recorder)
      return Script([{ recorder.request(.max(2)) }, { b.send(11) }, { exploration.cancel(recorder) }]) {
        recorder.broken()
      }
    },
    Machine("collect(until:): values, a signal and a request, then the end") { exploration in
      let (values, trigger, recorder) = (Subject(), Subject(), exploration.recorder(demand: nil))
      values.buffer(size: 9, prefetch: .keepFull, whenFull: .dropNewest).collect(until: trigger)
        .map { $0.reduce(0) { $0 * 10 + $1 } }.subscribe(recorder)
      return Script([
        {
          (1...2).forEach(values.send)
          values.send(completion: .finished)
        },
        { trigger.send(0) },
        { for _ in 1...2 { recorder.request(.max(1)) } },
      ]) {
        recorder.broken()
          + expect([[12], [1, 2]].contains(recorder.values) && recorder.isFinished, "\(recorder.events)")
      }
    },
    Machine("grouped: two keys, a request of each group, and the end") { exploration in
      let (values, groups) = (Subject(), exploration.recorder())
      let readers = (0..<2).map { _ in exploration.recorder(demand: nil) }
      values.buffer(size: 9, prefetch: .keepFull, whenFull: .dropNewest).grouped(by: { $0 % 2 }, buffer: 2)
        .mapError { $0 as! TestError }
        .map { group in
          group.mapError { $0 as! TestError }.subscribe(readers[group.key])
          return group.key
        }
        .subscribe(groups)
      // Both groups exist before anybody requests values from them.
      values.send(0)
      values.send(1)
      return Script([
        {
          values.send(2)
          values.send(completion: .finished)
        },
        { readers[0].request(.max(2)) },
        { readers[1].request(.max(1)) },
      ]) {
        groups.broken() + readers.flatMap { $0.broken() }
          + expect(
            readers.map(\.values) == [[0, 2], [1]] && readers.allSatisfy(\.isFinished) && groups.isFinished,
            "\(readers.map(\.events)) \(groups.events)")
      }
    },
    Machine("grouped: a value beside cancels of its group and of downstream") { exploration in
      let (values, groups, reader) = (Subject(), exploration.recorder(), exploration.recorder())
      nonisolated(unsafe) var isFirst = true
      values.grouped(by: { $0 % 2 }, buffer: 1).mapError { $0 as! TestError }
        .map { group in
          if exchange(&isFirst, with: false) { group.mapError { $0 as! TestError }.subscribe(reader) }
          return group.key
        }
        .subscribe(groups)
      values.send(0)
      return Script([{ values.send(2) }, { exploration.cancel(reader) }, { exploration.cancel(groups) }]) {
        groups.broken() + reader.broken()
      }
    },
    Machine("window(until:): values, a signal and a request") { exploration in
      let (values, trigger, recorder) = (Subject(), Subject(), exploration.recorder(demand: nil))
      values.buffer(size: 9, prefetch: .keepFull, whenFull: .dropNewest).window(until: trigger)
        .flatMap(maxPublishers: .max(1)) { $0 }.subscribe(recorder)
      return Script([
        {
          (1...2).forEach(values.send)
          values.send(completion: .finished)
        },
        { trigger.send(0) },
        { for _ in 1...2 { recorder.request(.max(1)) } },
      ]) {
        recorder.broken() + expect(recorder.values == [1, 2] && recorder.isFinished, "\(recorder.events)")
      }
    },
    Machine("flatMapSequential: two streams deliver and end, requests one by one") { exploration in
      let (a, b, recorder) = (Subject(), Subject(), exploration.recorder(demand: nil))
      Publishers.Sequence<[Int], TestError>(sequence: [0, 1]).flatMapSequential(prefetch: 2) { $0 == 0 ? a : b }
        .subscribe(recorder)
      return Script([
        {
          a.send(1)
          a.send(completion: .finished)
        },
        {
          b.send(2)
          b.send(completion: .finished)
        },
        { recorder.request(.max(2)) },
      ]) {
        recorder.broken() + expect(recorder.values == [1, 2] && recorder.isFinished, "\(recorder.events)")
      }
    },
    Machine("expand: two streams deliver and end, one publisher more than may run") { exploration in
      let (a, b, recorder) = (Subject(), Subject(), exploration.recorder())
      Publishers.Sequence<[Int], TestError>(sequence: [0, 1]).expand(maxPublishers: .max(2)) { value in
        value > 1 ? Empty().eraseToAnyPublisher() : (value == 0 ? a : b).eraseToAnyPublisher()
      }
      .subscribe(recorder)
      return Script([
        {
          a.send(2)
          a.send(completion: .finished)
        },
        {
          b.send(3)
          b.send(completion: .finished)
        },
      ]) {
        let values = recorder.values.sorted()
        return recorder.broken() + expect(values == [0, 1, 2, 3] && recorder.isFinished, "\(recorder.events)")
      }
    },
    Machine("expand: a value, the end of its publisher, and a request for more of upstream") { exploration in
      let (a, recorder) = (Subject(), exploration.recorder(demand: .max(1)))
      Publishers.Sequence<[Int], TestError>(sequence: [0, 1]).expand(maxPublishers: .max(1)) { value in
        value == 0 ? a.eraseToAnyPublisher() : Empty().eraseToAnyPublisher()
      }
      .subscribe(recorder)
      return Script([
        {
          a.send(2)
          a.send(completion: .finished)
        },
        { for _ in 1...2 { recorder.request(.max(1)) } },
      ]) {
        recorder.broken() + expect(recorder.values == [0, 2, 1] && recorder.isFinished, "\(recorder.events)")
      }
    },
    Machine("concatMap: a stream ends while its value waits, and a request") { exploration in
      let (outer, a, recorder) = (Subject(), Subject(), exploration.recorder(demand: nil))
      outer.buffer(size: 9, prefetch: .keepFull, whenFull: .dropNewest)
        .concatMap { _ in a.first() }.subscribe(recorder)
      outer.send(0)
      return Script([
        { a.send(1) }, { recorder.request(.max(1)) }, { outer.send(completion: .finished) },
      ]) {
        recorder.broken() + expect(recorder.values == [1] && recorder.isFinished, "\(recorder.events)")
      }
    },
    Machine("combineLatest of a list: three senders") { exploration in
      let (subjects, recorder) = ((0..<3).map { _ in Subject() }, exploration.recorder())
      subjects.combineLatest().map { $0.reduce(0, +) }.subscribe(recorder)
      return Script([{ subjects[0].send(1) }, { subjects[1].send(10) }, { subjects[2].send(100) }]) {
        recorder.broken() + expect(recorder.values == [111], "\(recorder.values)")
      }
    },
    Machine("create: two senders, a request and a cancel") { exploration in
      let recorder = exploration.recorder(demand: nil)
      nonisolated(unsafe) var emitters: [Publishers.Emitter<Int, TestError>] = []
      nonisolated(unsafe) var cleanups = 0
      AnyPublisher<Int, TestError>.create { emitter in
        emitters.append(emitter)
        return AnyCancellable { cleanups += 1 }
      }.subscribe(recorder)
      exploration.releases.append { emitters = [] }
      return Script([
        { emitters[0].send(1) }, { emitters[0].send(completion: .finished) }, { recorder.request(.max(2)) },
      ]) {
        recorder.broken()
          + expect(
            recorder.isFinished && [[], [1]].contains(recorder.values) && cleanups == 1,
            "\(recorder.events), \(cleanups) cleanups")
      }
    },
    Machine("ReplaySubject: a subscriber joins while two threads send") { exploration in
      let (subject, recorder) = (ReplaySubject<Int, TestError>(capacity: 2), exploration.recorder())
      return Script([{ subject.send(1) }, { subject.send(2) }, { subject.subscribe(recorder) }]) {
        recorder.broken()
          + expect([[1, 2], [2, 1]].contains(recorder.values), "\(recorder.values)")
      }
    },
    Machine("ReplaySubject: a subscriber joins behind a value while a delivery sends") { exploration in
      let subject = ReplaySubject<Int, TestError>(capacity: 2)
      let (first, recorder) = (exploration.recorder(), exploration.recorder())
      let record = first.onValue!
      first.onValue = { value in
        let more = record(value)
        if value == 1 { subject.send(2) }
        return more
      }
      subject.subscribe(first)
      return Script([
        { subject.send(1) },
        {
          subject.send(3)
          subject.subscribe(recorder)
        },
      ]) {
        // The replay and the values after it are the last of the values that the other subscriber has got.
        first.broken("the first one") + recorder.broken("the joining one")
          + expect(first.values.sorted() == [1, 2, 3], "the first one: \(first.values)")
          + expect(
            recorder.values.count >= 2 && first.values.suffix(recorder.values.count) == recorder.values[...],
            "the first one: \(first.values), the joining one: \(recorder.values)")
      }
    },
    Machine("ReplaySubject, by age: a subscriber joins while two threads send and time passes") { exploration in
      let clock = AgeClock(exploration)
      let subject = ReplaySubject<Int, TestError>(capacity: 3, maximumAge: .nanoseconds(1), scheduler: clock)
      // The values that it was to get when it came wait for it, though they may be too old by then.
      let (recorder, last) = (exploration.recorder(demand: nil), exploration.recorder())
      subject.send(0)
      nonisolated(unsafe) var joined: (from: Int, to: Int) = (0, 0)
      nonisolated(unsafe) var young: [Int] = []
      func send(_ value: Int) {
        if clock.time > 0 { young.append(value) }
        subject.send(value)
      }
      return Script([
        { send(1) },
        {
          clock.pass()
          send(2)
        },
        {
          joined.from = clock.time
          subject.subscribe(recorder)
          joined.to = clock.time
        },
      ]) {
        recorder.request(.unlimited)
        return recorder.broken() + aged(recorder, [[0, 1, 2], [0, 2, 1]], joined, young) + clock.faults(subject, last)
      }
    },
    Machine("ReplaySubject, by age: one subscriber leaves, whose values have aged, and another joins") { exploration in
      let clock = AgeClock(exploration)
      let subject = ReplaySubject<Int, TestError>(maximumAge: .nanoseconds(1), scheduler: clock)
      let (leaving, joining) = (exploration.recorder(demand: .max(1)), exploration.recorder())
      let last = exploration.recorder()
      subject.subscribe(leaving)
      subject.send(0)
      nonisolated(unsafe) var joined: (from: Int, to: Int) = (0, 0)
      return Script([
        {
          subject.send(1)
          clock.pass()
          subject.send(2)
        },
        { exploration.cancel(leaving) },
        {
          joined.from = clock.time
          subject.subscribe(joining)
          joined.to = clock.time
        },
      ]) {
        leaving.broken("the leaving one") + joining.broken("the joining one")
          + expect(leaving.values == [0], "the leaving one: \(leaving.values)")
          + aged(joining, [[0, 1, 2]], joined, [2]) + clock.faults(subject, last)
      }
    },
    Machine("ReplaySubject, by age: one subscriber requests what has aged, and another joins") { exploration in
      let clock = AgeClock(exploration)
      let subject = ReplaySubject<Int, TestError>(maximumAge: .nanoseconds(1), scheduler: clock)
      let (slow, joining) = (exploration.recorder(demand: nil), exploration.recorder())
      let last = exploration.recorder()
      subject.subscribe(slow)
      subject.send(0)
      nonisolated(unsafe) var joined: (from: Int, to: Int) = (0, 0)
      return Script([
        {
          clock.pass()
          subject.send(1)
        },
        { slow.request(.max(2)) },
        {
          joined.from = clock.time
          subject.subscribe(joining)
          joined.to = clock.time
        },
      ]) {
        // Values that wait for a subscriber stay, however old they are.
        slow.broken("the slow one") + joining.broken("the joining one")
          + expect(slow.values == [0, 1], "the slow one: \(slow.values)")
          + aged(joining, [[0, 1]], joined, [1]) + clock.faults(subject, last)
      }
    },
  ]

  /// Returns the faults in the values of a subscriber that has joined: they have to be the last of those that were
  /// sent, including 0 exactly if it was not too old, and including all those that were sent when they could no longer
  /// become too old.
  ///
  /// - Parameters:
  ///   - orders: The orders in which the subject may have taken the values.
  ///   - joined: The times before and after the call of `subscribe`.
  ///   - young: The values that cannot have been too old.
  private static func aged(
    _ recorder: Recorder<Int, TestError>, _ orders: [[Int]], _ joined: (from: Int, to: Int), _ young: [Int]
  ) -> [String] {
    let values = recorder.values
    return expect(orders.contains { $0.suffix(values.count) == values[...] }, "the joining one: \(values)")
      + expect(young.allSatisfy(values.contains), "young values are missing: \(values) of \(young)")
      + expect(joined.from == 0 || !values.contains(0), "an old value: \(values)")
      + expect(joined.to > 0 || values.contains(0), "a value that is not old is missing: \(values)")
  }
}

/// A clock that the script moves once, so far that all values kept until then are too old.
private final class AgeClock: Scheduler, @unchecked Sendable {
  // `@unchecked`: one logical thread runs at a time.

  typealias SchedulerTimeType = VirtualTime
  typealias SchedulerOptions = Never

  private let exploration: Exploration
  private(set) var time = 0

  init(_ exploration: Exploration) { self.exploration = exploration }

  /// Other threads continue after the time has been read: it may be outdated when it is used.
  var now: SchedulerTimeType {
    exploration.touchOutside()
    let now = SchedulerTimeType(nanoseconds: time)
    exploration.yield("has read the time")
    return now
  }

  var minimumTolerance: SchedulerTimeType.Stride { .zero }

  func pass() {
    time += 10
    exploration.yield("time has passed")
  }

  /// Returns the faults at the end: when all values are old, a subscriber has to get only the next one, and no other
  /// may be kept.
  func faults(_ subject: ReplaySubject<Int, TestError>, _ recorder: Recorder<Int, TestError>) -> [String] {
    time += 10
    subject.subscribe(recorder)
    subject.send(9)
    return recorder.broken("the last one") + expect(recorder.values == [9], "the last one: \(recorder.values)")
      + expect(subject.fanOut.log.count == 1, "\(subject.fanOut.log.count) values are kept")
  }

  // Nothing is scheduled: the time is read at each value and each subscription.

  func schedule(options: Never?, _ action: @escaping () -> Void) { exploration.fault("an action is scheduled") }

  func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: Never?, _ action: @escaping () -> Void
  ) { exploration.fault("an action is scheduled") }

  func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
    options: Never?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    exploration.fault("an action is scheduled")
    return AnyCancellable {}
  }
}
