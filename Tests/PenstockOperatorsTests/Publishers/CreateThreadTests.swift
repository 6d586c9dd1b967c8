// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import TestSupport
import Testing

/// An emitter that several threads use at once.
@Suite struct CreateThreadTests {
  @Test func `A value sent while another thread delivers is delivered by that thread, in its turn`() {
    let create = ManualCreate<Int, Never>()
    let recorder = Recorder<Int, Never>()
    recorder.onValue = { value in
      guard value == 1 else { return .none }
      elsewhere {
        create.emitter.send(2)
        #expect(recorder.values == [1])
      }
      create.emitter.send(3)
      return .none
    }
    create.publisher.subscribe(recorder)
    create.emitter.send(1)
    #expect(recorder.values == [1, 2, 3] && recorder.isSerial)
    recorder.cancel()
  }

  @Test func `A cancel on another thread during a delivery is the end`() {
    let create = ManualCreate<Int, Never>()
    let recorder = Recorder<Int, Never>()
    recorder.onValue = { [unowned recorder] value in
      create.emitter.send(value + 1)
      elsewhere { recorder.cancel() }
      return .max(1)
    }
    create.publisher.subscribe(recorder)
    create.emitter.send(1)
    #expect(recorder.values == [1] && create.cleanups.value == 1 && recorder.complaints.isEmpty)
  }

  @Test func `A completion on another thread during a delivery waits for it, and cleans up at once`() {
    let create = ManualCreate<Int, Never>()
    let recorder = Recorder<Int, Never>()
    recorder.onValue = { _ in
      elsewhere { create.emitter.send(completion: .finished) }
      #expect(recorder.completions.isEmpty && create.cleanups.value == 1)
      return .none
    }
    create.publisher.subscribe(recorder)
    create.emitter.send(1)
    #expect(recorder.isFinished && recorder.isSerial)
  }

  @Test func `A request of another thread during the introduction waits for it`() {
    let recorder = Recorder<Int, Never>(demand: nil)
    let isIntroduced = Locked(false)
    recorder.onSubscription = { subscription in
      let subscription = UncheckedBox(subscription)
      elsewhere { subscription.value.request(.max(2)) }
      #expect(recorder.values.isEmpty)
      isIntroduced.change { $0 = true }
    }
    AnyPublisher<Int, Never>.create { emitter in
      #expect(isIntroduced.value && emitter.demand == .max(2))
      for value in 1...3 { emitter.send(value) }
      return AnyCancellable {}
    }.subscribe(recorder)
    #expect(recorder.values == [1, 2])
    recorder.subscription?.cancel()
  }

  @Test func `A report while another thread delivers comes after the delivery`() {
    let create = ManualCreate<Int, Never>()
    let reports = Locked<[Subscribers.Demand]>([])
    let recorder = Recorder<Int, Never>(demand: .max(1))
    recorder.onValue = { [unowned recorder] _ in
      elsewhere { recorder.request(.max(2)) }
      #expect(reports.value == [.max(1)])
      return .none
    }
    create.publisher.subscribe(recorder)
    create.emitter.onDemand { demand in reports.change { $0.append(demand) } }
    create.emitter.send(1)
    #expect(reports.value == [.max(1), .max(2)])
    recorder.cancel()
  }

  // MARK: Stress

  @Test func `What several threads send is delivered once each, in each thread's order, and never overlaps`() {
    for round in 0..<4 {
      let create = ManualCreate<Int, Never>()
      let recorder = Recorder<Int, Never>(demand: round == 0 ? .unlimited : .max(1), answering: .max(1))
      create.publisher.subscribe(recorder)
      let emitter = create.emitter
      onThreads(4) { thread in
        for number in 0..<2_000 { emitter.send(thread * 10_000 + number) }
      }
      emitter.send(completion: .finished)
      #expect(recorder.values.count == 8_000 && recorder.isFinished)
      #expect(recorder.isSerial && recorder.complaints.isEmpty)
      for thread in 0..<4 {
        #expect(recorder.values.filter { $0 / 10_000 == thread } == (0..<2_000).map { thread * 10_000 + $0 })
      }
      #expect(create.cleanups.value == 1)
    }
  }

  @Test func `Requests of several threads beside sends lose nothing and exceed nothing`() {
    for _ in 0..<4 {
      let create = ManualCreate<Int, Never>()
      let recorder = Recorder<Int, Never>(demand: nil)
      create.publisher.subscribe(recorder)
      let emitter = create.emitter
      onThreads(4) { thread in
        for number in 0..<2_000 {
          if thread < 2 { emitter.send(number) } else { recorder.request(.max(1)) }
        }
      }
      #expect(recorder.values.count == 4_000 && recorder.complaints.isEmpty && !recorder.hasOverlapped)
      #expect(!emitter.isReady)
      recorder.cancel()
    }
  }

  @Test func `A source that answers reports meets all demand, whichever threads request`() {
    let made = Locked(0)
    let recorder = Recorder<Int, Never>(demand: nil)
    AnyPublisher<Int, Never>.create { emitter in
      emitter.onDemand { demand in
        for _ in 0..<(demand.max ?? 0) {
          emitter.send(
            made.change { made -> Int in
              made += 1; return made
            })
        }
      }
      return AnyCancellable {}
    }.subscribe(recorder)
    onThreads(4) { _ in
      for _ in 0..<1_000 { recorder.request(.max(2)) }
    }
    #expect(recorder.values == Array(1...8_000) && !recorder.hasOverlapped)
    recorder.cancel()
  }

  @Test func `A cancel that races with sends, requests and the end cleans up once and leaves nothing`() {
    for round in 0..<200 {
      var graveyard = Graveyard()
      let cleanups = Locked(0)
      do {
        let canary = graveyard.watch(Canary())
        let kept = Locked<Publishers.Emitter<Canary, Never>?>(nil)
        let recorder = Recorder<Canary, Never>(demand: .max(2))
        AnyPublisher<Canary, Never>.create(bufferSize: round % 3, whenFull: .dropOldest) { emitter in
          kept.change { $0 = emitter }
          emitter.onDemand { _ in emitter.send(canary) }
          return AnyCancellable { cleanups.change { $0 += 1 } }
        }.subscribe(recorder)
        let emitter = kept.value!
        onThreads(
          within: 60,
          [
            { for _ in 0..<20 { emitter.send(canary) } },
            { for _ in 0..<20 { recorder.request(.max(1)) } },
            { recorder.cancel() },
            { if round.isMultiple(of: 2) { emitter.send(completion: .finished) } },
          ])
        #expect(!recorder.hasOverlapped && recorder.completions.count <= 1)
        #expect(!emitter.isActive)
      }
      #expect(cleanups.value == 1 && graveyard.survivors.isEmpty)
    }
  }
}
