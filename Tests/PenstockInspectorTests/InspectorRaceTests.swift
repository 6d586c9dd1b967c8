// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Penstock
import PenstockCore
import PenstockInspector
import PenstockOperators
import PenstockTesting
import TestSupport
import Testing

extension InspectorTests {
  /// Streams come and go while somebody looks.
  @Suite struct InspectorRaceTests {
    @Test func `Streams come, go, send and are read at the same time`() async {
      await #expect(processExitsWith: .success) { () async throws in
        let before = liveLinks.count
        let working = Locked(3)
        let scheduler = VirtualTimeScheduler()
        onThreads(5) { thread in
          switch thread {
          case 0..<3:
            for round in 0..<rounds { comeAndGo(round, thread, scheduler) }
            working.change { $0 -= 1 }
          case 3:
            look(while: { working.change { $0 } > 0 })
          default:
            while working.change({ $0 }) > 0 { scheduler.advance(by: 1) }
          }
        }
        Inspector.stopCounting()
        await scheduler.advance(by: 10)
        #expect(liveLinks.count <= before + 8)
        #expect(linkRecords.count <= 8)
      }
    }

    @Test func `Streams that are short-lived leave nothing`() async {
      await #expect(processExitsWith: .success) { () async throws in
        let subject = PassthroughSubject<Int, Never>()
        let before = liveLinks.count
        for _ in 0..<100_000 { subject.map { $0 }.sink { _ in }.cancel() }
        #expect(liveLinks.count <= before + 8)
      }
    }

    @Test func `Ten thousand live streams are all listed, each with a number of its own`() async {
      await #expect(processExitsWith: .success) { () async throws in
        let subject = PassthroughSubject<Int32, Never>()
        var cancellables: [AnyCancellable] = []
        for _ in 0..<10_000 { cancellables.append(subject.scan(0, +).sink { _ in }) }
        let streams = Inspector.snapshot().streams.filter {
          $0.links.last?.publisher == "PassthroughSubject<Int32, Never>"
        }
        #expect(streams.count == 10_000)
        #expect(Set(streams.flatMap(\.links).map(\.id)).count == 10_000)
        cancellables = []
        #expect(
          !Inspector.snapshot().streams.contains { $0.links.last?.publisher == "PassthroughSubject<Int32, Never>" })
      }
    }

    @Test func `A place that is free again gets another number`() async {
      await #expect(processExitsWith: .success) { () async throws in
        let subject = PassthroughSubject<Int, Never>()
        var numbers: Set<UInt64> = []
        for _ in 0..<600 {
          let cancellable = subject.inspected("again").sink { _ in }
          numbers.insert(Inspector.snapshot()["again"]!.id)
          cancellable.cancel()
        }
        #expect(numbers.count == 600)
      }
    }
  }
}

/// Enough rounds to show when the reader has the last reference to an object: that happens in about one of a thousand.
#if PENSTOCK_TSAN
  private let rounds = 300
#else
  private let rounds = 3_000
#endif

private func comeAndGo(_ round: Int, _ thread: Int, _ scheduler: VirtualTimeScheduler<VirtualTime, Never>) {
  let (first, second) = (PassthroughSubject<Int, Never>(), CurrentValueSubject<Int, Never>(round))
  let shared = first.share()
  var cancellables: Set<AnyCancellable> = []
  shared.zip(second.scan(0, +)).sink { _ in }.store(in: &cancellables)
  shared.flatMap(maxPublishers: .max(1)) { _ in second.prefix(2) }.eraseToAnyPublisher()
    .buffer(size: 2, prefetch: .byRequest, whenFull: .dropOldest).inspected("race").sink { _ in }
    .store(in: &cancellables)
  shared.merge(with: second).combineLatest(first).map { $0 + $1 }.receive(on: scheduler).sink { _ in }
    .store(in: &cancellables)
  first.map { Just($0).append(second) }.switchToLatest().retry(1).sink { _ in }
    .store(in: &cancellables)
  for number in 0..<4 {
    first.send(number)
    if number % 2 == thread % 2 { second.send(number) }
  }
  if round % 3 == 0 { first.send(completion: .finished) }
}

private func look(while isGoingOn: () -> Bool) {
  var count = 0
  while isGoingOn() {
    if count % 3 == 0 { Inspector.startCounting(count % 2 == 0 ? .values : .signals) }
    if count % 3 == 1 { Inspector.stopCounting() }
    let snapshot = Inspector.snapshot()
    _ = snapshot.alarms()
    if count % 5 == 0 { _ = snapshot.json.utf8.count + "\(snapshot)".utf8.count }
    count += 1
  }
}
