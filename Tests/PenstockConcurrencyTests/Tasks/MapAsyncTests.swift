// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockConcurrency
import TestSupport
import Testing

/// How `mapAsync` runs its tasks.
struct Width: CustomTestStringConvertible, Sendable {
  let count: Int?
  let inOrder: Bool

  var demand: Subscribers.Demand { count.map { .max($0) } ?? .unlimited }

  var testDescription: String { "\(count.map { "\($0)" } ?? "unlimited"), \(inOrder ? "in order" : "unordered")" }

  static let all = [1, 2, 3, 8, nil].flatMap { [Width(count: $0, inOrder: true), Width(count: $0, inOrder: false)] }
  static let limited = all.filter { $0.count != nil }
  static let ordered = all.filter(\.inOrder)
}

extension Publisher where Output: Sendable {
  fileprivate func mapAsync<T: Sendable>(
    _ width: Width, _ transform: @escaping @Sendable (Output) async throws(Failure) -> T
  ) -> some Publisher<T, Failure> {
    mapAsync(maxTasks: width.demand, inOrder: width.inOrder, transform)
  }
}

@Suite struct MapAsyncTests {
  @Test(arguments: Width.all)
  func `Every value is transformed, in order if that is wanted`(_ width: Width) async {
    let probe = Probe<Int, Never>()
    (1...200).publisher.mapAsync(width) { number in
      for _ in 0..<number % 7 { await Task.yield() }
      return number * 10
    }.subscribe(probe.recorder)
    #expect(await probe.completion() == .finished)
    let values = probe.recorder.values
    #expect((width.inOrder || width.count == 1 ? values : values.sorted()) == (1...200).map { $0 * 10 })
    #expect(probe.isLawful)
  }

  @Test(arguments: Width.limited)
  func `Upstream is requested for as many values as there may be tasks, and for one more per result`(
    _ width: Width
  ) async throws {
    let count = try #require(width.count)
    let work = Work()
    let upstream = ManualPublisher<Int, Never>()
    let probe = Probe<Int, Never>()
    upstream.mapAsync(width) { number in
      await work.run(number)
      return number
    }.subscribe(probe.recorder)
    func granted() -> Int { upstream.subscription?.requests.compactMap(\.max).reduce(0, +) ?? 0 }
    var more = 0
    func send(_ number: Int) { more += upstream.send(number).max ?? 0 }
    #expect(upstream.subscription?.requests == [.max(count)])
    for number in 1...count { send(number) }
    #expect(await reached { work.started.count == count })
    #expect(granted() + more == count)
    for number in 1...20 {
      work.open(number)
      #expect(await reached { probe.count == number })
      #expect(await reached { granted() + more == count + number })
      send(count + number)
      #expect(await reached { work.started.count == count + number })
    }
    #expect(work.most == count)
    #expect(Array(probe.recorder.values) == Array(1...20))
    probe.recorder.cancel()
    #expect(await reached { work.ended.count == count + 20 })
    #expect(work.cancelled.count == count)
    #expect(upstream.subscription?.cancellations == 1)
  }

