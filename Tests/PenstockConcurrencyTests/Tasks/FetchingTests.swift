// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockConcurrency
import TestSupport
import Testing

/// A client that reads numbers in batches, and records what it is asked for.
private final class Store: Sendable {
  struct State: Sendable {
    var next = 1
    var asked: [Int] = []
    var running = 0
    var most = 0
  }

  let state = Locked(State())
  let end: Int
  /// Called in each read with its number.
  let before: @Sendable (Int) async -> Void

  init(_ end: Int = .max, before: @escaping @Sendable (Int) async -> Void = { _ in await Task.yield() }) {
    self.end = end
    self.before = before
  }

  var asked: [Int] { state.value.asked }

  /// - Parameter surplus: How many more values are returned than are asked for.
  func read(_ count: Int, surplus: Int = 0) async -> [Int]? {
    let number = state.change { state in
      state.asked.append(count)
      state.running += 1
      state.most = max(state.most, state.running)
      return state.asked.count
    }
    await before(number)
    return state.change { state in
      state.running -= 1
      guard state.next <= end else { return nil }
      let last = min(end, state.next - 1 + count + surplus)
      defer { state.next = last + 1 }
      return Array(state.next...last)
    }
  }
}

@Suite struct FetchingTests {
  @Test(arguments: [nil, 0, 3] as [Int?], [1, 3])
  func `Everything that is fetched is published, and then the end`(_ mark: Int?, _ calls: Int) async {
    let store = Store(1_000)
    let probe = Probe<Int, Never>()
    Publishers.fetching(batch: 1...7, refillAt: mark, maxCalls: calls) { await store.read($0) }
      .subscribe(probe.recorder)
    #expect(await probe.completion() == .finished)
    // With several calls the order is that in which they return.
    #expect((calls == 1 ? probe.recorder.values : probe.recorder.values.sorted()) == Array(1...1_000))
    #expect(store.asked.allSatisfy { $0 == 7 })
    #expect(store.state.value.most <= calls)
    #expect(probe.isLawful)
  }

  @Test func `What is requested is asked for, within the bounds of a batch`() async {
    let store = Store()
    let probe = Probe<Int, Never>(demand: nil)
    Publishers.fetching(batch: 2...5) { await store.read($0) }.subscribe(probe.recorder)
    for (demand, asked) in [(4, [4]), (1, [2]), (1, []), (12, [5, 5, 2]), (3, [3])] {
      let (count, before) = (probe.count, store.asked.count)
      probe.recorder.request(.max(demand))
      #expect(await reached { probe.count == count + demand })
      // The surplus of a smallest batch is delivered before anything is fetched.
      #expect(Array(store.asked.dropFirst(before)) == asked, "a demand of \(demand)")
    }
    #expect(probe.recorder.values == Array(1...21))
    probe.recorder.cancel()
  }

  @Test func `Nothing is fetched without demand`() async {
    let (store, started) = (Store(), Locked(false))
    let probe = Probe<Int, Never>(demand: nil)
    Publishers.fetching(batch: 1...8) { await store.read($0) }.subscribe(probe.recorder)
    // Another subscriber's values have come from the same pool of threads.
    let other = Probe<Int, Never>(demand: .max(3))
    Publishers.fetching(batch: 1...8) { count in
      started.change { $0 = true }
      return Array(0..<count)
    }.subscribe(other.recorder)
    #expect(await other.values(3) == [0, 1, 2])
    #expect(started.value && store.asked.isEmpty)
    for probe in [probe, other] { probe.recorder.cancel() }
  }

  @Test func `A batch is read ahead, and the next when as little is left as the mark says`() async {
    let store = Store()
    let probe = Probe<Int, Never>(demand: nil)
    Publishers.fetching(batch: 1...6, refillAt: 2) { await store.read($0) }.subscribe(probe.recorder)
    #expect(await reached { store.state.value.next == 7 })
    for (demand, next) in [(3, 7), (1, 11), (10, 21)] {
      probe.recorder.request(.max(demand))
      #expect(await reached { store.state.value.next == next && store.state.value.running == 0 })
    }
    #expect(await probe.values(14) == Array(1...14))
    #expect(store.asked == [6, 4, 6, 4])
    probe.recorder.cancel()
  }

