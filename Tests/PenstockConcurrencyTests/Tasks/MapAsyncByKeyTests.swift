// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockConcurrency
import TestSupport
import Testing

/// A value with a key; its name shows both, as in `a1`.
private struct Item: Sendable, CustomStringConvertible {
  let key: String
  let number: Int

  var description: String { "\(key)\(number)" }
}

/// A key that counts how many of its kind are in a table.
private final class CountedKey: Hashable, Sendable {
  let name: Int
  let living: Locked<(now: Int, most: Int)>

  init(_ name: Int, _ living: Locked<(now: Int, most: Int)>) {
    (self.name, self.living) = (name, living)
    living.change {
      $0.now += 1
      $0.most = max($0.most, $0.now)
    }
  }

  deinit { living.change { $0.now -= 1 } }

  static func == (one: CountedKey, other: CountedKey) -> Bool { one.name == other.name }
  func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// A key that runs a test's code when it is hashed.
private struct TalkingKey: Hashable, Sendable {
  let name: Int
  let talk: @Sendable () -> Void

  static func == (one: TalkingKey, other: TalkingKey) -> Bool { one.name == other.name }
  func hash(into hasher: inout Hasher) {
    talk()
    hasher.combine(name)
  }
}

@Suite struct MapAsyncByKeyTests {
  private static let widths: [Subscribers.Demand] = [.max(1), .max(2), .max(3), .max(8), .max(40), .unlimited]

  @Test(arguments: widths)
  func `Every value is transformed, one of a key at a time and in its order`(_ width: Subscribers.Demand) async {
    let running = Locked<[Int: Int]>([:])
    let overlaps = Locked(0)
    let probe = Probe<Int, Never>()
    (0..<400).publisher.mapAsync(maxTasks: width, by: { $0 % 7 }) { number in
      if running.change({
        $0[number % 7, default: 0] += 1
        return $0[number % 7] != 1
      }) {
        overlaps.change { $0 += 1 }
      }
      for _ in 0..<number % 5 { await Task.yield() }
      running.change { $0[number % 7, default: 0] -= 1 }
      return number
    }.subscribe(probe.recorder)
    #expect(await probe.completion() == .finished)
    #expect(probe.recorder.values.sorted() == Array(0..<400))
    for key in 0..<7 {
      let values = probe.recorder.values.filter { $0 % 7 == key }
      #expect(values == values.sorted())
    }
    #expect(overlaps.value == 0 && probe.isLawful)
  }

  @Test func `A value waits for its own key alone, and starts when the one before it has ended`() async {
    let work = Work()
    let probe = Probe<Int, Never>()
    // The tens are the keys.
    [11, 12, 13, 21, 22, 31].publisher.mapAsync(maxTasks: .max(6), by: { $0 / 10 }) { number in
      await work.run(number)
      return number
    }.subscribe(probe.recorder)
    #expect(await reached { work.started.count == 3 })
    #expect(work.started.sorted() == [11, 21, 31])
    // Out of order among the keys, while 11 takes its time.
    for (before, number) in [21, 22, 31].enumerated() {
      work.open(number)
      #expect(await probe.values(before + 1)?.last == number)
    }
    #expect(work.started.suffix(1) == [22])
    // Ending early changes nothing for values with the same key.
    work.open(13)
    #expect(work.started.last == 22)
    work.open(11)
    #expect(await probe.values(4)?.last == 11)
    #expect(await reached { work.started.last == 12 })
    work.open(12)
    #expect(await probe.completion() == .finished)
    #expect(work.started.last == 13)
    #expect(probe.recorder.values == [21, 22, 31, 11, 12, 13])
    #expect(probe.isLawful)
  }

