// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import PenstockTesting
import TestSupport

extension Machine {
  /// Connection counts, and the fan-out of `shareReplay`.
  static let sharing: [Machine] = [
    Machine("share: two subscribers come and go") { exploration in
      let source = CountedPublisher<Int, TestError>()
      let shared = source.share()
      return Script([
        { shared.comeAndGo() },
        { shared.comeAndGo() },
      ]) {
        source.unbalanced
      }
    },
    Machine("share: an upstream that finishes at once, and subscribers that cancel at its value") { exploration in
      let (subscriptions, ends) = (Locked(0), Locked(0))
      let shared = UncheckedBox(
        Deferred { () -> Just<Int> in
          subscriptions.change { $0 += 1 }
          return Just(1)
        }.handleEvents(receiveCompletion: { _ in ends.change { $0 += 1 } }).share())
      let recorders = (0..<3).map { _ in exploration.recorder() }
      return Script([
        { shared.value.setFailureType(to: TestError.self).first().subscribe(recorders[0]) },
        { shared.value.setFailureType(to: TestError.self).first().subscribe(recorders[1]) },
      ]) {
        shared.value.setFailureType(to: TestError.self).first().subscribe(recorders[2])
        let served = recorders.count { !$0.values.isEmpty }
        return expect(recorders.allSatisfy(\.isFinished), "no completion")
          // Upstream has finished only if a subscriber was left when it had delivered, including one whose introduction
          // was running and that got the value afterwards.
          + expect(served == 3 || ends.value > 0, "\(served) have got the value")
          // A thread whose own subscriber has left connects for another one, which may not have asked for anything yet.
          + expect(subscriptions.value <= served + 1, "\(subscriptions.value) subscriptions for \(served)")
      }
    },
    Machine("relay: it is subscribed while its first subscriber asks", preemptions: 3) { exploration in
      let (source, relay) = (CurrentValueSubject<Int, Never>(1), PassthroughRelay<Int>())
      let recorder = exploration.recorder()
      let feeding = Locked<AnyCancellable?>(nil)
      exploration.releases.append { feeding.value?.cancel() }
      return Script([
        {
          let cancellable = UncheckedBox(source.subscribe(relay))
          feeding.change { $0 = cancellable.value }
        },
        { relay.setFailureType(to: TestError.self).subscribe(recorder) },
      ]) {
        recorder.broken() + expect(recorder.values == [1], "\(recorder.values)")
      }
    },
    Machine("autoconnect: two subscribers come and go while another thread sends") { exploration in
      let source = CountedPublisher<Int, TestError>()
      let shared = source.multicast { PassthroughSubject() }.autoconnect()
      let first = shared.sink(receiveCompletion: { _ in }, receiveValue: { _ in exploration.yield("delivers") })
      let leaving = UncheckedBox(first)
      return Script([
        { leaving.value.cancel() },
        { shared.comeAndGo() },
        { source.subject.send(1) },
      ]) {
        source.unbalanced
      }
    },
    Machine("share(replay:): two subscribers come and go") { exploration in
      let source = CountedPublisher<Int, TestError>()
      let shared = source.share(replay: 1)
      return Script([
        { shared.comeAndGo() },
        { shared.comeAndGo() },
      ]) {
        source.unbalanced
      }
    },
    Machine("share(replay:): a subscriber comes and goes while another thread sends", preemptions: 3) { exploration in
      let source = CountedPublisher<Int, TestError>()
      let shared = source.share(replay: 1)
      let first = shared.sink(receiveCompletion: { _ in }, receiveValue: { _ in exploration.yield("delivers") })
      return Script([
        { source.subject.send(1) },
        { shared.comeAndGo() },
      ]) {
        first.cancel()
        return source.unbalanced
      }
    },
    Machine("share(buffering:): two subscribers come and go") { exploration in
      let source = CountedPublisher<Int, TestError>()
      let shared = source.share(buffering: .bounded(1))
      return Script([
        { shared.comeAndGo() },
        { shared.comeAndGo() },
      ]) {
        source.unbalanced
      }
    },
    Machine("share(buffering:): one comes and goes while another thread sends", preemptions: 3) { exploration in
      let source = CountedPublisher<Int, TestError>()
      let shared = source.share(buffering: .oldest(1))
      let first = shared.sink(receiveCompletion: { _ in }, receiveValue: { _ in exploration.yield("delivers") })
      return Script([
        { source.subject.send(1) },
        { shared.comeAndGo() },
      ]) {
        first.cancel()
        return source.unbalanced
      }
    },
    Machine("share(buffering:): attach while another thread sends", preemptions: 3) { exploration in
      let subject = Subject()
      let shared = subject.share(buffering: .unbounded)
      let (first, second) = (exploration.recorder(), exploration.recorder())
      shared.subscribe(first)
      subject.send(0)
      return Script([{ (1...2).forEach(subject.send) }, { shared.subscribe(second) }]) {
        first.broken("the first") + second.broken("the second")
          + expect(first.values == [0, 1, 2], "the first: \(first.values)")
          + expect([[], [2], [1, 2]].contains(second.values), "the second: \(second.values)")
      }
    },
    Machine("share(buffering:): two ask on threads of their own, and upstream waits for both") { exploration in
      let shared = (1...3).publisher.setFailureType(to: TestError.self).share(buffering: .bounded(1))
      let (first, second) = (exploration.recorder(demand: nil), exploration.recorder(demand: nil))
      shared.subscribe(first)
      shared.subscribe(second)
      return Script([
        { for _ in 1...3 { first.request(.max(1)) } },
        { for _ in 1...3 { second.request(.max(1)) } },
      ]) {
        first.broken("the first") + second.broken("the second")
          + expect(first.values == [1, 2, 3] && second.values == [1, 2, 3], "\(first.values), \(second.values)")
          + expect(first.isFinished && second.isFinished, "no completion")
      }
    },
    Machine("share(buffering:): the slow one leaves while the fast one waits for it") { exploration in
      let shared = (1...3).publisher.setFailureType(to: TestError.self).share(buffering: .bounded(1))
      let (fast, slow) = (exploration.recorder(demand: nil), exploration.recorder(demand: nil))
      shared.subscribe(fast)
      shared.subscribe(slow)
      return Script([
        { fast.request(.unlimited) },
        { exploration.cancel(slow) },
      ]) {
        fast.broken("the fast one") + expect(fast.values == [1, 2, 3] && fast.isFinished, "\(fast.values)")
      }
    },
    Machine("share(replay:keepingFor:): the timer goes off while one comes and goes") { exploration in
      let source = CountedPublisher<Int, TestError>()
      let scheduler = VirtualTimeScheduler()
      let shared = source.share(replay: 1, keepingFor: 1, scheduler: scheduler)
      shared.comeAndGo()
      return Script([
        { scheduler.advance(by: 1) },
        { shared.comeAndGo() },
      ]) {
        scheduler.advance(by: 2)
        return source.unbalanced
      }
    },
    Machine("shareReplay: attach while another thread sends", preemptions: 3) { exploration in
      let subject = Subject()
      let shared = subject.shareReplay(capacity: 2)
      let (first, second) = (exploration.recorder(), exploration.recorder())
      shared.subscribe(first)
      subject.send(0)
      return Script([{ (1...2).forEach(subject.send) }, { shared.subscribe(second) }]) {
        first.broken("the first") + second.broken("the second")
          + expect(first.values == [0, 1, 2], "the first: \(first.values)")
          + expect(second.values.suffix(2) == [1, 2], "the second: \(second.values)")
          + expect(zip(second.values, second.values.dropFirst()).allSatisfy { $1 == $0 + 1 }, "\(second.values)")
      }
    },
    Machine("shareReplay: request while another thread sends") { exploration in
      let subject = Subject()
      let shared = subject.shareReplay(capacity: 1)
      let recorder = exploration.recorder(demand: nil)
      shared.subscribe(recorder)
      return Script([
        {
          (1...2).forEach(subject.send)
          subject.send(completion: .finished)
        },
        { for _ in 1...2 { recorder.request(.max(1)) } },
      ]) {
        recorder.broken() + expect(recorder.values == [1, 2], "\(recorder.values)")
          + expect(recorder.completions.count == 1, "no completion")
      }
    },
  ]
}