  @Test func `The credit is never above what is requested and the stated read-ahead`() async {
    for (mark, ahead) in [(nil, 0), (0, 8), (5, 8)] as [(Int?, Int)] {
      let store = Store()
      let requested = Locked(5)
      let broken = Locked<[Int]>([])
      let probe = Probe<Int, Never>(demand: .max(5)) { value in
        if value % 5 != 0 || value >= 2_000 { return .none }
        let more = value % 3 + 5
        requested.change { $0 += more }
        return .max(more)
      }
      Publishers.fetching(batch: 1...8, refillAt: mark, maxCalls: 3) { count -> [Int]? in
        let asked = store.state.change { $0.asked.reduce(0, +) } + count
        let limit = requested.value + ahead
        if asked > limit { broken.change { $0.append(asked - limit) } }
        return await store.read(count)
      }.subscribe(probe.recorder)
      #expect(await reached { probe.count >= 2_000 })
      #expect(broken.value.isEmpty, "with the mark \(mark as Any)")
      #expect(probe.isLawful)
      probe.recorder.cancel()
    }
  }

  @Test func `What a client returns beyond what it was asked for waits`() async {
    let store = Store(20)
    let probe = Probe<Int, Never>(demand: .max(2))
    Publishers.fetching(batch: 1...4) { await store.read($0, surplus: 5) }.subscribe(probe.recorder)
    #expect(await probe.values(2) == [1, 2])
    probe.recorder.request(.max(6))
    #expect(await probe.values(8) == Array(1...8))
    #expect(store.asked == [2, 1], "the surplus of the first call is used up before the second")
    probe.recorder.request(.unlimited)
    #expect(await probe.completion() == .finished)
    #expect(probe.recorder.values == Array(1...20))
  }

  @Test(arguments: [nil, 1] as [Int?])
  func `A batch without values is no end`(_ mark: Int?) async {
    let calls = Locked(0)
    let probe = Probe<Int, Never>()
    Publishers.fetching(batch: 1...2, refillAt: mark) { _ -> [Int]? in
      let number = calls.change {
        $0 += 1
        return $0
      }
      return number > 30 ? nil : number.isMultiple(of: 10) ? [number] : []
    }.subscribe(probe.recorder)
    #expect(await probe.completion() == .finished)
    #expect(probe.recorder.values == [10, 20, 30])
  }

  @Test(arguments: [1, 4])
  func `A failure follows what has been fetched, that of other calls included`(_ calls: Int) async {
    let store = Store()
    let probe = Probe<Int, TestError>(demand: .max(4))
    Publishers.fetching(batch: 3...3, refillAt: 2, maxCalls: calls) { count async throws(TestError) -> [Int]? in
      let values = await store.read(count)
      if values?.first == 7 { throw .oops }
      return values
    }.subscribe(probe.recorder)
    #expect(await reached { store.state.value.next > 7 && store.state.value.running == 0 })
    #expect(!probe.isOver)
    probe.recorder.request(.unlimited)
    #expect(await probe.completion() == .failure(.oops))
    let values = probe.recorder.values.sorted()
    #expect(values.starts(with: 1...6) && !values.contains(7) && values.count == store.state.value.next - 4)
    #expect(probe.isLawful)
  }

  @Test func `A failure cancels the calls that run`() async {
    let work = Work()
    let probe = Probe<Int, TestError>()
    let numbers = Locked(0)
    Publishers.fetching(batch: 1...1, maxCalls: 3) { _ async throws(TestError) -> [Int]? in
      let number = numbers.change {
        $0 += 1
        return $0
      }
      await work.run(number)
      if number == 2 { throw .oops }
      return [number]
    }.subscribe(probe.recorder)
    #expect(await reached { work.started.count == 3 })
    work.open(2)
    #expect(await probe.completion() == .failure(.oops))
    #expect(work.cancelled.sorted() == [1, 3])
    #expect(probe.recorder.values.sorted() == [1, 3], "what they return is not lost")
  }

  @Test(arguments: [nil, 1] as [Int?])
  func `A cancel cancels the call, and what it returns can be handed back`(_ mark: Int?) async {
    let (work, store, dropped) = (Work(), Store(), Locked<[Int]>([]))
    let probe = Probe<Int, Never>(demand: .max(2))
    Publishers.fetching(batch: 1...4, refillAt: mark, onDrop: { value in dropped.change { $0.append(value) } }) {
      count in
      let values = await store.read(count)
      if values?.contains(3) == true { await work.run(1) }
      return values
    }.subscribe(probe.recorder)
    if mark == nil {
      #expect(await probe.values(2) == [1, 2])
      probe.recorder.request(.max(2))
    }
    #expect(await reached { work.started == [1] })
    probe.recorder.cancel()
    #expect(work.cancelled == [1])
    #expect(await reached { dropped.value.count == store.state.value.next - 1 - probe.count })
    #expect(probe.recorder.values + dropped.value == Array(1..<store.state.value.next))
    #expect(probe.isLawful)
  }