  @Test func `One more value is requested per result, and one key may take all places`() async {
    let work = Work()
    let upstream = ManualPublisher<Int, Never>()
    let probe = Probe<Int, Never>()
    upstream.mapAsync(maxTasks: .max(3), by: { $0 / 10 }) { number in
      await work.run(number)
      return number
    }.subscribe(probe.recorder)
    func granted() -> Int { upstream.subscription?.requests.compactMap(\.max).reduce(0, +) ?? 0 }
    var more = 0
    func send(_ number: Int) { more += upstream.send(number).max ?? 0 }
    #expect(granted() == 3)
    for number in 11...13 { send(number) }
    #expect(await reached { work.started == [11] })
    #expect(granted() + more == 3)
    for number in 11...30 {
      work.open(number)
      #expect(await reached { probe.count == number - 10 })
      #expect(await reached { granted() + more == number - 7 })
      send(number + 3)
    }
    #expect(probe.recorder.values.count == 20)
    #expect(probe.isLawful)
    probe.recorder.cancel()
    #expect(upstream.subscription?.cancellations == 1)
    #expect(await reached { work.ended.count == work.started.count })
  }

  @Test(arguments: [2, 3, 8])
  func `Results wait for demand in the order of their ends, and hold up upstream`(_ count: Int) async {
    for keys in [1, 2] {
      let started = Locked(0)
      let numbers = Locked(0)
      let probe = Probe<Int, Never>(demand: nil)
      (1...60).publisher.handleEvents(receiveOutput: { _ in numbers.change { $0 += 1 } })
        .mapAsync(maxTasks: .max(count), by: { $0 % keys }) { number in
          started.change { $0 += 1 }
          return number
        }.subscribe(probe.recorder)
      #expect(await reached { started.value == count })
      #expect(numbers.value == count && probe.count == 0)
      for demand in [1, 2, 5] {
        let before = probe.count
        probe.recorder.request(.max(demand))
        #expect(await reached { probe.count == before + demand })
        #expect(await reached { started.value == count + before + demand })
        #expect(numbers.value == count + before + demand)
      }
      for key in 0..<keys {
        let values = probe.recorder.values.filter { $0 % keys == key }
        #expect(values == values.sorted())
      }
      probe.recorder.cancel()
      #expect(probe.isLawful)
    }
  }

  @Test func `Results that wait for demand come in the order of their ends`() async {
    let work = Work()
    let probe = Probe<Int, Never>(demand: nil)
    [11, 12, 13, 21, 22].publisher.mapAsync(maxTasks: .max(5), by: { $0 / 10 }) { number in
      await work.run(number)
      return number
    }.subscribe(probe.recorder)
    for number in [11, 12, 21] {
      work.open(number)
      // The next value of the key starts when the result has been handed on.
      #expect(await reached { work.started.contains(number + 1) })
    }
    #expect(probe.count == 0)
    probe.recorder.request(.max(3))
    #expect(probe.recorder.values == [11, 12, 21])
    for number in [13, 22] { work.open(number) }
    probe.recorder.request(.max(2))
    #expect(await probe.completion() == .finished)
    #expect(probe.recorder.values.count == 5 && probe.isLawful)
  }

  @Test func `What a closure throws ends the stream, and what waits for the key never starts`() async {
    for _ in 0..<50 {
      let work = Work()
      let upstream = ManualPublisher<Int, TestError>()
      let probe = Probe<Int, TestError>()
      upstream.mapAsync(maxTasks: .max(6), by: { $0 / 10 }) { (number: Int) async throws(TestError) -> Int in
        await work.run(number)
        if number == 11 { throw .oops }
        return number
      }.subscribe(probe.recorder)
      for number in [11, 12, 13, 21, 22] { upstream.send(number) }
      #expect(await reached { work.started.count == 2 })
      work.open(11)
      #expect(await probe.completion() == .failure(.oops))
      #expect(upstream.subscription?.cancellations == 1)
      #expect(await reached { work.ended.count >= 2 && work.ended.count == work.started.count })
      upstream.send(14)
      upstream.send(31)
      #expect(work.started.sorted() == [11, 21] && work.cancelled == [21])
      #expect(probe.recorder.values.isEmpty && probe.isLawful)
    }
  }

