// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import PenstockTesting
import TestSupport
import Testing

@Suite struct GroupedIdleTests {
  private let clock = VirtualTimeScheduler()
  private let subject = PassthroughSubject<String, Never>()

  /// Logs the ends of the groups, with their times.
  private func ends(_ log: Locked<[String]>, maxGroups: Int = 9) -> AnyCancellable {
    subject.grouped(by: { $0 }, maxGroups: maxGroups, idleAfter: 3, scheduler: clock)
      .flatMap { [clock] group in
        group.handleEvents(receiveCompletion: { _ in log.change { $0.append("\(group.key) \(clock.now)") } })
      }
      .sink { _ in
      } receiveValue: { _ in
      }
  }

  @Test func `A group ends when it has had no value for the time`() {
    let log = Locked<[String]>([])
    let cancellable = ends(log)
    #expect(clock.pending.isEmpty)
    subject.send("a")
    clock.advance(by: 1)
    subject.send("b")
    clock.advance(by: 1)
    subject.send("a")
    clock.advance(by: 10)
    #expect(log.value == ["b 4s", "a 5s"])
    #expect(clock.pending.isEmpty)
    subject.send("a")
    clock.advance(by: 10)
    #expect(log.value.count == 3)
    withExtendedLifetime(cancellable) {}
  }

  @Test func `One timer serves all groups, and a value sets none`() {
    let log = Locked<[String]>([])
    let cancellable = ends(log)
    for key in ["a", "b", "c", "a", "b", "c"] {
      subject.send(key)
      #expect(clock.pending.count == 1)
    }
    clock.advance(by: 3)
    #expect(log.value == ["a 3s", "b 3s", "c 3s"])
    withExtendedLifetime(cancellable) {}
  }

  @Test func `A group that begins when another one ends, ends in its time`() {
    let log = Locked<[String]>([])
    let isFirst = Locked(true)
    let cancellable = subject.grouped(by: { $0 }, idleAfter: 3, scheduler: clock)
      .flatMap { [subject, clock] group in
        group.handleEvents(receiveCompletion: { _ in
          log.change { $0.append("\(group.key) \(clock.now)") }
          if isFirst.change({ isFirst in
            defer { isFirst = false }
            return isFirst
          }) {
            subject.send("new")
          }
        })
      }
      .sink { _ in
      } receiveValue: { _ in
      }
    subject.send("a")
    clock.advance(by: 1)
    subject.send("b")
    clock.advance(by: 10)
    #expect(log.value == ["a 3s", "b 4s", "new 6s"])
    withExtendedLifetime(cancellable) {}
  }

  @Test func `What waits is delivered before the end, and the group counts until then`() {
    let groups = Recorder<GroupedPublisher<String, String, any Error>, any Error>()
    subject.grouped(by: { $0 }, maxGroups: 1, idleAfter: 3, scheduler: clock).subscribe(groups)
    subject.send("a")
    clock.advance(by: 5)
    let reader = Recorder<String, any Error>(demand: nil)
    groups.values[0].subscribe(reader)
    #expect(reader.completions.isEmpty)
    reader.request(.max(1))
    #expect(reader.values == ["a"] && reader.isFinished)
    subject.send("b")
    #expect(groups.values.count == 2)
    clock.advance(by: 5)
    subject.send("c")
    #expect(groups.failures.count == 1 && groups.failures[0].contains("key c: 1 groups exist"))
  }

  @Test(arguments: ["cancel", "finish", "groups"])
  func `No timer is left at the end`(_ end: String) {
    let cancellable = subject.grouped(by: { $0 }, idleAfter: 3, scheduler: clock)
      .flatMap { end == "groups" ? $0.prefix(1).eraseToAnyPublisher() : $0.eraseToAnyPublisher() }
      .sink { _ in
      } receiveValue: { _ in
      }
    subject.send("a")
    subject.send("b")
    switch end {
    case "cancel": cancellable.cancel()
    case "finish": subject.send(completion: .finished)
    default: clock.advance(by: 3)
    }
    #expect(clock.pending.isEmpty)
    withExtendedLifetime(cancellable) {}
  }

  @Test func `A scheduler that runs everything at once ends a group with its first value`() {
    var values: [Int] = []
    let cancellable = (1...1_000).publisher
      .grouped(by: { $0 % 2 }, maxGroups: 1, idleAfter: 1, scheduler: ImmediateScheduler.shared)
      .flatMap { $0 }
      .sink { _ in
      } receiveValue: {
        values.append($0)
      }
    #expect(values == Array(1...1_000))
    withExtendedLifetime(cancellable) {}
  }
}
