// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import PenstockTesting
import TestSupport
import Testing

/// `grouped` by the last digit, between a publisher driven by hand and recorders.
final class GroupBench {
  typealias Group = GroupedPublisher<Int, Int, any Error>
  typealias Reader = Recorder<Int, any Error>

  let source = ManualPublisher<Int, TestError>()
  let groups: Recorder<Group, any Error>
  private var answered = 0
  private var sent = 0

  init(
    maxGroups: Int = 100, buffer: Int = 2, whenFull: Publishers.GroupBufferingStrategy = .hold,
    demand: Subscribers.Demand? = .unlimited
  ) {
    groups = Recorder(demand: demand)
    source.grouped(by: { $0 % 10 }, maxGroups: maxGroups, buffer: buffer, whenFull: whenFull).subscribe(groups)
  }

  /// How many values have been requested and not been sent.
  var outstanding: Int { source.subscription!.requests.reduce(answered) { $0 + $1.max! } - sent }

  func send(_ values: Int...) {
    for value in values {
      sent += 1
      answered += source.send(value).max ?? 0
    }
  }

  func subscribe(to number: Int, demand: Subscribers.Demand? = .unlimited) -> Reader {
    let reader = Reader(demand: demand)
    groups.values[number].subscribe(reader)
    return reader
  }

  var failure: GroupingError? {
    if case .failure(let error) = groups.completions.last { error as? GroupingError } else { nil }
  }
}

extension Recorder where Failure == any Error {
  /// The failures, as texts.
  var failures: [String] {
    completions.compactMap { if case .failure(let error) = $0 { String(describing: error) } else { nil } }
  }
}

@Suite struct GroupedTests {
  @Test func `A group is published for each key, with its values in their order`() {
    var events: [String] = []
    let cancellable = [11, 22, 31, 12, 21, 3].publisher.grouped { $0 % 10 }
      .flatMap { group in group.map { "\(group.key): \($0)" } }
      .sink {
        if case .finished = $0 { events.append("finished") }
      } receiveValue: {
        events.append($0)
      }
    #expect(events == ["1: 11", "2: 22", "1: 31", "2: 12", "1: 21", "3: 3", "finished"])
    withExtendedLifetime(cancellable) {}
  }

  @Test func `A group that is being published, and is full, counts before it has been delivered`() {
    let bench = GroupBench(buffer: 1, demand: .max(1))
    bench.send(1)
    let first = bench.subscribe(to: 0, demand: .max(1))
    bench.send(2, 11)
    #expect(bench.groups.values.count == 1 && bench.outstanding == 0)
    bench.groups.onValue = { _ in
      first.request(.max(1))
      return .none
    }
    bench.groups.request(.max(1))
    #expect(first.values == [1, 11] && bench.outstanding == 0)
    #expect(bench.subscribe(to: 1).values == [2])
    #expect(bench.outstanding == 1)
  }

  @Test func `Upstream is asked for one value at a time, when a group is wanted, while every group has room`() {
    let bench = GroupBench(demand: nil)
    #expect(bench.outstanding == 0)
    bench.groups.request(.max(5))
    #expect(bench.outstanding == 1)
    bench.send(1, 2)
    #expect(bench.groups.values.map(\.key) == [1, 2] && bench.outstanding == 1)
    bench.send(11)
    #expect(bench.outstanding == 0, "the first group is full")
    let reader = bench.subscribe(to: 0, demand: .max(1))
    #expect(reader.values == [1] && bench.outstanding == 1)
    bench.send(21)
    #expect(bench.outstanding == 0)
    let other = bench.subscribe(to: 1)
    #expect(other.values == [2] && bench.outstanding == 0)
    reader.request(.max(9))
    #expect(reader.values == [1, 11, 21] && bench.outstanding == 1)
    #expect(reader.complaints.isEmpty && other.complaints.isEmpty && bench.groups.complaints.isEmpty)
  }

