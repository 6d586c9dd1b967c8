// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import TestSupport
import Testing

@Suite struct ShareBufferedTests {
  static let policies: [ShareBufferingPolicy] = [
    .bounded(1), .bounded(4), .newest(0), .newest(2), .oldest(0), .oldest(2), .unbounded,
  ]

  // MARK: Joining

  @Test(arguments: policies) func `merge gets what upstream delivers at once before the value of the next upstream`(
    _ policy: ShareBufferingPolicy
  ) {
    let recorder = Recorder<Int, Never>()
    CurrentValueSubject(1).merge(with: (2...4).publisher.share(buffering: policy), Just(5)).subscribe(recorder)
    #expect(recorder.values == [1, 2, 3, 4, 5])
  }

  // MARK: Who waits, and what is dropped

  @Test func `With a bound the slowest subscriber drives upstream, and nothing is dropped`() {
    let source = ManualPublisher<Int, Never>()
    let shared = source.share(buffering: .bounded(2))
    let (fast, slow) = (Recorder<Int, Never>(), Recorder<Int, Never>(demand: nil))
    shared.subscribe(slow)
    #expect(source.calls == [])
    shared.subscribe(fast)
    #expect(source.calls == [.requested(.max(2))])
    source.send(1)
    source.send(2)
    #expect(source.calls == [.requested(.max(2))])
    slow.request(.max(1))
    #expect(source.calls == [.requested(.max(2)), .requested(.max(1))])
    source.send(3)
    #expect(fast.values == [1, 2, 3])
    slow.request(.unlimited)
    #expect(slow.values == [1, 2, 3])
    #expect(source.subscription?.requests == [.max(2), .max(1), .max(2)])
  }

  @Test func `A slow subscriber that leaves frees what it has held up`() {
    let source = ManualPublisher<Int, Never>()
    let shared = source.share(buffering: .bounded(1))
    let (fast, slow) = (Recorder<Int, Never>(), Recorder<Int, Never>(demand: nil))
    shared.subscribe(fast)
    shared.subscribe(slow)
    source.send(1)
    #expect(source.subscription?.requests == [.max(1)])
    slow.cancel()
    #expect(source.subscription?.requests == [.max(1), .max(1)])
    #expect(source.subscription?.cancellations == 0)
  }

  @Test func `Half of a bound is asked for again at once`() {
    let source = ManualPublisher<Int, Never>()
    let shared = source.share(buffering: .bounded(5))
    shared.subscribe(Recorder())
    for value in 1...6 { source.send(value) }
    #expect(source.subscription?.requests == [.max(5), .max(3), .max(3)])
  }

  @Test(arguments: [ShareBufferingPolicy.newest(2), .oldest(2), .unbounded])
  func `Without a bound upstream is asked for everything, once`(_ policy: ShareBufferingPolicy) {
    let source = ManualPublisher<Int, Never>()
    let shared = source.share(buffering: policy)
    let (first, second) = (Recorder<Int, Never>(demand: nil), Recorder<Int, Never>(demand: nil))
    shared.subscribe(first)
    shared.subscribe(second)
    #expect(source.calls == [])
    second.request(.max(1))
    first.request(.max(1))
    #expect(source.calls == [.requested(.unlimited)])
  }