  @Test(arguments: 1...12)
  func `A cancel during any delivery is the last thing that happens`(_ last: Int) async {
    let (store, dropped) = (Store(), Locked<[Int]>([]))
    let stop = Locked<(any Subscription)?>(nil)
    let probe = Probe<Int, Never>(demand: .unlimited) {
      if $0 == last { stop.value?.cancel() }
      return .max(1)
    }
    probe.recorder.onSubscription = { subscription in stop.change { $0 = subscription } }
    Publishers.fetching(batch: 1...5, onDrop: { value in dropped.change { $0.append(value) } }) { await store.read($0) }
      .subscribe(probe.recorder)
    let fetched = (last + 4) / 5 * 5
    #expect(await reached { probe.count == last && dropped.value.count == fetched - last })
    #expect(probe.recorder.values == Array(1...last) && !probe.isOver)
    #expect(dropped.value == Array(1...fetched).suffix(fetched - last))
    stop.change { $0 = nil }
  }

  @Test func `A cancel in the introduction calls nothing`() {
    let store = Store()
    let probe = Probe<Int, Never>()
    probe.recorder.onSubscription = { $0.cancel() }
    Publishers.fetching(batch: 1...5, refillAt: 0) { await store.read($0) }.subscribe(probe.recorder)
    #expect(store.asked.isEmpty)
  }

  @Test func `Requests and cancels of many threads keep the count`() async {
    let store = Store()
    let probe = Probe<Int, Never>(demand: nil)
    Publishers.fetching(batch: 1...9, refillAt: 4, maxCalls: 2) { await store.read($0) }.subscribe(probe.recorder)
    onThreads(4) { _ in for _ in 0..<500 { probe.recorder.request(.max(2)) } }
    #expect(await reached { probe.count == 4_000 })
    onThreads(4) { _ in probe.recorder.subscription?.cancel() }
    #expect(probe.count == 4_000 && probe.isLawful)
  }

  /// A subscriber that, when it has received a value, meets the thread that requests the next one.
  private final class Meeter: Subscriber, @unchecked Sendable {
    // `@unchecked`: a subscription may be of any type, and any thread may call it.
    let (meeting, subscription, count) = (Meeting(), Locked<(any Subscription)?>(nil), Locked(0))

    func receive(subscription: any Subscription) {
      self.subscription.change { $0 = subscription }
      subscription.request(.max(1))
    }

    func receive(_ input: Int) -> Subscribers.Demand {
      meeting.wait(
        count.change { count in
          count += 1
          return count - 1
        })
      return .none
    }

    func receive(completion: Subscribers.Completion<Never>) {}
  }

  @Test func `A request that comes when the task is about to wait for one wakes it`() async {
    let (meeter, rounds) = (Meeter(), 20_000)
    Publishers.fetching(batch: 500...500) { Array(0..<$0) }.subscribe(meeter)
    let subscription = UncheckedBox(meeter.subscription.value!)
    let requests: @Sendable () -> Void = {
      for round in 0..<rounds {
        meeter.meeting.wait(round, longer: round % 400)
        subscription.value.request(.max(1))
      }
      meeter.meeting.wait(rounds)
    }
    await withCheckedContinuation { done in
      // Not on the test's thread, which the task may need.
      Thread.detachNewThread {
        onThreads(within: 1_200, [requests])
        done.resume()
      }
    }
    #expect(meeter.count.value == rounds + 1)
    subscription.value.cancel()
  }

  @Test func `Nothing is left in memory, after the end and after a cancel`() async {
    for isCancelled in [false, true] {
      weak var leak: Store?
      let probe = Probe<Int, Never>(demand: .max(3))
      do {
        let store = Store(isCancelled ? .max : 5)
        leak = store
        Publishers.fetching(batch: 1...2, refillAt: 1) { await store.read($0) }.subscribe(probe.recorder)
      }
      _ = await probe.values(3)
      if isCancelled { probe.recorder.cancel() } else { probe.recorder.request(.max(3)) }
      #expect(await reached { leak == nil })
    }
  }