  @Test func `What waits for a key does not start behind a failure that waits for the end of a delivery`() async {
    let (work, gate, isDelivering) = (Work(), Gate(), Locked(false))
    let probe = Probe<Int, TestError>(
      demand: nil,
      onValue: { _ in
        isDelivering.change { $0 = true }
        gate.wait()
        return .none
      })
    [21, 22, 11, 12].publisher.mapAsync(maxTasks: .max(4), by: { $0 / 10 }) {
      (number: Int) async throws(TestError) -> Int in
      await work.run(number)
      if number == 11 { throw .oops }
      return number
    }.subscribe(probe.recorder)
    work.open(21)
    #expect(await reached { work.started.contains(22) })
    // A separate thread, since tasks have few.
    Thread.detachNewThread { probe.recorder.request(.max(1)) }
    #expect(await reached { isDelivering.value })
    work.open(11)
    #expect(await reached { work.ended.contains(11) })
    // Time for a start that must not happen.
    for _ in 0..<1_000 { await Task.yield() }
    gate.open()
    #expect(await probe.completion() == .failure(.oops))
    #expect(!work.started.contains(12) && probe.recorder.values == [21] && probe.isLawful)
  }

  @Test func `A failure of upstream, or a cancel, ends all at once, and what waits never starts`() async {
    for round in 0..<50 {
      let work = Work()
      let graveyard = Locked(Graveyard())
      let upstream = ManualPublisher<Item, TestError>()
      let probe = Probe<Int, TestError>()
      upstream.mapAsync(maxTasks: .unlimited, by: \.key) { (item: Item) async throws(TestError) -> Int in
        let kept = graveyard.change { $0.watch(Canary()) }
        await work.run(item.number)
        return withExtendedLifetime(kept) { item.number }
      }.subscribe(probe.recorder)
      for number in 0..<20 { upstream.send(Item(key: number % 4 < 2 ? "a" : "b", number: number)) }
      #expect(await reached { work.started.count == 2 })
      if round % 2 == 0 {
        upstream.send(completion: .failure(.oops))
        #expect(await probe.completion() == .failure(.oops))
      } else {
        probe.recorder.cancel()
        #expect(!probe.isOver)
      }
      #expect(await reached { work.ended.count >= 2 && work.ended.count == work.started.count })
      #expect(work.started.sorted() == [0, 2] && work.cancelled.count == 2)
      #expect(await reached { graveyard.value.survivors.isEmpty })
      #expect(probe.recorder.values.isEmpty && probe.isLawful)
    }
  }

  @Test(arguments: widths)
  func `A cancel at any point cancels what runs, and nothing comes after it`(_ width: Subscribers.Demand) async {
    for last in 0..<12 {
      let counts = Locked((started: 0, ended: 0, values: 0))
      let stop = Locked<(any Subscription)?>(nil)
      let probe = Probe<Int, Never>()
      probe.recorder.onSubscription = { subscription in
        stop.change { $0 = subscription }
        if last == 0 { subscription.cancel() }
      }
      (1...40).publisher.mapAsync(maxTasks: width, by: { $0 % 3 }) { number in
        counts.change { $0.started += 1 }
        for _ in 0..<number % 3 { await Task.yield() }
        counts.change { $0.ended += 1 }
        return number
      }
      .handleEvents(receiveOutput: { _ in
        let count = counts.change {
          $0.values += 1
          return $0.values
        }
        if count == last { stop.value?.cancel() }
      })
      .subscribe(probe.recorder)
      #expect(await reached { counts.value.values >= last && counts.value.started == counts.value.ended })
      #expect(counts.value.values == last)
      #expect(!probe.isOver)
      stop.change { $0 = nil }
      probe.recorder.releaseSubscriptions()
    }
  }