  @Test(arguments: [
    (ShareBufferingPolicy.newest(2), [4, 5]), (.newest(0), []), (.newest(9), [1, 2, 3, 4, 5]), (.oldest(2), [1, 2]),
    (.oldest(0), []), (.oldest(9), [1, 2, 3, 4, 5]), (.unbounded, [1, 2, 3, 4, 5]),
  ])
  func `Each subscriber has its own limit`(_ policy: ShareBufferingPolicy, _ kept: [Int]) {
    let source = PassthroughSubject<Int, TestError>()
    let shared = source.share(buffering: policy)
    let (fast, slow, oneByOne) = (
      Recorder<Int, TestError>(), Recorder<Int, TestError>(demand: nil), Recorder<Int, TestError>(demand: .max(1))
    )
    for recorder in [fast, slow, oneByOne] { shared.subscribe(recorder) }
    source.send(0)
    for value in 1...5 { source.send(value) }
    source.send(completion: .failure(.oops))
    #expect(fast.values == [0, 1, 2, 3, 4, 5])
    #expect(fast.completions == [.failure(.oops)])
    oneByOne.request(.unlimited)
    #expect(oneByOne.values == [0] + kept)
    slow.request(.unlimited)
    let first: [Int] =
      switch policy {
      case .oldest(let count): Array((0...5).prefix(count))
      case .newest(let count): Array((0...5).suffix(count))
      default: Array(0...5)
      }
    #expect(slow.values == first)
    #expect(oneByOne.completions == [.failure(.oops)] && slow.completions == [.failure(.oops)])
  }

  @Test func `A subscriber that refuses values gets later ones behind those it has`() {
    let source = PassthroughSubject<Int, Never>()
    let shared = source.share(buffering: .oldest(2))
    let recorder = Recorder<Int, Never>(demand: nil)
    shared.subscribe(recorder)
    shared.subscribe(Recorder())
    for value in 1...4 { source.send(value) }
    recorder.request(.max(1))
    for value in 5...6 { source.send(value) }
    recorder.request(.unlimited)
    #expect(recorder.values == [1, 2, 5])
  }

  @Test(arguments: policies)
  func `A value that has been requested is never dropped, even while a delivery sends`(_ policy: ShareBufferingPolicy) {
    let source = PassthroughSubject<Int, Never>()
    let shared = source.buffer(size: 100, prefetch: .byRequest, whenFull: .dropNewest).share(buffering: policy)
    let (first, second) = (Recorder<Int, Never>(), Recorder<Int, Never>())
    first.onValue = { value in
      if value == 1 { for value in 2...20 { source.send(value) } }
      return .none
    }
    shared.subscribe(first)
    shared.subscribe(second)
    source.send(1)
    #expect(first.values == Array(1...20))
    #expect(second.values == Array(1...20))
  }

  // MARK: Joining and leaving

  @Test(arguments: policies)
  func `A subscriber gets what comes after it has joined`(_ policy: ShareBufferingPolicy) {
    let source = PassthroughSubject<Int, Never>()
    let shared = source.share(buffering: policy)
    let (first, second) = (Recorder<Int, Never>(), Recorder<Int, Never>())
    shared.subscribe(first)
    source.send(1)
    shared.subscribe(second)
    source.send(2)
    #expect(first.values == [1, 2] && second.values == [2])
  }

  @Test(arguments: policies)
  func `The last one to leave cancels upstream, and the next one subscribes anew`(_ policy: ShareBufferingPolicy) {
    let source = CountedPublisher<Int, Never>()
    let shared = source.share(buffering: policy)
    let (first, second, third) = (Recorder<Int, Never>(), Recorder<Int, Never>(demand: nil), Recorder<Int, Never>())
    shared.subscribe(first)
    shared.subscribe(second)
    source.subject.send(1)
    first.cancel()
    #expect(source.cancelled.value == 0)
    second.cancel()
    #expect((source.subscribed.value, source.cancelled.value) == (1, 1))
    shared.subscribe(third)
    source.subject.send(2)
    #expect(source.subscribed.value == 2)
    #expect(third.values == [2] && second.values.isEmpty)
  }

  @Test(arguments: policies)
  func `Who comes after the end gets the end, and upstream is left alone`(_ policy: ShareBufferingPolicy) {
    let source = CountedPublisher<Int, TestError>()
    let shared = source.share(buffering: policy)
    let (first, late) = (Recorder<Int, TestError>(demand: .max(1)), Recorder<Int, TestError>(demand: nil))
    shared.subscribe(first)
    source.subject.send(completion: .failure(.oops))
    shared.subscribe(late)
    #expect(first.completions == [.failure(.oops)] && late.completions == [.failure(.oops)])
    #expect((source.subscribed.value, source.cancelled.value) == (1, 0))
  }