  @Test func `Its numbers have to fit together`() async {
    await #expect(processExitsWith: .failure) { _ = Publishers.fetching(batch: 0...3) { _ -> [Int]? in [] } }
    await #expect(processExitsWith: .failure) {
      _ = Publishers.fetching(batch: 1...3, refillAt: 3) { _ -> [Int]? in [] }
    }
    await #expect(processExitsWith: .failure) {
      _ = Publishers.fetching(batch: 1...3, refillAt: -1) { _ -> [Int]? in [] }
    }
    await #expect(processExitsWith: .failure) {
      _ = Publishers.fetching(batch: 1...3, maxCalls: 0) { _ -> [Int]? in [] }
    }
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Publishers.pages(first: 0, refillAt: -1) { (_: Int) -> ([Int], Int?) in ([], nil) }
    }
    expectMessage(result, "pages(refillAt:) takes a mark of 0 or more, but was given -1.")
  }

  @Test func `The subscription is described by what it does`() {
    let recorder = Recorder<Int, Never>(demand: nil)
    Publishers.fetching(batch: 1...2) { _ -> [Int]? in nil }.subscribe(recorder)
    #expect("\(recorder.subscription!)" == "Fetching")
    recorder.cancel()
  }
}

@Suite struct PagesTests {
  /// Pages of three rows, or of the given sizes, and the numbers of those that have been fetched.
  private static func pages(_ sizes: [Int], _ fetched: Locked<[Int]>) -> @Sendable (Int) async -> ([Int], Int?) {
    { number in
      fetched.change { $0.append(number) }
      await Task.yield()
      return (Array(repeating: number, count: sizes[number]), number + 1 < sizes.count ? number + 1 : nil)
    }
  }

  @Test(arguments: [nil, 0, 4, .max - 1, .max] as [Int?])
  func `The rows of all pages come, also behind one without any`(_ mark: Int?) async {
    let fetched = Locked<[Int]>([])
    let probe = Probe<Int, Never>()
    Publishers.pages(first: 0, refillAt: mark, Self.pages([2, 0, 0, 3, 1, 0], fetched)).subscribe(probe.recorder)
    #expect(await probe.completion() == .finished)
    #expect(probe.recorder.values == [0, 0, 3, 3, 3, 4])
    #expect(fetched.value == Array(0..<6))
    #expect(probe.isLawful)
  }

  @Test func `A page is fetched when more is requested than is left of the one before`() async {
    let fetched = Locked<[Int]>([])
    let probe = Probe<Int, Never>(demand: nil)
    Publishers.pages(first: 0, Self.pages([3, 3, 3], fetched)).subscribe(probe.recorder)
    for (demand, pages) in [(1, 1), (2, 1), (1, 2), (4, 3)] {
      let count = probe.count + demand
      probe.recorder.request(.max(demand))
      #expect(await reached { probe.count == count })
      #expect(fetched.value.count == pages)
    }
    probe.recorder.request(.max(1))
    #expect(await reached { probe.count == 9 })
    #expect(await probe.completion() == .finished, "no page is asked for to find out that there is none")
    #expect(fetched.value == [0, 1, 2])
  }

  @Test func `With a mark the next page is fetched ahead`() async {
    let fetched = Locked<[Int]>([])
    let probe = Probe<Int, Never>(demand: nil)
    Publishers.pages(first: 0, refillAt: 1, Self.pages([3, 3, 3, 3], fetched)).subscribe(probe.recorder)
    for (demand, pages) in [(0, 1), (1, 1), (1, 2), (2, 2), (1, 3)] {
      if demand > 0 { probe.recorder.request(.max(demand)) }
      #expect(await reached { fetched.value.count == pages })
    }
    #expect(await probe.values(5) == [0, 0, 0, 1, 1])
    probe.recorder.cancel()
  }

  @Test func `Each subscriber begins with the first page, and a failure comes behind the pages before`() async {
    let publisher = Publishers.pages(first: 1) { (number: Int) async throws(TestError) -> ([Int], Int?) in
      if number == 3 { throw .oops }
      return ([number], number + 1)
    }
    for _ in 0..<2 {
      let probe = Probe<Int, TestError>()
      publisher.subscribe(probe.recorder)
      #expect(await probe.completion() == .failure(.oops))
      #expect(probe.recorder.values == [1, 2])
    }
  }
}