  @Test func `What is requested or returned in a delivery is served`() {
    onSmallStack {
      let groups = Recorder<Int, any Error>()
      (0..<100_000).publisher.grouped { $0 % 3 }
        .flatMap { group in group.map { $0 } }.buffer(size: 1, prefetch: .keepFull, whenFull: .dropNewest)
        .subscribe(groups)
      #expect(groups.values == Array(0..<100_000) && groups.isFinished)
    }
  }

  @Test(arguments: [Publishers.GroupBufferingStrategy.dropNewest, .dropOldest])
  func `A full group drops, and upstream is not held`(_ strategy: Publishers.GroupBufferingStrategy) {
    let bench = GroupBench(whenFull: strategy)
    #expect(bench.source.calls == [.requested(.unlimited)])
    bench.send(1, 11, 21, 31)
    let reader = bench.subscribe(to: 0)
    #expect(reader.values == (strategy == .dropNewest ? [1, 11] : [21, 31]))
    bench.send(41)
    #expect(reader.values.last == 41)
  }

  @Test func `A full group fails, where that is the strategy, and names key and bound`() {
    let bench = GroupBench(whenFull: .fail)
    let other = bench
    bench.send(2, 1, 11)
    let reader = other.subscribe(to: 0)
    bench.send(21)
    #expect(bench.failure == .groupFull(key: "1", buffer: 2))
    #expect(reader.failures == bench.groups.failures && reader.failures.count == 1)
    #expect(reader.failures[0].contains("key 1 has 2 values"))
    #expect(bench.source.subscription?.cancellations == 1)
  }

  @Test func `One group more than there may be fails, and names key and bound`() {
    let bench = GroupBench(maxGroups: 2)
    bench.send(1, 2)
    let reader = bench.subscribe(to: 0)
    bench.send(3)
    #expect(bench.failure == .tooManyGroups(key: "3", maxGroups: 2))
    #expect(bench.groups.failures[0].contains("key 3: 2 groups exist"))
    #expect(reader.failures == bench.groups.failures)
    #expect(bench.source.subscription?.cancellations == 1)
  }

  @Test func `A group that is over makes room for another one`() {
    let bench = GroupBench(maxGroups: 2)
    bench.send(1, 2)
    bench.subscribe(to: 0).cancel()
    bench.send(3)
    #expect(bench.groups.values.map(\.key) == [1, 2, 3] && bench.failure == nil)
  }

  @Test(arguments: [1, 2, 3])
  func `Groups that are flattened with too little concurrency fail in place of hanging`(_ concurrency: Int) {
    let recorder = Recorder<Int, any Error>()
    Publishers.Sequence<[Int], TestError>(sequence: (0..<1_000).map { $0 % 3 })
      .append(Empty<Int, TestError>(completeImmediately: false))
      .grouped(by: { $0 }, buffer: 4).flatMap(maxPublishers: .max(concurrency)) { $0 }.subscribe(recorder)
    if concurrency == 3 {
      #expect(recorder.values.count == 1_000 && recorder.completions.isEmpty)
    } else {
      #expect(recorder.failures.count == 1)
      #expect(recorder.failures[0].contains("The group of the key \(concurrency) has 4 values, and nobody has asked"))
    }
  }

  @Test func `A group that has not been requested waits with its values, as far as they fit`() {
    let bench = GroupBench(demand: .max(1))
    bench.send(1)
    let reader = bench.subscribe(to: 0)
    bench.send(2, 11, 12)
    #expect(bench.groups.values.count == 1 && reader.values == [1, 11] && bench.outstanding == 1)
    bench.groups.request(.max(1))
    #expect(bench.subscribe(to: 1).values == [2, 12])
    #expect(bench.failure == nil && bench.outstanding == 1)
  }

  @Test func `A cancelled group begins anew with its next value`() {
    let bench = GroupBench()
    bench.send(1, 2)
    let first = bench.subscribe(to: 0)
    first.cancel()
    bench.send(11)
    #expect(bench.groups.values.map(\.key) == [1, 2, 1])
    #expect(bench.subscribe(to: 2).values == [11] && first.values == [1])
    #expect(first.complaints.isEmpty)
  }