  @Test func `Each subscriber gets what waits for it, and then the completion`() {
    let source = ManualPublisher<Int, Never>()
    let shared = source.share(buffering: .bounded(3))
    let (fast, slow) = (Recorder<Int, Never>(), Recorder<Int, Never>(demand: .max(1)))
    shared.subscribe(fast)
    shared.subscribe(slow)
    for value in 1...3 { source.send(value) }
    source.send(completion: .finished)
    #expect(fast.isFinished && !slow.isFinished)
    slow.request(.max(1))
    #expect(slow.values == [1, 2] && !slow.isFinished)
    slow.request(.max(1))
    #expect(slow.values == [1, 2, 3] && slow.isFinished)
    #expect(source.subscription?.cancellations == 0)
  }

  @Test(arguments: policies)
  func `A subscriber that joins within a delivery gets the next value`(_ policy: ShareBufferingPolicy) {
    let source = PassthroughSubject<Int, Never>()
    let shared = source.share(buffering: policy)
    let (first, second, third) = (Recorder<Int, Never>(), Recorder<Int, Never>(), Recorder<Int, Never>())
    first.onValue = { value in
      if value == 1 { shared.subscribe(third) }
      return .none
    }
    shared.subscribe(first)
    shared.subscribe(second)
    source.send(1)
    source.send(2)
    #expect(first.values == [1, 2] && second.values == [1, 2] && third.values == [2])
  }

  @Test(arguments: policies, [1, 2, 3])
  func `A subscriber that cancels within a delivery gets nothing more, and holds nobody up`(
    _ policy: ShareBufferingPolicy, _ last: Int
  ) {
    let shared = (1...5).publisher.map { $0 }.share(buffering: policy)
    let recorder = Recorder<Int, Never>()
    recorder.onValue = { value in
      if value == last { recorder.cancel() }
      return .none
    }
    shared.subscribe(recorder)
    #expect(recorder.values == Array(1...last))
    let next = Recorder<Int, Never>()
    shared.subscribe(next)
    #expect(next.values == Array(1...5) && next.isFinished)
  }

  @Test(arguments: policies)
  func `A subscriber that cancels another one within a delivery spares it the value`(_ policy: ShareBufferingPolicy) {
    let source = PassthroughSubject<Int, Never>()
    let shared = source.share(buffering: policy)
    let (first, second) = (Recorder<Int, Never>(), Recorder<Int, Never>())
    first.onValue = { _ in
      second.cancel()
      return .none
    }
    shared.subscribe(first)
    shared.subscribe(second)
    source.send(1)
    source.send(2)
    #expect(first.values == [1, 2] && second.values.isEmpty && second.complaints.isEmpty)
  }

  @Test(arguments: policies)
  func `A new subscriber within the last one's cancel starts anew`(_ policy: ShareBufferingPolicy) {
    let source = CountedPublisher<Int, Never>()
    let shared = source.share(buffering: policy)
    let (first, second) = (Recorder<Int, Never>(), Recorder<Int, Never>())
    first.onValue = { value in
      if value == 2 {
        first.cancel()
        shared.subscribe(second)
      }
      return .none
    }
    shared.subscribe(first)
    for value in 1...3 { source.subject.send(value) }
    #expect(first.values == [1, 2] && second.values == [3])
    #expect((source.subscribed.value, source.cancelled.value) == (2, 1))
  }

