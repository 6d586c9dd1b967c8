// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import Penstock
import PenstockConcurrency
import PenstockCore
import PenstockInspector
import PenstockOperators
import PenstockTesting
import TestSupport
import Testing

extension InspectorTests {
  /// Tests of the values that are discarded, and of the closures that get them.
  ///
  /// Each test runs in a process of its own, since it counts the listeners of the whole process.
  @Suite struct DiscardTests {
    @Test func `A value without demand is told of, by what keeps none`() async {
      await #expect(processExitsWith: .success) { () async throws in
        let subject = PassthroughSubject<Int, Never>()
        let told = Told()
        let recorder = subject.told(told).observed(.max(1))
        for value in 1...3 { subject.send(value) }
        #expect(told.texts == ["2 withoutDemand", "3 withoutDemand"])
        recorder.request(.max(1))
        subject.send(4)
        #expect(told.texts.count == 2 && recorder.values == [1, 4])

        let center = NotificationCenter()
        let name = Notification.Name("price")
        let posted = Told()
        let waiting = center.publisher(for: name).handleDiscarded { posted.append($0.userInfo?["n"] as Any, $1) }
          .observed(.none)
        center.post(name: name, object: nil, userInfo: ["n": 7])
        #expect(posted.texts == ["Optional(7) withoutDemand"])
        waiting.cancel()
        center.post(name: name, object: nil, userInfo: ["n": 8])
        #expect(posted.texts.count == 1)
        recorder.cancel()
      }
    }