  @Test func `A group that is released without a subscriber begins anew, too, and holds nothing`() {
    var keys: [Int] = []
    let cancellable = (0..<1_000).publisher.grouped(by: { $0 % 2 }, maxGroups: 2, buffer: 1)
      .filter { group in
        keys.append(group.key)
        return group.key == 1
      }
      .flatMap { $0 }
      .sink { _ in
      } receiveValue: { _ in
      }
    #expect(keys.filter { $0 == 1 }.count == 1 && keys.filter { $0 == 0 }.count == 500)
    withExtendedLifetime(cancellable) {}
  }

  @Test func `A cancel in the delivery of a value is the end of its group`() {
    let bench = GroupBench()
    let reader = GroupBench.Reader()
    bench.groups.onValue = { group in
      if bench.groups.values.count == 1 { group.subscribe(reader) }
      return .none
    }
    reader.onValue = { _ in
      reader.cancel()
      return .none
    }
    bench.send(1, 11)
    #expect(reader.values == [1] && bench.groups.values.count == 2)
  }

  @Test func `All groups end with upstream, behind what waits, and the end behind those that are not requested`() {
    let bench = GroupBench(demand: .max(1))
    bench.send(1, 2, 11)
    let reader = bench.subscribe(to: 0, demand: nil)
    bench.source.send(completion: .finished)
    #expect(bench.groups.completions.isEmpty && reader.completions.isEmpty)
    reader.request(.max(2))
    #expect(reader.values == [1, 11] && reader.isFinished)
    bench.groups.request(.max(1))
    #expect(bench.groups.isFinished)
    let late = bench.subscribe(to: 1)
    #expect(late.values == [2] && late.isFinished)
  }

  @Test func `A failure ends everything at once, and drops what waits`() {
    let bench = GroupBench(demand: .max(1))
    bench.send(1, 2)
    let reader = bench.subscribe(to: 0, demand: nil)
    bench.source.send(completion: .failure(.oops))
    #expect(reader.failures == [String(describing: TestError.oops)] && reader.values.isEmpty)
    #expect(bench.groups.failures == reader.failures && bench.groups.values.count == 1)
  }

  @Test func `Without downstream the groups with subscribers go on; upstream is cancelled with the last`() {
    let bench = GroupBench()
    bench.send(1, 2)
    let readers = [bench.subscribe(to: 0), bench.subscribe(to: 1)]
    bench.groups.cancel()
    bench.send(11, 3, 12)
    #expect(readers.map(\.values) == [[1, 11], [2, 12]] && bench.groups.values.count == 2)
    readers[0].cancel()
    #expect(bench.source.subscription?.cancellations == 0)
    readers[1].cancel()
    #expect(bench.source.subscription?.cancellations == 1)
    #expect(bench.groups.complaints.isEmpty && readers.allSatisfy(\.complaints.isEmpty))
  }

  @Test func `A cancel without groups, or with those that are not requested, goes upstream`() {
    for demand in [Subscribers.Demand.unlimited, .max(1)] {
      let bench = GroupBench(demand: demand)
      if demand == .max(1) {
        bench.send(1)
        bench.subscribe(to: 0).cancel()
        bench.send(2)
      }
      bench.groups.cancel()
      #expect(bench.source.subscription?.cancellations == 1)
    }
  }