  @Test(arguments: policies)
  func `A subscriber that subscribes again in its completion gets the completion`(_ policy: ShareBufferingPolicy) {
    let source = PassthroughSubject<Int, Never>()
    let shared = source.share(buffering: policy)
    let (first, again) = (Recorder<Int, Never>(), Recorder<Int, Never>())
    first.onCompletion = { _ in shared.subscribe(again) }
    shared.subscribe(first)
    source.send(1)
    source.send(completion: .finished)
    #expect(again.isFinished && again.values.isEmpty)
  }

  // MARK: Demand

  @Test(arguments: policies)
  func `Demand is served as it is granted`(_ policy: ShareBufferingPolicy) {
    let shared = (1...10).publisher.share(buffering: policy)
    let recorder = Recorder<Int, Never>(demand: .max(2))
    recorder.onValue = { $0 == 2 ? .max(1) : .none }
    shared.subscribe(recorder)
    #expect(recorder.values == [1, 2, 3] && recorder.complaints.isEmpty)
  }

  @Test(arguments: [ShareBufferingPolicy.bounded(1), .bounded(4), .unbounded])
  func `A subscriber that requests within its delivery gets everything, on a small stack`(
    _ policy: ShareBufferingPolicy
  ) {
    onSmallStack {
      let shared = (1...100_000).publisher.map { $0 }.share(buffering: policy)
      let (first, second) = (Recorder<Int, Never>(demand: .max(1)), Recorder<Int, Never>(demand: nil))
      first.onValue = { [unowned first] _ in
        first.request(.max(1))
        return .none
      }
      shared.subscribe(first)
      #expect(first.values.count == 100_000 && first.isFinished)
      shared.subscribe(second)
      #expect(second.isFinished)
    }
  }

  /// A deadlock that has been reported for an unbuffered share: two loops, each of which waits for the other's next
  /// step.
  @Test(arguments: [1, 2, 7])
  func `Two subscribers that take turns take everything`(_ bound: Int) {
    let source = (1...1_000).publisher
    let shared = source.share(buffering: .bounded(bound))
    let (first, second) = (Recorder<Int, Never>(demand: nil), Recorder<Int, Never>(demand: nil))
    shared.subscribe(first)
    shared.subscribe(second)
    for _ in 1...1_000 {
      second.request(.max(1))
      first.request(.max(1))
    }
    #expect(first.values == Array(1...1_000) && second.values == Array(1...1_000))
    #expect(first.isFinished && second.isFinished)
  }

  @Test func `A subscriber that waits for another one's value within its delivery gets it`() {
    let shared = (1...4).publisher.share(buffering: .bounded(1))
    let (first, second) = (Recorder<Int, Never>(demand: .max(1)), Recorder<Int, Never>(demand: nil))
    var order: [String] = []
    first.onValue = { value in
      order.append("first \(value)")
      second.request(.max(1))
      return .none
    }
    second.onValue = { value in
      order.append("second \(value)")
      first.request(.max(1))
      return .none
    }
    shared.subscribe(second)
    shared.subscribe(first)
    #expect(first.values == [1, 2, 3, 4] && second.values == [1, 2, 3, 4])
    #expect(first.isFinished && second.isFinished, "\(order)")
  }

  // MARK: Mistakes

  @Test func `A bound of 0, a negative number and a request for nothing trap`() async {
    expectMessage(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = Just(1).share(buffering: .bounded(0))
      }, "share(buffering: .bounded) takes a count of 1 or more")
    expectMessage(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = Just(1).share(buffering: .newest(-1))
      }, "share(buffering:) takes a count of 0 or more")
    expectMessage(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let recorder = Recorder<Int, Never>(demand: nil)
        PassthroughSubject<Int, Never>().share(buffering: .oldest(1)).subscribe(recorder)
        recorder.subscription?.request(.none)
      }, "request")
  }

  @Test func `It equals only itself`() {
    let (first, second) = (Just(1).share(buffering: .unbounded), Just(1).share(buffering: .unbounded))
    #expect(first == first && first != second)
    #expect(first.buffering == .unbounded && first.upstream == Just(1))
  }
}