  @Test func `A value that is sent from inside a delivery comes behind those of its key`() async {
    let subject = PassthroughSubject<Int, Never>()
    let sent = Locked<[Int]>([])
    let send = { @Sendable (number: Int) in
      sent.change { $0.append(number) }
      subject.send(number)
    }
    let probe = Probe<Int, Never>(onValue: { number in
      if number < 100 {
        // A result that is already available is delivered within the first of these calls, and then sends before the
        // second.
        send(number + 10)
        send(number + 10_000)
      }
      return .none
    })
    subject.mapAsync(maxTasks: .unlimited, by: { $0 % 10 }) { $0 }.subscribe(probe.recorder)
    for number in 0..<10 { send(number) }
    #expect(await reached { probe.count == 210 })
    for key in 0..<10 {
      #expect(probe.recorder.values.filter { $0 % 10 == key } == sent.value.filter { $0 % 10 == key })
    }
    subject.send(completion: .finished)
    #expect(await probe.completion() == .finished)
    #expect(probe.isLawful)
  }

  @Test func `A key may send while it is looked up, and while it is made`() async {
    let subject = PassthroughSubject<Int, Never>()
    let next = Locked(100)
    let talk: @Sendable () -> Void = {
      let number = next.change { next in
        next += 1
        return next
      }
      if number <= 130 { subject.send(number) }
    }
    let probe = Probe<Int, Never>()
    subject.mapAsync(
      maxTasks: .unlimited,
      by: { number in
        if number == 7 { subject.send(8) }
        return TalkingKey(name: number % 2, talk: talk)
      }
    ) { $0 }.subscribe(probe.recorder)
    for number in 1...10 where number != 8 { subject.send(number) }
    #expect(await reached { probe.count == 40 })
    #expect(Set(probe.recorder.values) == Set(1...10).union(101...130))
    probe.recorder.cancel()
    #expect(probe.isLawful)
  }

  @Test(arguments: [Subscribers.Demand.max(16), .unlimited])
  func `Closures that return at once need no stack, however many values a key has`(
    _ width: Subscribers.Demand
  ) async {
    let probe = Probe<Int, Never>()
    let count = 100_000.sampled(oneIn: 5)
    (0..<count).publisher.mapAsync(maxTasks: width, by: { _ in 0 }) { $0 }.subscribe(probe.recorder)
    #expect(await probe.completion() == .finished)
    #expect(Array(probe.recorder.values) == Array(0..<count))
    #expect(probe.isLawful)
  }

  @Test func `Nothing is kept for a key without a value, however many there are`() async {
    let living = Locked((now: 0, most: 0))
    let end = PassthroughSubject<Int, Never>()
    let probe = Probe<Int, Never>()
    let count = 100_000.sampled(oneIn: 5)
    (0..<count).publisher.append(end).mapAsync(maxTasks: .max(8), by: { CountedKey($0, living) }) { $0 }
      .subscribe(probe.recorder)
    #expect(await reached { probe.count == count })
    // The stream continues.
    #expect(await reached { living.value.now == 0 })
    #expect(living.value.most < 100)
    end.send(completion: .finished)
    #expect(await probe.completion() == .finished)
  }

  @Test func `Keys that wait or run are released after a cancel and after a failure`() async {
    for isCancelled in [true, false] {
      let work = Work()
      let living = Locked((now: 0, most: 0))
      let upstream = ManualPublisher<Int, TestError>()
      let probe = Probe<Int, TestError>()
      upstream.mapAsync(maxTasks: .unlimited, by: { CountedKey($0 / 10, living) }) {
        (number: Int) async throws(TestError) -> Int in
        await work.run(number)
        throw .oops
      }.subscribe(probe.recorder)
      for number in 10..<60 { upstream.send(number) }
      #expect(await reached { work.started.count == 5 })
      if isCancelled { probe.recorder.cancel() } else { work.open(10) }
      #expect(await reached { work.ended.count >= 5 && work.ended.count == work.started.count })
      #expect(work.started.count == 5)
      // Upstream still refers to its subscriber.
      #expect(await reached { living.value.now == 0 })
      upstream.releaseSubscribers()
    }
  }

