// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Dispatch
import PenstockKit
import PenstockTesting
import TestSupport
import Testing

/// A source that answers later.
@Suite struct CallbackStageTests {
  /// An API that a test answers for.
  private final class Desk: @unchecked Sendable {
    var requests: [Subscribers.Demand] = []
    var callback: Callback<Int, TestError>?
    var cancels = 0
    /// Called at each request.
    var onRequest: ((Callback<Int, TestError>) -> Void)?

    var publisher: some Publisher<Int, TestError> { Publishers.source { DeskStage(desk: self) } }

    func send(_ values: [Int]) { callback.take()?.send(values) }

    func send(_ values: [Int] = [], completion: Subscribers.Completion<TestError>) {
      callback.take()?.send(values, completion: completion)
    }
  }

  private struct DeskStage: CallbackStage {
    let desk: Desk

    func request(_ demand: Subscribers.Demand, _ callback: Callback<Int, TestError>) {
      desk.requests.append(demand)
      if let onRequest = desk.onRequest { onRequest(callback) } else { desk.callback = callback }
    }

    func cancel() { desk.cancels += 1 }
  }

  private typealias Reader = Recorder<Int, TestError>

  @Test func `It is asked for what is requested, one request at a time`() {
    let (desk, reader) = (Desk(), Reader(demand: nil))
    desk.publisher.subscribe(reader)
    #expect(desk.requests == [])
    reader.request(.max(2))
    reader.request(.max(3))
    #expect(desk.requests == [.max(2)])
    desk.send([1, 2])
    #expect(reader.values == [1, 2])
    #expect(desk.requests == [.max(2), .max(3)])
    desk.send([3])
    #expect(desk.requests == [.max(2), .max(3), .max(2)])
    desk.send([4, 5])
    #expect(reader.values == [1, 2, 3, 4, 5])
    #expect(desk.requests.count == 3 && reader.complaints == [])
  }

  @Test func `Unlimited demand stays unlimited`() {
    let (desk, reader) = (Desk(), Reader())
    desk.publisher.subscribe(reader)
    desk.send([1, 2])
    desk.send([3])
    #expect(desk.requests == [.unlimited, .unlimited, .unlimited])
    #expect(reader.values == [1, 2, 3])
  }

  @Test func `What an answer has beyond the demand waits, and nothing is asked for meanwhile`() {
    let (desk, reader) = (Desk(), Reader(demand: .max(1)))
    desk.publisher.subscribe(reader)
    desk.send([1, 2, 3])
    #expect(reader.values == [1])
    reader.request(.max(1))
    #expect(reader.values == [1, 2] && desk.requests == [.max(1)])
    reader.request(.max(3))
    #expect(reader.values == [1, 2, 3] && desk.requests == [.max(1), .max(2)])
  }

  @Test func `An answer without values is followed by the same request`() {
    let (desk, reader) = (Desk(), Reader(demand: .max(2)))
    desk.publisher.subscribe(reader)
    desk.send([])
    #expect(desk.requests == [.max(2), .max(2)] && reader.events.count == 1)
  }

  @Test func `Demand that a delivery returns, or requests, is asked for when the answer has been delivered`() {
    let (desk, reader) = (Desk(), Reader(demand: .max(2)))
    reader.onValue = { value in
      if value == 1 { reader.request(.max(2)) }
      return value == 2 ? .max(1) : .none
    }
    desk.publisher.subscribe(reader)
    desk.send([1, 2])
    #expect(desk.requests == [.max(2), .max(3)])
    #expect(reader.isSerial && reader.complaints == [])
    reader.onValue = nil
  }

  @Test(arguments: [Subscribers.Completion<TestError>.finished, .failure(.oops)])
  func `A completion comes behind the values, and needs no request`(_ completion: Subscribers.Completion<TestError>) {
    let (desk, reader) = (Desk(), Reader(demand: .max(1)))
    desk.publisher.subscribe(reader)
    desk.send([1, 2], completion: completion)
    #expect(reader.values == [1] && reader.completions == [])
    reader.request(.max(1))
    #expect(reader.values == [1, 2] && reader.completions == [completion])

    let (other, second) = (Desk(), Reader(demand: .max(1)))
    other.publisher.subscribe(second)
    other.send(completion: completion)
    #expect(second.completions == [completion])
    second.cancel()
    #expect(desk.cancels == 0 && other.cancels == 0)
  }