  @Test func `A second subscriber of a group traps, and so do bounds below one`() async {
    let second = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let bench = GroupBench()
      bench.send(1)
      _ = bench.subscribe(to: 0)
      _ = bench.subscribe(to: 0)
    }
    expectMessage(second, "Group takes one subscriber, but got a second.")
    let bound = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Just(1).grouped(by: { $0 }, maxGroups: 0)
    }
    expectMessage(bound, "grouped(by:maxGroups:buffer:) takes a count of 1 or more")
  }

  @Test(arguments: ["finish", "fail", "cancel", "cancel the group", "overflow", "leave"])
  func `Nothing is left when the stream is over`(_ end: String) {
    var graveyard = Graveyard()
    do {
      let source = graveyard.watch(PassthroughSubject<Int, TestError>(), "source")
      let groups = graveyard.watch(Recorder<Int, any Error>(), "groups")
      let reader = graveyard.watch(GroupBench.Reader(), "reader")
      source.grouped(by: { $0 }, maxGroups: 2)
        .map { group in
          if group.key == 1 { group.subscribe(reader) }
          return 0
        }
        .subscribe(groups)
      source.send(1)
      source.send(2)
      switch end {
      case "finish": source.send(completion: .finished)
      case "fail": source.send(completion: .failure(.oops))
      case "cancel the group":
        reader.cancel()
        groups.cancel()
      case "overflow":
        (3...9).forEach(source.send)
        source.send(completion: .finished)
      case "leave":
        groups.cancel()
        source.send(completion: .finished)
      default:
        groups.cancel()
        reader.cancel()
      }
      reader.releaseSubscriptions()
      groups.releaseSubscriptions()
    }
    #expect(graveyard.survivors.isEmpty)
  }

  // MARK: Many keys, and threads

  @Test func `A hundred thousand groups at the same time get their values and end`() {
    var (count, ends) = (0, 0)
    let cancellable = (0..<200_000).publisher.grouped(by: { $0 % 100_000 }, maxGroups: 100_000, buffer: 1)
      .flatMap { $0.handleEvents(receiveCompletion: { _ in ends += 1 }) }
      .sink { _ in
      } receiveValue: { _ in
        count += 1
      }
    #expect(count == 200_000 && ends == 100_000)
    withExtendedLifetime(cancellable) {}
  }

  @Test func `Upstream, groups and requests on several threads lose nothing`() {
    for _ in 0..<50 {
      let subject = PassthroughSubject<Int, Never>()
      let readers = (0..<3).map { _ in Recorder<Int, any Error>(demand: nil) }
      let groups = Recorder<Int, any Error>()
      subject.buffer(size: 1_000, prefetch: .keepFull, whenFull: .dropNewest)
        .grouped(by: { $0 % 3 }, buffer: 2)
        .map { group in
          group.subscribe(readers[group.key])
          return group.key
        }
        .subscribe(groups)
      onThreads(4) { number in
        if number == 3 {
          for value in 0..<90 { subject.send(value) }
          subject.send(completion: .finished)
        } else {
          for _ in 0..<10 { readers[number].request(.max(1)) }
        }
      }
      for reader in readers { reader.request(.unlimited) }
      for (key, reader) in readers.enumerated() {
        // A subscriber that requested before its group existed got nothing for that.
        let expected = Array(stride(from: key, to: 90, by: 3))
        #expect(reader.values == expected && reader.isFinished && !reader.hasOverlapped)
      }
      #expect(groups.isFinished && Set(groups.values) == [0, 1, 2])
    }
  }

  @Test func `Cancels of groups and of downstream on several threads`() {
    for round in 0..<200 {
      let subject = PassthroughSubject<Int, Never>()
      let readers = (0..<2).map { _ in Recorder<Int, any Error>() }
      let groups = Recorder<Int, any Error>()
      let isNew = Locked([true, true])
      subject.buffer(size: 100, prefetch: .keepFull, whenFull: .dropNewest).grouped(by: { $0 % 2 })
        .map { group in
          let first = isNew.change { isNew in exchange(&isNew[group.key], with: false) }
          if first { group.subscribe(readers[group.key]) }
          return group.key
        }
        .subscribe(groups)
      subject.send(0)
      subject.send(1)
      onThreads([
        { for value in 0..<20 { subject.send(value) } },
        { readers[round % 2].cancel() },
        { groups.cancel() },
        { if round.isMultiple(of: 3) { readers[1 - round % 2].cancel() } },
      ])
      subject.send(completion: .finished)
      #expect(readers.allSatisfy { !$0.hasOverlapped })
      #expect(round.isMultiple(of: 3) || readers[1 - round % 2].values.count == 11)
    }
  }
}

