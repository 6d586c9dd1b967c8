// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import TestSupport
import Testing

@Suite struct MulticastInTests {
  @Test func `All branches get everything of one subscription, and upstream begins when they are there`() {
    var subscriptions = 0
    let upstream = Deferred { () -> Publishers.Sequence<ClosedRange<Int>, Never> in
      subscriptions += 1
      return (1...4).publisher
    }
    let recorder = Recorder<String, Never>()
    upstream.multicast { shared in
      shared.map { "a\($0)" }.merge(with: shared.map { "b\($0)" }, shared.count().map { "\($0) in all" })
    }.subscribe(recorder)
    #expect(recorder.values == ["a1", "b1", "a2", "b2", "a3", "b3", "a4", "b4", "4 in all"])
    #expect(recorder.isFinished && subscriptions == 1)
  }

  @Test func `Each subscriber has a subscription of its own`() {
    let source = CountedPublisher<Int, Never>()
    var calls = 0
    let stream = source.multicast { shared in
      calls += 1
      return shared.merge(with: shared)
    }
    let recorders = (0..<2).map { _ in Recorder<Int, Never>() }
    for recorder in recorders { stream.subscribe(recorder) }
    #expect(calls == 2 && source.subscribed.value == 2)
    source.subject.send(1)
    #expect(recorders.allSatisfy { $0.values == [1, 1] })
    recorders[0].cancel()
    #expect(source.cancelled.value == 1)
    recorders[1].cancel()
    #expect(source.cancelled.value == 2)
  }

  @Test func `The branch that asks least drives`() {
    let source = ManualPublisher<Int, Never>()
    let gate = PassthroughSubject<Void, Never>()
    let recorder = Recorder<Int, Never>()
    source.multicast { shared in
      shared.merge(with: shared.flatMap(maxPublishers: .max(1)) { _ in gate.first().map { -1 } })
    }.subscribe(recorder)
    #expect(source.subscription?.requests == [.max(1)])
    source.send(1)
    #expect(source.subscription?.requests == [.max(1), .max(1)])
    source.send(2)
    #expect(recorder.values == [1, 2])
    #expect(source.subscription?.requests == [.max(1), .max(1)])
    gate.send()
    #expect(source.subscription?.requests == [.max(1), .max(1), .max(1)])
    #expect(recorder.values == [1, 2, -1])
  }

  @Test func `Nothing is requested before the subscriber requests`() {
    let source = ManualPublisher<Int, Never>()
    let recorder = Recorder<Int, Never>(demand: nil)
    source.multicast(buffering: .bounded(3)) { $0.map { $0 } }.subscribe(recorder)
    #expect(source.calls == [])
    recorder.request(.max(1))
    #expect(source.calls == [.requested(.max(3))])
  }

  @Test(arguments: [1, 2, 3])
  func `A branch that is ahead by as many as the bound gets on`(_ ahead: Int) {
    for bound in 1...3 {
      let recorder = Recorder<Int, Never>(demand: .max(1), answering: .max(1))
      (1...5).publisher.multicast(buffering: .bounded(bound)) { shared in
        shared.zip(shared.dropFirst(ahead)).map { $1 - $0 }
      }.subscribe(recorder)
      #expect(recorder.values == (bound >= ahead ? Array(repeating: ahead, count: 5 - ahead) : []))
    }
  }

  @Test func `A branch that comes later, and one that comes when all had left`() {
    let source = CountedPublisher<Int, Never>()
    let later = PassthroughSubject<Void, Never>()
    let recorder = Recorder<Int, Never>()
    source.multicast { shared in later.map { shared.first() }.switchToLatest() }.subscribe(recorder)
    #expect(source.subscribed.value == 0)
    later.send()
    #expect(source.subscribed.value == 1)
    source.subject.send(1)
    #expect(source.cancelled.value == 1)
    later.send()
    source.subject.send(2)
    #expect(recorder.values == [1, 2] && source.subscribed.value == 2)
  }

  /// A publisher without signals, which is subscribed to when the branches are about to begin.
  private struct Last: Publisher {
    typealias Output = Int
    typealias Failure = Never
    let onSubscribe: () -> Void

    func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never { onSubscribe() }
  }

  /// A branch that subscribes on one thread, while another one is about to begin.
  private struct FirstBranch: Sendable {
    let upstream = CountedPublisher<Int, Never>()
    let recorder = Recorder<Int, Never>(demand: nil)
    let meeting = Meeting()
    let branch = Locked<AnyPublisher<Int, Never>?>(nil)

    /// - Parameter turns: How much longer upstream takes to begin.
    func begin(after turns: Int) {
      upstream.multicast { shared in
        branch.change { $0 = shared }
        meeting.wait()
        // The last callback before upstream begins.
        return Last { meeting.wait(1, longer: turns) }
      }.subscribe(Recorder<Int, Never>())
    }

    func come() {
      // The last callback before the branch checks whether upstream has begun.
      recorder.onSubscription = { [meeting] _ in meeting.wait(1) }
      meeting.wait()
      branch.value?.subscribe(recorder)
    }
  }

  @Test func `The first branch may come on another thread while upstream is about to begin`() {
    let turns = Locked(0)
    let rounds = meet(
      12_000, over: { FirstBranch() },
      { round in
        round.begin(
          after: turns.change { turns in
            turns = (turns + 1) % 1_000
            return turns
          })
      }, { $0.come() })
    #expect(rounds.count { $0.upstream.subscribed.value != 1 } == 0)
    for round in rounds { round.recorder.dismiss() }
  }

  @Test func `A closure that does not use it leaves upstream alone`() {
    let source = CountedPublisher<Int, Never>()
    let recorder = Recorder<Int, Never>()
    source.multicast { _ in Just(7) }.subscribe(recorder)
    #expect(recorder.values == [7] && source.subscribed.value == 0)
  }

  @Test func `A branch that is cancelled before upstream begins spares it`() {
    let source = CountedPublisher<Int, Never>()
    let recorder = Recorder<Int, Never>(demand: nil)
    recorder.onSubscription = { $0.cancel() }
    source.multicast { $0.map { $0 } }.subscribe(recorder)
    #expect(source.subscribed.value == 0)
  }

  @Test func `A failure reaches each branch`() {
    let source = PassthroughSubject<Int, TestError>()
    let recorder = Recorder<Int, TestError>()
    source.multicast { shared in
      shared.catch { _ in Just(-1).setFailureType(to: TestError.self) }.merge(with: shared)
    }.subscribe(recorder)
    source.send(1)
    source.send(completion: .failure(.oops))
    #expect(recorder.values == [1, 1, -1])
    #expect(recorder.completions == [.failure(.oops)])
  }

  @Test func `Nothing is left`() {
    for ends in [false, true] {
      var graveyard = Graveyard()
      do {
        let source = graveyard.watch(PassthroughSubject<Canary, Never>())
        let recorder = graveyard.watch(Recorder<Canary, Never>(demand: .max(1)))
        source.multicast { $0.merge(with: $0.map { $0 }) }.subscribe(recorder)
        source.send(graveyard.watch(Canary()))
        if ends {
          source.send(completion: .finished)
          recorder.request(.unlimited)
        } else {
          recorder.cancel()
        }
        recorder.releaseSubscriptions()
      }
      #expect(graveyard.survivors.isEmpty)
    }
  }

  @Test func `A bound of 0 traps where it is written`() async {
    expectMessage(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = Just(1).multicast(buffering: .bounded(0)) { $0 }
      }, "takes a count of 1 or more")
  }
}
