// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import TestSupport
import Testing

@Suite struct CollectUntilTests {
  private struct Bench {
    let recorder: Recorder<[Int], TestError>
    let source = ManualPublisher<Int, TestError>()
    let trigger = ManualPublisher<Void, TestError>()

    init(demand: Subscribers.Demand?) {
      recorder = Recorder(demand: demand)
      source.collect(until: trigger).subscribe(recorder)
    }

    /// The requests that the source has received.
    var requested: [Subscribers.Demand] { source.subscription!.requests }
  }

  @Test func `A signal publishes what has come since the one before, if anything has`() {
    let bench = Bench(demand: .unlimited)
    bench.trigger.send(())
    for value in 1...3 { bench.source.send(value) }
    bench.trigger.send(())
    bench.trigger.send(())
    bench.source.send(4)
    bench.trigger.send(())
    #expect(bench.recorder.values == [[1, 2, 3], [4]])
    #expect(bench.source.calls == [.requested(.unlimited)])
    #expect(bench.trigger.calls == [.requested(.unlimited)])
  }

  @Test func `One value is requested at a time while an array is wanted, and nothing otherwise`() {
    let bench = Bench(demand: nil)
    #expect(bench.requested.isEmpty)
    #expect(bench.trigger.calls == [.requested(.unlimited)])
    bench.recorder.request(.max(1))
    #expect(bench.requested == [.max(1)])
    #expect([1, 2].map { bench.source.send($0) } == [.max(1), .max(1)])
    bench.trigger.send(())
    #expect(bench.recorder.values == [[1, 2]])
    // The value that was requested before belongs to the next array.
    #expect(bench.source.send(3) == .none)
    bench.trigger.send(())
    #expect(bench.recorder.values == [[1, 2]])
    bench.recorder.request(.max(1))
    #expect(bench.recorder.values == [[1, 2], [3]])
    #expect(bench.requested == [.max(1)])
    bench.recorder.request(.max(1))
    #expect(bench.requested == [.max(1), .max(1)])
    #expect(bench.recorder.complaints.isEmpty)
  }

  @Test func `Signals without demand overflow nothing: the array stays open, and upstream waits`() {
    let bench = Bench(demand: .max(1))
    bench.source.send(1)
    bench.trigger.send(())
    #expect(bench.source.send(2) == .none)
    for _ in 0..<1_000 { bench.trigger.send(()) }
    #expect(bench.recorder.values == [[1]] && bench.recorder.completions.isEmpty)
    #expect(bench.requested == [.max(1)])
    // A publisher that does not count demand.
    bench.source.send(3)
    bench.trigger.send(())
    bench.recorder.request(.max(3))
    #expect(bench.recorder.values == [[1], [2, 3]])
  }

  @Test func `Demand that is returned is asked for`() {
    let bench = Bench(demand: .max(1))
    bench.recorder.onValue = { _ in .max(1) }
    for value in 1...5 {
      #expect(bench.source.send(value) == .max(1))
      bench.trigger.send(())
    }
    #expect(bench.recorder.values == [[1], [2], [3], [4], [5]])
    #expect(bench.requested == [.max(1)])
  }

  @Test func `Unlimited demand is requested once, however late it comes`() {
    let bench = Bench(demand: .max(1))
    bench.recorder.request(.unlimited)
    bench.recorder.request(.unlimited)
    #expect([1, 2, 3].map { bench.source.send($0) } == [.unlimited, .none, .none])
    #expect(bench.requested == [.max(1)])
  }

  @Test(arguments: ["source", "trigger"])
  func `What is left is published when either finishes, and the other is cancelled`(_ first: String) {
    for demand in [Subscribers.Demand.unlimited, .max(1)] {
      let bench = Bench(demand: demand)
      bench.source.send(1)
      bench.trigger.send(())
      bench.source.send(2)
      if first == "source" {
        bench.source.send(completion: .finished)
        #expect(bench.trigger.subscription?.cancellations == 1)
      } else {
        bench.trigger.send(completion: .finished)
        #expect(bench.source.subscription?.cancellations == 1)
      }
      if demand == .max(1) {
        #expect(bench.recorder.values == [[1]] && bench.recorder.completions.isEmpty)
        bench.recorder.request(.max(1))
      }
      #expect(bench.recorder.values == [[1], [2]])
      #expect(bench.recorder.completions == [.finished])
      #expect(bench.recorder.complaints.isEmpty)
    }
  }

  @Test(arguments: ["source", "trigger"])
  func `A failure of either is forwarded at once, drops what has been collected and cancels the other`(
    _ first: String
  ) {
    let bench = Bench(demand: .max(1))
    bench.source.send(1)
    bench.trigger.send(())
    bench.source.send(2)
    bench.trigger.send(())
    if first == "source" {
      bench.source.send(completion: .failure(.oops))
    } else {
      bench.trigger.send(completion: .failure(.oops))
    }
    #expect(bench.recorder.values == [[1]])
    #expect(bench.recorder.completions == [.failure(.oops)])
    #expect((first == "source" ? bench.trigger.subscription : bench.source.subscription)?.cancellations == 1)
  }