/// Subjects upstream of groups, to which a subscriber sends while it receives a value.
@Suite struct GroupedSendingTests {
  @Test func `What a subscriber sends from within a value is delivered after it`() {
    let subject = PassthroughSubject<Int, Never>()
    var values: [Int] = []
    let cancellable = subject.grouped { $0 % 2 }.flatMap { $0 }.sink { _ in
    } receiveValue: {
      values.append($0)
      if $0 == 1 {
        subject.send(2)
        subject.send(3)
      }
    }
    subject.send(1)
    subject.send(5)
    #expect(values == [1, 2, 3, 5])
    withExtendedLifetime(cancellable) {}
  }

  @Test(arguments: [2, 16, .max])
  func `Any number is delivered, in any number of groups, whatever the bound`(_ buffer: Int) {
    for keys in [1, 2, 7] {
      let subject = PassthroughSubject<Int, Never>()
      var values: [Int] = []
      let cancellable = subject.grouped(by: { $0 % keys }, buffer: buffer).flatMap { $0 }.sink { _ in
      } receiveValue: {
        values.append($0)
        if $0 % 1_000 == 0 { for value in $0 + 1...$0 + 300 { subject.send(value) } }
      }
      for value in stride(from: 0, to: 5_000, by: 1_000) { subject.send(value) }
      #expect(values.count == 5 * 301)
      for key in 0..<keys {
        let ofKey = values.filter { $0 % keys == key }
        #expect(ofKey == ofKey.sorted())
      }
      withExtendedLifetime(cancellable) {}
    }
  }

  @Test func `A subscriber that sends to a new group each time loses nothing`() {
    let subject = PassthroughSubject<Int, Never>()
    var values: [Int] = []
    let cancellable = subject.grouped(by: { $0 }, buffer: 2).flatMap { $0 }.sink { _ in
    } receiveValue: {
      values.append($0)
      if $0 < 100 { subject.send($0 + 1) }
    }
    subject.send(1)
    #expect(values == Array(1...100))
    withExtendedLifetime(cancellable) {}
  }

  @Test(arguments: [1, 2, 3, 7, 100])
  func `One that answers each value with one for another group loses nothing, and does not grow the stack`(_ keys: Int)
  {
    onSmallStack {
      let subject = PassthroughSubject<Int, Never>()
      var values: [Int] = []
      let cancellable = subject.grouped(by: { $0 % keys }, buffer: 2).flatMap { $0 }.sink { _ in
      } receiveValue: {
        values.append($0)
        if $0 < 10_000 { subject.send($0 + 1) }
      }
      subject.send(1)
      #expect(values == Array(1...10_000))
      withExtendedLifetime(cancellable) {}
    }
  }

  @Test func `Once all groups are unlimited, as much as fits into a group is requested ahead`() {
    let bench = GroupBench(buffer: 4)
    #expect(bench.outstanding == 4)
    bench.send(1)
    #expect(bench.outstanding == 3, "the group has no subscriber")
    let reader = bench.subscribe(to: 0)
    #expect(reader.values == [1] && bench.outstanding == 4)
    bench.send(11, 21)
    #expect(reader.values == [1, 11, 21] && bench.outstanding == 4)
    // Values that were requested have room in a group that begins later, and no more are requested while its subscriber
    // is slow.
    bench.send(2, 12, 22, 32)
    #expect(bench.outstanding == 0)
    let slow = bench.subscribe(to: 1, demand: .max(1))
    #expect(slow.values == [2] && bench.outstanding == 1)
    bench.send(3)
    #expect(bench.outstanding == 1)
    _ = bench.subscribe(to: 2)
    slow.request(.unlimited)
    #expect(slow.values == [2, 12, 22, 32] && bench.outstanding == 4)
    #expect(reader.complaints.isEmpty && slow.complaints.isEmpty && bench.groups.complaints.isEmpty)
  }

  @Test func `Everything is requested where a group may keep everything`() {
    let source = ManualPublisher<Int, TestError>()
    let cancellable = source.grouped(by: { $0 }, buffer: .max).flatMap { $0 }.sink { _ in
    } receiveValue: { _ in
    }
    #expect(source.calls == [.requested(.unlimited)])
    withExtendedLifetime(cancellable) {}
  }
}