    @Test func `What a full buffer drops is told of, and what waits in it when the stream is cancelled`() async {
      await #expect(processExitsWith: .success) { () async throws in
        for (strategy, expected) in [
          (Publishers.BufferingStrategy<TestError>.dropOldest, ["1 bufferFull", "2 ended", "3 ended"]),
          (.dropNewest, ["3 bufferFull", "1 ended", "2 ended"]),
          (.customError { TestError() }, ["3 bufferFull", "1 ended", "2 ended"]),
        ] {
          let subject = PassthroughSubject<Int, TestError>()
          let told = Told()
          let recorder = subject.buffer(size: 2, prefetch: .byRequest, whenFull: strategy).told(told).observed(.none)
          for value in 1...3 { subject.send(value) }
          recorder.cancel()
          #expect(told.texts == expected, "\(told.texts)")
        }
        for (strategy, expected) in [
          (Publishers.BufferingStrategy<Never>.dropOldest, ["1 bufferFull", "2 ended", "3 ended"]),
          (.dropNewest, ["3 bufferFull", "1 ended", "2 ended"]),
        ] {
          let told = Told()
          let emitters = Locked<[Publishers.Emitter<Int, Never>]>([])
          let created = AnyPublisher<Int, Never>.create(bufferSize: 2, whenFull: strategy) { emitter in
            emitters.change { $0.append(emitter) }
            return AnyCancellable {}
          }
          let recorder = created.told(told).observed(.none)
          let emitter = emitters.change { $0[0] }
          for value in 1...3 { emitter.send(value) }
          recorder.cancel()
          #expect(told.texts == expected, "\(told.texts)")
        }
      }
    }

    @Test func `What a shared stream drops for a slow subscriber is told of, and what waits for it when it cancels`()
      async
    {
      await #expect(processExitsWith: .success) { () async throws in
        for (policy, expected) in [
          (ShareBufferingPolicy.newest(1), ["1 bufferFull", "2 bufferFull", "3 ended"]),
          (.oldest(1), ["2 bufferFull", "3 bufferFull", "1 ended"]),
          (.unbounded, ["1 ended", "2 ended", "3 ended"]), (.bounded(3), ["1 ended", "2 ended", "3 ended"]),
        ] {
          let subject = PassthroughSubject<Int, Never>()
          let shared = subject.share(buffering: policy)
          let (told, others) = (Told(), Told())
          let fast = shared.told(others).observed(.unlimited)
          let slow = shared.told(told).observed(.none)
          for value in 1...3 { subject.send(value) }
          slow.cancel()
          #expect(told.texts == expected, "\(policy): \(told.texts)")
          #expect(others.texts == [], "\(policy)")
          fast.cancel()
        }
      }
    }

    @Test func `A value that a newer one replaces is told of, and one that waits for time at the end`() async {
      await #expect(processExitsWith: .success) { () async throws in
        let scheduler = VirtualTimeScheduler()
        let signal = PassthroughSubject<Void, Never>()
        let condition = CurrentValueSubject<Bool, Never>(true)
        let never = CurrentValueSubject<Int, Never>(0).ignoreOutput().setOutputType(to: Int.self)
        let subject = PassthroughSubject<Int, Never>()
        let pipelines: [(String, AnyPublisher<Int, Never>, [String])] = [
          (
            "debounce", subject.debounce(for: 5, scheduler: scheduler).eraseToAnyPublisher(), ["1 replaced", "2 ended"]
          ),
          (
            "throttle, latest",
            subject.throttle(for: 5, scheduler: scheduler, latest: true).eraseToAnyPublisher(),
            ["1 replaced", "2 ended"]
          ),
          (
            "throttle, first",
            subject.throttle(for: 5, scheduler: scheduler, latest: false).eraseToAnyPublisher(),
            ["2 replaced", "1 ended"]
          ),
          ("sample", subject.sample(signal).eraseToAnyPublisher(), ["1 replaced", "2 ended"]),
          (
            "throttle(while:)", subject.throttle(while: condition, on: scheduler).eraseToAnyPublisher(),
            ["1 replaced", "2 ended"]
          ),
          (
            "collect", subject.collect(.byTime(scheduler, 5)).flatMap { $0.publisher }.eraseToAnyPublisher(),
            ["1 ended", "2 ended"]
          ),
          (
            "collect by weight",
            subject.collect(upTo: 5, weight: 9, within: 5, scheduler: scheduler) { $0 }.flatMap { $0.publisher }
              .eraseToAnyPublisher(),
            ["1 ended", "2 ended"]
          ),
          (
            // Closed when everything has been requested.
            "pausable", subject.pausable(by: subject.map { _ in false }).eraseToAnyPublisher(),
            ["1 ended", "2 ended"]
          ),
          (
            "pausable, dropping",
            subject.pausable(by: Publishers.Valve(isOpen: false), whenClosed: .drop).eraseToAnyPublisher(),
            ["1 withoutDemand", "2 withoutDemand"]
          ),
          (
            "debounce, by value", subject.debounce(for: { _ in 1 }, scheduler: scheduler).eraseToAnyPublisher(),
            ["1 replaced", "2 ended"]
          ),
          (
            "throttle, trailing",
            subject.throttle(for: 1, scheduler: scheduler, leading: false, trailing: true).eraseToAnyPublisher(),
            ["1 replaced", "2 ended"]
          ),
          (
            "throttle, leading",
            subject.throttle(for: 1, scheduler: scheduler, leading: true, trailing: false).eraseToAnyPublisher(),
            ["2 replaced", "1 ended"]
          ),
          (
            "receive(on:upTo:)", subject.receive(on: scheduler, upTo: 3).eraseToAnyPublisher(), ["1 ended", "2 ended"]
          ),
          (
            "receive(on:)", subject.receive(on: scheduler).eraseToAnyPublisher(), ["1 ended", "2 ended"]
          ),
          ("delay", subject.delay(for: 3, scheduler: scheduler).eraseToAnyPublisher(), ["1 ended", "2 ended"]),
          ("zip", subject.zip(never) { value, _ in value }.eraseToAnyPublisher(), ["1 ended", "2 ended"]),
        ]
        for (name, pipeline, expected) in pipelines {
          let told = Told()
          let cancellable = pipeline.told(told).sink { _ in }
          subject.send(1)
          subject.send(2)
          cancellable.cancel()
          #expect(told.texts == expected, "\(name)")
        }
        let told = Told()
        let recorder = subject.debounce(for: 5, scheduler: scheduler).told(told).observed(.none)
        subject.send(1)
        await scheduler.advance(by: 10)
        #expect(told.texts == ["1 withoutDemand"])
        recorder.cancel()
      }
    }

    @Test func `What waits for demand in an operator with several upstreams is told of at the end`() async {
      await #expect(processExitsWith: .success) { () async throws in
        let (first, second) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
        let merged = Told()
        let both = first.merge(with: second).told(merged).observed(.none)
        first.send(1)
        second.send(2)
        both.cancel()
        #expect(merged.texts == ["1 ended", "2 ended"])

        let zipped = Told()
        let pairs = first.zip(second).map { $0 + $1 }.told(zipped).observed(.unlimited)
        for value in 1...3 { first.send(value) }
        second.send(10)
        second.send(completion: .finished)
        first.send(completion: .finished)
        #expect(pairs.values == [11] && zipped.texts == ["2 ended", "3 ended"])

        let outer = PassthroughSubject<Int, Never>()
        let inner = [PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>()]
        for (name, pipeline) in [
          ("flatMap", outer.flatMap { inner[$0] }.eraseToAnyPublisher()),
          (
            "flatMapSequential",
            outer.flatMapSequential(maxPublishers: .max(2), prefetch: 2) { inner[$0] }.eraseToAnyPublisher()
          ),
        ] {
          let told = Told()
          let recorder = pipeline.told(told).observed(.none)
          outer.send(0)
          outer.send(1)
          inner[0].send(1)
          inner[1].send(2)
          recorder.cancel()
          #expect(told.texts == ["1 ended", "2 ended"], "\(name)")
        }

        let expanded = Told()
        let values = outer.expand(maxPublishers: .max(2)) { inner[$0] }.told(expanded).observed(.max(2))
        outer.send(0)
        outer.send(1)
        inner[0].send(0)
        inner[1].send(1)
        values.cancel()
        // Not the published values that wait to be expanded.
        #expect(values.values == [0, 1] && expanded.texts == ["0 ended", "1 ended"])

        let (stored, source) = (Told(), PassthroughSubject<Int, Never>())
        let buffered = source.buffer(upTo: 2).told(stored).observed(.none)
        for value in 1...3 { source.send(value) }
        buffered.cancel()
        // The third has not been asked for.
        #expect(stored.texts == ["3 withoutDemand", "1 ended", "2 ended"])
      }
    }

    @Test func `Links that join a stream later are among those that are listened to`() async {
      await #expect(processExitsWith: .success) { () async throws in
        let outer = PassthroughSubject<Int, TestError>()
        let inner = PassthroughSubject<Int, TestError>()
        let buffered = inner.buffer(size: 1, prefetch: .byRequest, whenFull: .dropNewest)
        let pipelines: [(String, AnyPublisher<Int, TestError>)] = [
          ("flatMap", outer.flatMap { _ in buffered }.eraseToAnyPublisher()),
          ("switchToLatest", outer.map { _ in buffered }.switchToLatest().eraseToAnyPublisher()),
          ("append", outer.first().append(buffered).eraseToAnyPublisher()),
          ("catch", outer.tryMap { _ in throw TestError() }.catch { _ in buffered }.eraseToAnyPublisher()),
          ("merge", buffered.merge(with: outer).eraseToAnyPublisher()),
          ("prefix(untilOutputFrom:)", buffered.prefix(untilOutputFrom: inner.filter { $0 > 5 }).eraseToAnyPublisher()),
        ]
        for (name, pipeline) in pipelines {
          let told = Told()
          let recorder = pipeline.map { $0 }.told(told).observed(.max(1))
          outer.send(0)
          // One value waits in the operator or is delivered, one in the buffer; the others find it full.
          for value in 1...4 { inner.send(value) }
          #expect(told.texts.last == "4 bufferFull", "\(name)")
          recorder.cancel()
          #expect(told.texts.last?.hasSuffix("ended") == true, "\(name): \(told.texts)")
          recorder.releaseSubscriptions()
        }
        await noneListens()
      }
    }

    @Test func `A closure is told of values of its type, from upstream of it, and not from beyond a shared publisher`()
      async
    {
      await #expect(processExitsWith: .success) { () async throws in
        let subject = PassthroughSubject<Int, Never>()
        let (texts, all, above, other) = (Told(), Told(), Told(), Told())
        let recorder =
          subject
          .buffer(size: 1, prefetch: .byRequest, whenFull: .dropNewest)
          .handleDiscarded { above.append($0, $1) }
          .map { "\($0)" }
          .handleDiscarded { texts.append($0, $1) }
          .handleDiscarded(of: Any.self) { all.append($0, $1) }
          .buffer(size: 1, prefetch: .byRequest, whenFull: .dropNewest)
          .observed(.none)
        let unrelated = PassthroughSubject<Int, Never>().told(other).observed(.none)
        for value in 1...3 { subject.send(value) }
        #expect(above.texts == all.texts && texts.texts == [] && other.texts == [])

        let shared = subject.buffer(size: 1, prefetch: .byRequest, whenFull: .dropNewest).share()
        let beyond = Told()
        let member = shared.told(beyond).observed(.none)
        for value in 1...3 { subject.send(value) }
        #expect(beyond.texts == [])
        recorder.cancel()
        unrelated.cancel()
        member.cancel()
      }
    }

    @Test func `The process's closure is told of everything, until another one takes its place`() async {
      await #expect(processExitsWith: .success) { () async throws in
        let told = Told()
        Inspector.handleDiscarded { told.append("\($0.value) of \($0.link ?? "none")", $0.reason) }
        let subject = PassthroughSubject<Int, Never>()
        let (full, waiting) = (
          subject.buffer(size: 1, prefetch: .byRequest, whenFull: .dropNewest).observed(.none),
          subject.observed(.none)
        )
        subject.send(1)
        subject.send(2)
        #expect(
          told.texts == [
            "1 of PassthroughSubject withoutDemand", "2 of Buffer bufferFull", "2 of PassthroughSubject withoutDemand",
          ])
        subject.send(completion: .finished)
        subject.send(3)
        let latest = CurrentValueSubject<Int, Never>(0)
        latest.send(completion: .finished)
        latest.send(4)
        #expect(told.texts.suffix(2) == ["3 of none late", "4 of none late"])
        full.cancel()
        #expect(told.texts.last == "1 of Buffer ended")
        let before = told.texts.count
        Inspector.handleDiscarded(nil)
        latest.send(5)
        #expect(told.texts.count == before)
        #expect(!isAnybodyListening)
        waiting.cancel()

        Inspector.handleDiscarded { told.append($0.value, $0.reason) }
        let numbers = PassthroughSubject<Int, Never>()
        let iterator = numbers.values(buffering: .newest(1)).makeAsyncIterator()
        numbers.send(1)
        numbers.send(2)
        #expect(told.texts.last == "1 bufferFull")
        withExtendedLifetime(iterator) {}
        Inspector.handleDiscarded(nil)
      }
    }

    @Test
    func `The process's closure is told of the results that wait for demand, and of the values that wait for a key`()
      async
    {
      await #expect(processExitsWith: .success) { () async throws in
        let told = Told()
        Inspector.handleDiscarded { told.append("\($0.value) of \($0.link ?? "none")", $0.reason) }
        let started = Locked<Set<Int>>([])
        let recorder = [1, 2, -3, -4].publisher.mapAsync(maxTasks: .max(4), by: { $0 > 0 }) { number in
          started.change { _ = $0.insert(number) }
          // Until the task is cancelled.
          let never = AsyncStream<Int> { _ in }
          if number != 1 { for await _ in never {} }
          return "page \(number)"
        }.observed(.none)
        while !started.value.contains(2) || !started.value.contains(-3) { await Task.yield() }
        recorder.cancel()
        while told.texts.count < 2 { await Task.yield() }
        #expect(told.texts.sorted() == ["-4 of none ended", "page 1 of FlatMap ended"])
        #expect(!started.value.contains(-4))
        Inspector.handleDiscarded(nil)
      }
    }

    @Test func `The process's closure is told of a result whose delivery is refused`() async {
      await #expect(processExitsWith: .success) { () async throws in
        let (told, queue) = (Told(), DeliveryQueue<Int>(capacity: 1))
        Inspector.handleDiscarded { told.append("\($0.value) of \($0.link ?? "none")", $0.reason) }
        try await queue.publish(7)
        let results = queue.deliveries().acknowledged { delivery in
          if delivery.attempt == 1 { try await delivery.nak(after: nil) }
          return delivery.attempt
        }
        for await result in results.prefix(1).values { #expect(result == 2) }
        #expect(told.texts == ["1 of none late"])
      }
    }

    @Test func `A closure may send, cancel and subscribe`() async {
      await #expect(processExitsWith: .success) { () async throws in
        let (subject, lost) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
        let found = lost.observed(.unlimited)
        let cancellable = Locked<AnyCancellable?>(nil)
        let recorder = Recorder<Int, Never>(demand: nil)
        subject.buffer(size: 1, prefetch: .byRequest, whenFull: .dropNewest)
          .handleDiscarded { value, reason in
            lost.send(value)
            if value < 4 { subject.send(value + 1) }
            if value == 4 { recorder.cancel() }
            cancellable.change { $0 = lost.sink { _ in } }
          }
          .subscribe(recorder)
        subject.send(1)
        subject.send(2)
        #expect(found.values == [2, 3, 4, 1])
        cancellable.change { $0 = nil }
        recorder.releaseSubscriptions()
        await noneListens()
      }
    }

    @Test func `Nothing is kept when the stream is gone, whichever way it ends`() async {
      await #expect(processExitsWith: .success) { () async throws in
        for end in 0..<3 {
          let told = Told()
          weak let object = told
          let subject = PassthroughSubject<Int, TestError>()
          let outer = PassthroughSubject<Int, TestError>()
          var recorder: Recorder? = outer.flatMap { _ in
            subject.buffer(size: 1, prefetch: .byRequest, whenFull: .dropNewest)
          }.merge(with: subject).handleDiscarded { told.append($0, $1) }.observed(.max(1))
          outer.send(1)
          for value in 1...3 { subject.send(value) }
          switch end {
          case 0: recorder?.cancel()
          case 1: subject.send(completion: .failure(TestError()))
          default:
            recorder?.request(.unlimited)
            subject.send(completion: .finished)
            outer.send(completion: .finished)
          }
          recorder?.releaseSubscriptions()
          recorder = nil
          #expect(!told.texts.isEmpty && object != nil)
          #expect(discards.audienceCount == 0, "\(end)")
        }
        await noneListens()
      }
    }

    @Test func `Values that several threads discard are each told of once`() async {
      await #expect(processExitsWith: .success) { () async throws in
        for _ in 0..<50 {
          let subject = PassthroughSubject<Int, Never>()
          let scheduler = VirtualTimeScheduler()
          let (told, delivered) = (Told(), Locked(0))
          let cancellable = subject.receive(on: scheduler)
            .buffer(size: 4, prefetch: .byRequest, whenFull: .dropOldest)
            .told(told)
            .sink { _ in delivered.change { $0 += 1 } }
          onThreads(4) { thread in
            switch thread {
            case 0, 1: for value in 0..<100 { subject.send(thread * 100 + value) }
            case 2: for _ in 0..<50 { scheduler.advance(by: 1) }
            default:
              for _ in 0..<20 {
                let other = subject.told(Told()).observed(.none)
                other.dismiss()
              }
              cancellable.cancel()
            }
          }
          // Actions that are still scheduled keep the operator alive.
          await scheduler.advance(by: 1)
          #expect(Set(told.texts).count == told.texts.count)
          #expect(told.texts.count + delivered.change { $0 } <= 200)
        }
        await noneListens()
      }
    }

    @Test func `It keeps the contract of every operator`() async {
      await #expect(processExitsWith: .success) {
        let spec = OperatorSpec("handleDiscarded") { $0.handleDiscarded { _, _ in }.eraseToAnyPublisher() }
        for part in OperatorContract.Part.allCases { part.check(spec) }
      }
    }
  }
}

/// The discarded values that have been reported.
private final class Told: Sendable {
  private let state = Locked<[String]>([])

  var texts: [String] { state.change { $0 } }

  func append(_ value: Any, _ reason: Inspector.Link.Drops.Reason) { state.change { $0.append("\(value) \(reason)") } }
}

extension Publisher {
  fileprivate func told(_ told: Told) -> Publishers.HandleDiscarded<Self> {
    handleDiscarded { told.append($0, $1) }
  }

  fileprivate func observed(_ demand: Subscribers.Demand) -> Recorder<Output, Failure> {
    // `nil` requests nothing; a request of nothing is a mistake.
    let recorder = Recorder<Output, Failure>(demand: demand == .none ? nil : demand)
    subscribe(recorder)
    return recorder
  }
}

private var isAnybodyListening: Bool { handlesDiscards.value }

/// Expects that nobody listens any more.
private func noneListens() async {
  #expect(discards.audienceCount == 0)
  #expect(!isAnybodyListening)
}