  @Test func `A trigger that is to go on after its end gets an endless one behind it`() {
    let (source, recorder) = (ManualPublisher<Int, TestError>(), Recorder<[Int], TestError>())
    let trigger = ManualPublisher<Void, TestError>()
    source.collect(until: trigger.append(Empty<Void, TestError>(completeImmediately: false))).subscribe(recorder)
    source.send(1)
    trigger.send(())
    trigger.send(completion: .finished)
    source.send(2)
    #expect(recorder.completions.isEmpty)
    source.send(completion: .finished)
    #expect(recorder.values == [[1], [2]] && recorder.isFinished)
  }

  @Test func `A signal at once ends an array with the current value`() {
    let recorder = Recorder<[Int], Never>()
    CurrentValueSubject<Int, Never>(1).collect(until: Just(())).subscribe(recorder)
    #expect(recorder.values == [[1]] && recorder.isFinished)
  }

  @Test(arguments: 0...3)
  func `A cancel goes to both once, and nothing comes afterwards`(_ count: Int) {
    let bench = Bench(demand: .max(5))
    bench.recorder.onValue = { [unowned recorder = bench.recorder] _ in
      if recorder.values.count == count { recorder.cancel() }
      return .none
    }
    if count == 0 { bench.recorder.cancel() }
    for value in 1...3 {
      bench.source.send(value)
      bench.trigger.send(())
    }
    if count == 3 { bench.source.send(completion: .finished) }
    bench.recorder.request(.max(1))
    #expect(bench.recorder.values.count == count)
    #expect(bench.recorder.completions.isEmpty && bench.recorder.complaints.isEmpty)
    #expect(bench.source.subscription?.cancellations == 1)
    #expect(bench.trigger.subscription?.cancellations == 1)
  }

  @Test func `Values, signals and requests of several threads lose nothing`() {
    for round in 0..<100 {
      let (source, trigger) = (PassthroughSubject<Int, TestError>(), PassthroughSubject<Void, TestError>())
      let recorder = Recorder<[Int], TestError>(demand: nil)
      source.buffer(size: 1_000, prefetch: .keepFull, whenFull: .dropNewest).collect(until: trigger)
        .subscribe(recorder)
      onThreads(3) { number in
        switch number {
        case 0:
          for value in 1...30 { source.send(value) }
          source.send(completion: .finished)
        case 1: for _ in 0..<20 + round % 10 { trigger.send(()) }
        default: for _ in 0..<10 { recorder.request(.max(1)) }
        }
      }
      recorder.request(.unlimited)
      #expect(recorder.values.flatMap { $0 } == Array(1...30))
      #expect(recorder.values.allSatisfy { !$0.isEmpty })
      #expect(recorder.isFinished && recorder.complaints.isEmpty && !recorder.hasOverlapped)
    }
  }

  @Test(arguments: ["finish", "fail", "cancel", "hold, then cancel"])
  func `Nothing is left when the stream is over`(_ end: String) {
    var graveyard = Graveyard()
    do {
      let subject = graveyard.watch(PassthroughSubject<Int, TestError>(), "subject")
      let trigger = graveyard.watch(PassthroughSubject<Void, TestError>(), "trigger")
      let recorder = graveyard.watch(
        Recorder<[Int], TestError>(demand: end.hasPrefix("hold") ? .max(1) : .unlimited), "subscriber")
      subject.collect(until: trigger).subscribe(recorder)
      subject.send(1)
      trigger.send(())
      subject.send(2)
      trigger.send(())
      switch end {
      case "finish": subject.send(completion: .finished)
      case "fail": trigger.send(completion: .failure(.oops))
      default: recorder.cancel()
      }
      recorder.releaseSubscriptions()
    }
    #expect(graveyard.survivors.isEmpty)
  }

  /// Random scripts, compared with a simple reference: it keeps the open array, and requests when an array is wanted.
  @Test(arguments: 0..<200)
  func `The operator does what its model does`(_ seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed))
    let bench = Bench(demand: nil)
    var (chunk, kept, published): ([Int], [Int], [[Int]]) = ([], [], [])
    var (demand, awaited, next) = (0, false, 1)
    func settle() {
      if !kept.isEmpty, demand > 0 {
        published.append(kept)
        kept = []
        demand -= 1
      }
      if !awaited, demand > 0, kept.isEmpty { awaited = true }
    }
    var outstanding = 0
    for _ in 0..<60 {
      switch generator.next() % 4 {
      case 0:
        demand += 1
        settle()
        let before = bench.requested.count
        bench.recorder.request(.max(1))
        outstanding += bench.requested[before...].reduce(0) { $0 + $1.max! }
      case 1:
        if !chunk.isEmpty {
          kept += chunk
          chunk = []
        }
        settle()
        let before = bench.requested.count
        bench.trigger.send(())
        outstanding += bench.requested[before...].reduce(0) { $0 + $1.max! }
      default:
        guard awaited else { continue }
        awaited = false
        chunk.append(next)
        settle()
        outstanding += bench.source.send(next).max! - 1
        next += 1
      }
      #expect(bench.recorder.values == published)
      #expect(outstanding == (awaited ? 1 : 0))
    }
    #expect(bench.recorder.complaints.isEmpty)
  }
}