  @Test(arguments: Width.limited)
  func `Results wait for demand, and hold up upstream`(_ width: Width) async throws {
    let count = try #require(width.count)
    let started = Locked(0)
    let probe = Probe<Int, Never>(demand: nil)
    let numbers = Locked(0)
    let upstream = (1...100).publisher.handleEvents(receiveOutput: { _ in numbers.change { $0 += 1 } })
    upstream.mapAsync(width) { number in
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
    probe.recorder.cancel()
    #expect(probe.isLawful)
  }

  @Test func `Results that are early wait for the first if order is kept, and do not otherwise`() async {
    for inOrder in [true, false] {
      let work = Work()
      let probe = Probe<Int, Never>()
      (1...3).publisher.mapAsync(Width(count: 3, inOrder: inOrder)) { number in
        await work.run(number)
        return number
      }.subscribe(probe.recorder)
      #expect(await reached { work.started.count == 3 })
      for (place, number) in [3, 2].enumerated() {
        work.open(number)
        #expect(await reached { work.ended.contains(number) })
        if !inOrder { #expect(await reached { probe.count == place + 1 }) }
      }
      #expect(!inOrder || probe.count == 0)
      work.open(1)
      #expect(await probe.completion() == .finished)
      #expect(probe.recorder.values == (inOrder ? [1, 2, 3] : [3, 2, 1]))
    }
  }

  @Test(arguments: Width.all)
  func `What the closure throws ends the stream, and cancels the other tasks`(_ width: Width) async {
    let work = Work()
    let upstream = ManualPublisher<Int, TestError>()
    let probe = Probe<Int, TestError>()
    upstream.mapAsync(width) { (number: Int) async throws(TestError) -> Int in
      await work.run(number)
      if number == 2 { throw TestError.oops }
      return number
    }.subscribe(probe.recorder)
    let width = min(width.count ?? 5, 5)
    for number in 1...width { upstream.send(number) }
    work.open(1)
    #expect(await reached { probe.count == 1 })
    if width == 1 { upstream.send(2) }
    work.open(2)
    #expect(await probe.completion() == .failure(.oops))
    #expect(probe.recorder.values == [1])
    #expect(upstream.subscription?.cancellations == 1)
    if width > 2 {
      #expect(await reached { work.ended.count == width })
      #expect(work.cancelled.sorted() == Array(3...width))
    }
    #expect(probe.isLawful)
  }

  @Test(arguments: Width.ordered)
  func `A failure keeps its place in the order`(_ width: Width) async {
    guard width.count != 1 else { return }
    let work = Work()
    let probe = Probe<Int, TestError>()
    (1...2).publisher.setFailureType(to: TestError.self).mapAsync(width) {
      (number: Int) async throws(TestError) -> Int in
      await work.run(number)
      if number == 2 { throw TestError.oops }
      return number
    }.subscribe(probe.recorder)
    work.open(2)
    #expect(await reached { work.ended == [2] })
    #expect(!probe.isOver)
    work.open(1)
    #expect(await probe.completion() == .failure(.oops))
    #expect(probe.recorder.values == [1])
  }

  @Test(arguments: Width.all)
  func `A failure of upstream ends the stream at once, and cancels the tasks`(_ width: Width) async {
    let work = Work()
    let upstream = ManualPublisher<Int, TestError>()
    let probe = Probe<Int, TestError>()
    upstream.mapAsync(width) { (number: Int) async throws(TestError) -> Int in
      await work.run(number)
      return number
    }.subscribe(probe.recorder)
    let width = min(width.count ?? 5, 5)
    for number in 1...width { upstream.send(number) }
    #expect(await reached { work.started.count == width })
    upstream.send(completion: .failure(.oops))
    #expect(await probe.completion() == .failure(.oops))
    upstream.releaseSubscribers()
    #expect(await reached { work.ended.count == width })
    #expect(work.cancelled.count == width)
    #expect(probe.recorder.values.isEmpty && probe.isLawful)
  }

  @Test(arguments: Width.all)
  func `A cancel at any point cancels what runs, and nothing comes after it`(_ width: Width) async {
    for last in 0..<12 {
      let ended = Locked((started: 0, ended: 0))
      let stop = Locked<(any Subscription)?>(nil)
      let probe = Probe<Int, Never>()
      probe.recorder.onSubscription = { subscription in
        stop.change { $0 = subscription }
        if last == 0 { subscription.cancel() }
      }
      let values = Locked(0)
      (1...40).publisher.mapAsync(width) { number in
        ended.change { $0.started += 1 }
        for _ in 0..<number % 3 { await Task.yield() }
        ended.change { $0.ended += 1 }
        return number
      }
      .handleEvents(receiveOutput: { _ in
        if values.change({
          $0 += 1; return $0
        }) == last {
          stop.value?.cancel()
        }
      })
      .subscribe(probe.recorder)
      #expect(await reached { values.value >= last })
      #expect(await reached { ended.value.started == ended.value.ended })
      #expect(values.value == last)
      #expect(!probe.isOver)
      stop.change { $0 = nil }
      probe.recorder.releaseSubscriptions()
    }
  }

  @Test func `Upstream that cannot fail, and one with other failures, take closures that throw`() async {
    let typed = Probe<Int, TestError>()
    [1].publisher.mapAsync { (_: Int) async throws(TestError) -> Int in throw .oops }.subscribe(typed.recorder)
    #expect(await typed.completion() == .failure(.oops))
    let other = Probe<Int, any Error>()
    Fail<Int, TestError>(error: .oops).prepend(1).tryMapAsync { number throws in
      await Task.yield()
      return number
    }.subscribe(other.recorder)
    guard case .failure(let error) = await other.completion() else {
      Issue.record("no failure")
      return
    }
    #expect(error as? TestError == .oops)
    let never = [1].publisher.mapAsync { $0 }
    let probe = Probe<Int, Never>()
    never.subscribe(probe.recorder)
    #expect(await probe.completion() == .finished)
  }

  @Test func `The task-local values are those of the code that delivers the value`() async {
    let subject = PassthroughSubject<Int, Never>()
    let probe = Probe<String, Never>()
    Trace.$name.withValue("subscriber") {
      subject.mapAsync(maxTasks: .unlimited) { _ in Trace.name }.subscribe(probe.recorder)
    }
    Trace.$name.withValue("sender") { subject.send(1) }
    elsewhere { subject.send(2) }
    #expect(await probe.values(2) == ["sender", "none"])
    probe.recorder.cancel()
  }

  @Test(arguments: Width.all)
  func `Nothing is left in memory`(_ width: Width) async {
    for isCancelled in [false, true] {
      var graveyard = Graveyard()
      do {
        let canary = graveyard.watch(Canary(), "captured")
        let values = (0..<5).map { graveyard.watch(Canary(), "value \($0)") }
        let subject = graveyard.watch(PassthroughSubject<Canary, Never>(), "subject")
        let probe = graveyard.watch(Probe<Canary, Never>(), "probe")
        subject.buffer(size: 9, prefetch: .keepFull, whenFull: .dropNewest).mapAsync(width) { value in
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