  @Test(.enabled(if: ProcessInfo.processInfo.activeProcessorCount > 1))
  func `The next value of a key starts while the result before it is being delivered`() async {
    let gate = Gate()
    let started = Locked<[Int]>([])
    let probe = Probe<Int, Never>(onValue: { number in
      if number == 1 { gate.wait() }
      return .none
    })
    let hasSent = Locked(false)
    (1...2).publisher.mapAsync(maxTasks: .max(2), by: { _ in 0 }) { number in
      started.change { $0.append(number) }
      // A result that is available sooner is delivered before the second value is sent.
      _ = await reached { hasSent.value }
      return number
    }.subscribe(probe.recorder)
    hasSent.change { $0 = true }
    #expect(await reached { started.value == [1, 2] })
    #expect(probe.count == 0)
    gate.open()
    #expect(await probe.completion() == .finished)
    #expect(probe.recorder.values == [1, 2] && probe.isLawful)
  }

  @Test func `Upstream that cannot fail, and one with other failures, take closures that throw`() async {
    let typed = Probe<Int, TestError>()
    [1].publisher.mapAsync(maxTasks: .max(2), by: { $0 }) { (_: Int) async throws(TestError) -> Int in throw .oops }
      .subscribe(typed.recorder)
    #expect(await typed.completion() == .failure(.oops))
    let other = Probe<Int, any Error>()
    Fail<Int, TestError>(error: .oops).tryMapAsync(maxTasks: .max(2), by: { $0 }) { number throws in number }
      .subscribe(other.recorder)
    guard case .failure(let error) = await other.completion() else {
      Issue.record("no failure")
      return
    }
    #expect(error as? TestError == .oops)
    let never = Probe<Int, Never>()
    [1].publisher.mapAsync(maxTasks: .max(2), by: \.self, priority: .low) { $0 }.subscribe(never.recorder)
    #expect(await never.completion() == .finished)
  }

  @Test func `A value that has waited has the task-local values of the code that delivered it`() async {
    let work = Work()
    let subject = PassthroughSubject<Int, Never>()
    let probe = Probe<String, Never>()
    Trace.$name.withValue("subscriber") {
      subject.mapAsync(maxTasks: .unlimited, by: { _ in 0 }) { number in
        await work.run(number)
        return Trace.name
      }.subscribe(probe.recorder)
    }
    Trace.$name.withValue("sender") { subject.send(1) }
    elsewhere { subject.send(2) }
    Trace.$name.withValue("last") { subject.send(3) }
    for number in 1...3 { work.open(number) }
    #expect(await probe.values(3) == ["sender", "none", "last"])
    probe.recorder.cancel()
  }

  @Test(arguments: widths)
  func `Nothing is left in memory`(_ width: Subscribers.Demand) async {
    for isCancelled in [false, true] {
      var graveyard = Graveyard()
      do {
        let canary = graveyard.watch(Canary(), "captured")
        let values = (0..<6).map { graveyard.watch(Canary(), "value \($0)") }
        let subject = graveyard.watch(PassthroughSubject<Canary, Never>(), "subject")
        let probe = graveyard.watch(Probe<Canary, Never>(), "probe")
        let odd = Set(values.indices.filter { $0 % 2 == 1 }.map { ObjectIdentifier(values[$0]) })
        subject.buffer(size: 9, prefetch: .keepFull, whenFull: .dropNewest)
          .mapAsync(maxTasks: width, by: { odd.contains(ObjectIdentifier($0)) }) { value in
            for _ in 0..<3 { await Task.yield() }
            return withExtendedLifetime(canary) { value }
          }.subscribe(probe.recorder)
        for value in values { subject.send(value) }
        if isCancelled {
          #expect(await reached { probe.count > 1 })
          probe.recorder.subscription?.cancel()
        } else {
          subject.send(completion: .finished)
          #expect(await probe.completion() == .finished)
        }
        probe.recorder.releaseSubscriptions()
      }
      #expect(await reached { graveyard.survivors.isEmpty }, "\(graveyard.survivors)")
    }
  }
}