  @Test func `Answers that come before the request returns make a loop`() {
    let count = Locked(0)
    onSmallStack(kibibytes: 256) {
      let (desk, reader) = (Desk(), Reader(demand: nil))
      var number = 0
      desk.onRequest = { callback in
        number += 1
        if number == 100_000 { callback.send([number], completion: .finished) } else { callback.send([number]) }
      }
      reader.onValue = { value in
        if value.isMultiple(of: 2) { return .max(1) }
        reader.request(.max(1))
        return .none
      }
      desk.publisher.subscribe(reader)
      reader.request(.max(1))
      count.change { $0 = reader.isFinished && reader.isSerial ? reader.values.count : 0 }
      reader.onValue = nil
      desk.onRequest = nil
    }
    #expect(count.value == 100_000)
  }

  @Test func `What is requested while the subscription is received is asked for afterwards`() {
    let (desk, reader) = (Desk(), Reader(demand: .max(1)))
    var isIntroduced = false
    desk.onRequest = { callback in
      #expect(isIntroduced)
      callback.send([1])
    }
    reader.onSubscription = { _ in isIntroduced = true }
    desk.publisher.subscribe(reader)
    #expect(reader.values == [1])
    desk.onRequest = nil
  }

  // MARK: A cancel

  @Test func `A cancel reaches the API once, and what the open request is answered with is dropped`() {
    let (desk, reader) = (Desk(), Reader(demand: .max(1)))
    desk.publisher.subscribe(reader)
    reader.cancel()
    reader.cancel()
    #expect(desk.cancels == 1)
    let late = desk.callback
    desk.send([1])
    late?.send([2], completion: .finished)
    #expect(reader.events.count == 1 && desk.requests == [.max(1)])
  }

  @Test func `A cancel without a request reaches it as well, and one during the subscription`() {
    let (desk, reader) = (Desk(), Reader(demand: nil))
    desk.publisher.subscribe(reader)
    reader.cancel()
    #expect(desk.cancels == 1)

    let (other, hasty) = (Desk(), Reader(demand: .max(1)))
    hasty.onSubscription = { $0.cancel() }
    other.publisher.subscribe(hasty)
    #expect(other.cancels == 1 && other.requests == [])
  }

  @Test func `A cancel while values wait, or behind a value, discards the others`() {
    let (desk, reader) = (Desk(), Reader(demand: .max(1)))
    desk.publisher.subscribe(reader)
    desk.send([1, 2])
    reader.cancel()
    #expect(reader.values == [1] && desk.cancels == 1)

    let (other, hasty) = (Desk(), Reader())
    hasty.onValue = { value in
      if value == 2 { hasty.cancel() }
      return .none
    }
    other.publisher.subscribe(hasty)
    other.send([1, 2, 3], completion: .finished)
    #expect(hasty.values == [1, 2] && hasty.completions == [])
    // It had ended.
    #expect(other.cancels == 0 && other.requests.count == 1)
    hasty.onValue = nil
  }

  @Test func `A cancel from inside a request reaches the API when that has returned`() {
    let (desk, reader) = (Desk(), Reader(demand: .max(1)))
    desk.onRequest = { callback in
      reader.cancel()
      #expect(desk.cancels == 0)
      callback.send([1])
    }
    desk.publisher.subscribe(reader)
    #expect(desk.cancels == 1 && reader.values == [])
    desk.onRequest = nil
  }

  // MARK: Lifetime

  @Test(arguments: [true, false])
  func `After the end or a cancel neither the stage nor the subscriber is kept, even by a callback`(_ cancels: Bool) {
    final class Held: CallbackStage {
      let keep: (Callback<Int, TestError>) -> Void

      init(keep: @escaping (Callback<Int, TestError>) -> Void) { self.keep = keep }

      func request(_ demand: Subscribers.Demand, _ callback: Callback<Int, TestError>) { keep(callback) }

      func cancel() {}
    }

    var graveyard = Graveyard()
    var callbacks: [Callback<Int, TestError>] = []
    do {
      let reader = graveyard.watch(Reader(demand: .max(1)), "subscriber")
      Publishers.source { graveyard.watch(Held { callbacks.append($0) }, "stage") }.subscribe(reader)
      if cancels { reader.cancel() } else { callbacks[0].send(completion: .finished) }
      reader.releaseSubscriptions()
    }
    #expect(callbacks.count == 1 && graveyard.survivors.isEmpty)
  }

  @Test func `A stream that nobody holds but its open request goes on`() {
    let desk = Desk()
    var seen: [Int] = []
    desk.publisher.subscribe(
      AnySubscriber<Int, TestError>(
        receiveSubscription: { $0.request(.max(1)) },
        receiveValue: {
          seen.append($0)
          return .none
        }))
    desk.send([1])
    #expect(seen == [1])
  }

