// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import Penstock
import PenstockConcurrency
import PenstockInspector
import PenstockOperators
import PenstockTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension InspectorTests {
  /// Sources of all modules: each is a link under the name that `print()` prints.
  @Suite struct SourceLinkTests {
    @Test func `create says what waits, how much may, and what it has dropped`() async {
      await #expect(processExitsWith: .success) { () async throws in
        let emitter = Locked<Publishers.Emitter<Int, Never>?>(nil)
        let source = AnyPublisher<Int, Never>.create(bufferSize: 3, whenFull: .dropNewest) { new in
          emitter.change { $0 = new }
          return AnyCancellable {}
        }
        let recorder = Recorder<Int, Never>(demand: .max(1))
        Inspector.startCounting()
        source.map { $0 }.inspected("created").subscribe(recorder)
        Inspector.stopCounting()
        let discarded = Locked<[Int]>([])
        Inspector.handleDiscarded { value in
          if let number = value.value as? Int { discarded.change { $0.append(number) } }
        }
        for number in 1...6 { emitter.value?.send(number) }
        let link = try outermost(of: "created")
        #expect(link.name == "Create" && link.passes == ["Map"])
        #expect(link.outstanding == .max(0) && link.waiting == 3 && link.capacity == 3)
        #expect(link.counts?.values == 1)
        #expect(discarded.value == [5, 6])
        recorder.request(.max(5))
        #expect(try outermost(of: "created").outstanding == .max(2))
        recorder.cancel()
      }
    }

    @Test func `interval says what is asked`() async {
      await #expect(processExitsWith: .success) { () async throws in
        let time = VirtualTimeScheduler()
        let recorder = Recorder<Int, Never>(demand: .max(3))
        Publishers.interval(.seconds(1), scheduler: time).map { _ in 1 }.inspected("ticks").subscribe(recorder)
        await time.advance(by: .seconds(2))
        let link = try outermost(of: "ticks")
        #expect(link.name == "Interval" && link.outstanding == .max(1) && link.phase == .active)
        recorder.cancel()
      }
    }

    @Test func `What is fetched waits for requests, and a call under way is what is waited for`() async {
      await #expect(processExitsWith: .success) { () async throws in
        let calls = Locked(0)
        let gate = AsyncStream<Void>.makeStream()
        let source = Publishers.fetching(batch: 4...4) { count async -> [Int]? in
          calls.change { $0 += 1 }
          if calls.value > 1 { for await _ in gate.stream { break } }
          return Array(1...count)
        }
        let recorder = Recorder<Int, Never>(demand: .max(2))
        source.inspected("fetched").subscribe(recorder)
        #expect(await reached { recorder.values == [1, 2] })
        let link = try outermost(of: "fetched")
        #expect(link.name == "Fetching" && link.waiting == 2 && link.outstanding == .max(0) && link.wait == nil)
        recorder.request(.max(4))
        #expect(await reached { calls.value == 2 })
        #expect(try outermost(of: "fetched").outstanding == .max(2))
        #expect(try outermost(of: "fetched").wait != nil)
        recorder.cancel()
        gate.continuation.finish()
      }
    }

    @Test func `An asynchronous sequence that is being pulled is waited for`() async {
      await #expect(processExitsWith: .success) { () async throws in
        let (numbers, feed) = AsyncStream<Int>.makeStream()
        let recorder = Recorder<Int, Never>(demand: .max(3))
        numbers.publisher.inspected("pulled").subscribe(recorder)
        feed.yield(1)
        #expect(await reached { recorder.values == [1] })
        let link = try outermost(of: "pulled")
        #expect(link.name == "AsyncSequence" && link.outstanding == .max(2) && link.wait != nil)
        recorder.cancel()
      }
    }

    @Test(arguments: ["Timer", "NotificationCenter Observer", "DataTaskPublisher"])
    func `Foundation's publishers have their names and their demand`(_ name: String) async {
      await #expect(processExitsWith: .success) { [name] () async throws in
        let recorder = Recorder<String, any Error>(demand: .max(2))
        let (publisher, center) = (foundation(name), NotificationCenter.default)
        publisher.inspected("foundation").subscribe(recorder)
        #expect(try outermost(of: "foundation").name == name)
        #expect(try outermost(of: "foundation").outstanding == .max(2))
        if name.hasPrefix("Notification") {
          center.post(name: Notification.Name("of the source"), object: nil)
          #expect(try outermost(of: "foundation").outstanding == .max(1))
        }
        recorder.cancel()
      }
    }

    @Test func `A source without a name of its own is still called by its type`() async {
      await #expect(processExitsWith: .success) { () async throws in
        let recorder = Recorder<Int, Never>(demand: .max(2))
        ForeignNumbers().map { $0 }.inspected("foreign").subscribe(recorder)
        #expect(try outermost(of: "foreign").name == "ForeignSubscription")
        recorder.cancel()
      }
    }
  }
}

/// Returns the publisher of Foundation whose subscription has a name, with its values erased.
private func foundation(_ name: String) -> AnyPublisher<String, any Error> {
  switch name {
  case "Timer":
    Timer.publish(every: 1_000, on: .main, in: .common).autoconnect().map { "\($0)" }.setFailureType(
      to: (any Error).self
    )
    .eraseToAnyPublisher()
  case "DataTaskPublisher":
    // A port at which nobody listens; the answer comes after the test.
    URLSession.shared.dataTaskPublisher(for: URL(string: "http://127.0.0.1:9/")!).map { "\($0.response)" }
      .mapError { $0 }.eraseToAnyPublisher()
  default:
    NotificationCenter.default.publisher(for: Notification.Name("of the source")).map { "\($0.name)" }
      .setFailureType(to: (any Error).self).eraseToAnyPublisher()
  }
}

private struct ForeignNumbers: Publisher {
  typealias Output = Int
  typealias Failure = Never

  final class ForeignSubscription: Subscription {
    func request(_ demand: Subscribers.Demand) {}
    func cancel() {}
  }

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
    subscriber.receive(subscription: ForeignSubscription())
  }
}

/// The link of a stream that is furthest upstream.
private func outermost(of title: String) throws -> Inspector.Link {
  try #require(Inspector.snapshot()[title]?.links.last)
}