  @Test func `Each subscriber has a stage of its own, which is named by its type`() {
    let (desk, first, second) = (Desk(), Reader(demand: .max(1)), Reader(demand: .max(2)))
    let publisher = desk.publisher
    publisher.subscribe(first)
    publisher.subscribe(second)
    #expect(desk.requests == [.max(1), .max(2)])
    #expect(first.subscriptionTexts == ["Desk"])
  }

  // MARK: Threads

  @Test func `Answers and requests may come on any thread`() {
    for _ in 0..<100 {
      let (desk, reader) = (Desk(), Reader(demand: nil))
      let number = Locked(0)
      desk.onRequest = { callback in
        DispatchQueue.global().async {
          let next = number.change { number in
            number += 1
            return number
          }
          if next == 30 { callback.send([next], completion: .finished) } else { callback.send([next]) }
        }
      }
      let isOver = Gate()
      reader.onCompletion = { _ in isOver.open() }
      desk.publisher.subscribe(reader)
      onThreads(3) { _ in for _ in 0..<10 { reader.request(.max(1)) } }
      isOver.wait()
      #expect(reader.values == Array(1...30) && !reader.hasOverlapped && reader.complaints == [])
      desk.onRequest = nil
    }
  }

  @Test func `A cancel and an answer on two threads: the API is told once, or has ended`() {
    for round in 0..<300 {
      let (desk, reader) = (Desk(), Reader())
      desk.publisher.subscribe(reader)
      let isLast = round.isMultiple(of: 2)
      onThreads(
        within: 60,
        [
          { if isLast { desk.send([1], completion: .finished) } else { desk.send([1]) } },
          { reader.cancel() },
        ])
      #expect(reader.values.count <= 1 && !reader.hasOverlapped)
      if isLast { #expect(desk.cancels <= 1) } else { #expect(desk.cancels == 1) }
      #expect(reader.completions.isEmpty || desk.cancels == 0)
    }
  }

  @Test func `Below what combines, or is shared, nothing is lost`() {
    let (left, right) = (Desk(), Desk())
    for desk in [left, right] {
      var number = 0
      desk.onRequest = { callback in
        number += 1
        if number == 5 { callback.send([number], completion: .finished) } else { callback.send([number]) }
      }
    }
    var seen: [Int] = []
    let pairs = left.publisher.zip(right.publisher).sink(
      receiveCompletion: { _ in }, receiveValue: { seen.append($0 * $1) })
    #expect(seen == [1, 4, 9, 16, 25])
    pairs.cancel()

    let desk = Desk()
    var latest: [Int] = []
    let shared = desk.publisher.share()
    let sums = shared.combineLatest(shared).sink(
      receiveCompletion: { _ in }, receiveValue: { latest.append($0 + $1) })
    desk.send([1, 2], completion: .finished)
    #expect(latest.last == 4)
    sums.cancel()
    (left.onRequest, right.onRequest) = (nil, nil)
  }

  // MARK: Mistakes

  @Test func `A callback that is called twice traps, and so does a request of nothing`() async {
    let twice = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (desk, reader) = (Desk(), Reader(demand: .max(5)))
      desk.onRequest = { callback in
        callback.send([1])
        callback.send([2])
      }
      desk.publisher.subscribe(reader)
    }
    expectMessage(twice, "Desk: its callback was called twice")
    let stale = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (desk, reader) = (Desk(), Reader(demand: .max(5)))
      desk.publisher.subscribe(reader)
      let first = desk.callback
      desk.send([1])
      first?.send([2])
    }
    expectMessage(stale, "Call it once for each request")
    let nothing = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (desk, reader) = (Desk(), Reader(demand: nil))
      desk.publisher.subscribe(reader)
      reader.subscription?.request(.none)
    }
    expectMessage(nothing, "request(.none)")
  }

  @Test func `The verification kit finds nothing, whatever an answer has beyond the demand`() async {
    struct NumbersStage: CallbackStage {
      let end: Int
      let batch: Int
      let fails: Bool
      var number = 0

      mutating func request(_ demand: Subscribers.Demand, _ callback: Callback<Int, TestError>) {
        let range = number..<min(end, number + batch)
        number = range.upperBound
        if number == end {
          callback.send(Array(range), completion: fails ? .failure(.oops) : .finished)
        } else {
          callback.send(Array(range))
        }
      }

      func cancel() {}
    }

    for batch in [1, 4] {
      let report = await PublisherVerification("NumbersStage")
        .finite { count in Publishers.source { NumbersStage(end: count, batch: batch, fails: false) } }
        .failing { Publishers.source { NumbersStage(end: 3, batch: batch, fails: true) } }
        .waiving("P-07", because: "an API says that there is nothing when it is asked")
        .report()
      #expect(report.failures.isEmpty, "\(report.broken.map(\.description).joined(separator: "\n"))")
    }
  }
}
