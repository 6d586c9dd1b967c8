// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// The values that `flatMap` delivers, and its requests to each publisher.
@Suite struct FlatMapTests {
  typealias Source = ManualPublisher<Int, TestError>

  private let upstream = Source()
  private let inner = [Source(), Source(), Source()]

  private func subscribe(_ recorder: Recorder<Int, TestError>, max: Subscribers.Demand = .unlimited) {
    upstream.flatMap(maxPublishers: max) { [inner] in inner[$0] }.subscribe(recorder)
  }

  @Test func `Values of all streams are delivered, each stream's in order`() {
    let recorder = Recorder<Int, TestError>()
    subscribe(recorder)
    upstream.send(0)
    upstream.send(1)
    inner[0].send(10)
    inner[1].send(20)
    inner[0].send(11)
    inner[1].send(21)
    #expect(recorder.values == [10, 20, 11, 21])
  }

  @Test func `The four overloads have the types of Combine`() {
    let failing = PassthroughSubject<Int, TestError>()
    let safe = PassthroughSubject<Int, Never>()
    let a: Publishers.FlatMap<Fail<String, TestError>, PassthroughSubject<Int, TestError>> =
      failing.flatMap { _ in Fail<String, TestError>(error: .oops) }
    let b:
      Publishers.FlatMap<Fail<String, TestError>, Publishers.SetFailureType<PassthroughSubject<Int, Never>, TestError>> =
        safe.flatMap { _ in Fail<String, TestError>(error: .oops) }
    let c: Publishers.FlatMap<Publishers.SetFailureType<Just<String>, TestError>, PassthroughSubject<Int, TestError>> =
      failing.flatMap { Just("\($0)") }
    let d: Publishers.FlatMap<Just<String>, PassthroughSubject<Int, Never>> = safe.flatMap { Just("\($0)") }
    #expect(a.maxPublishers == .unlimited && b.maxPublishers == .unlimited)
    #expect(c.maxPublishers == .unlimited && d.maxPublishers == .unlimited)
    let (fromB, fromC, fromD) = (
      Recorder<String, TestError>(), Recorder<String, TestError>(), Recorder<String, Never>()
    )
    b.subscribe(fromB)
    c.subscribe(fromC)
    d.subscribe(fromD)
    safe.send(1)
    failing.send(2)
    failing.send(completion: .failure(.oops))
    #expect(fromB.completions == [.failure(.oops)])
    #expect(fromC.values == ["2"] && fromC.completions == [.failure(.oops)])
    #expect(fromD.values == ["1"])
  }

  @Test func `What it is made of can be seen`() {
    let flatMap = Publishers.FlatMap(upstream: upstream, maxPublishers: .max(3)) { [inner] in inner[$0] }
    #expect(flatMap.upstream === upstream)
    #expect(flatMap.maxPublishers == .max(3))
    #expect(flatMap.transform(1) === inner[1])
  }

  @Test(arguments: [Subscribers.Demand.none, .max(1), .max(4), .unlimited])
  func `Upstream is asked once for as many as may run`(_ max: Subscribers.Demand) {
    subscribe(Recorder(demand: nil), max: max)
    #expect(upstream.subscription?.requests == [max])
    #expect(upstream.send(0) == .none)
  }

  @Test func `Downstream has its subscription before upstream is subscribed to`() {
    var log: [String] = []
    upstream.onSubscribe = { log.append("upstream") }
    let recorder = Recorder<Int, TestError>(demand: nil)
    recorder.onSubscription = { log.append("\($0)") }
    subscribe(recorder)
    #expect(log == ["FlatMap", "upstream"])
    #expect(recorder.subscriptions.count == 1)
  }

  @Test func `A stream is asked for one value, or for everything if downstream wants that`() {
    let recorder = Recorder<Int, TestError>(demand: nil)
    subscribe(recorder)
    upstream.send(0)
    recorder.request(.max(5))
    upstream.send(1)
    #expect(inner[0].subscription?.requests == [.max(1)])
    #expect(inner[1].subscription?.requests == [.max(1)])
    recorder.request(.unlimited)
    upstream.send(2)
    #expect(inner[0].subscription?.requests == [.max(1), .unlimited])
    #expect(inner[1].subscription?.requests == [.max(1), .unlimited])
    #expect(inner[2].subscription?.requests == [.unlimited])
    recorder.request(.unlimited)
    recorder.request(.max(1))
    #expect(inner[2].subscription?.requests == [.unlimited])
  }

  @Test func `With unlimited demand a value is answered with nothing, whatever downstream says`() {
    subscribe(Recorder(demand: .unlimited, answering: .max(9)))
    upstream.send(0)
    #expect(inner[0].send(1) == .none)
  }

  @Test func `With demand a value is delivered and answered with one; downstream's answer counts`() {
    let recorder = Recorder<Int, TestError>(demand: .max(1))
    recorder.onValue = { $0 == 1 ? .max(2) : .none }
    subscribe(recorder)
    upstream.send(0)
    for (value, answer) in [(1, Subscribers.Demand.max(1)), (2, .max(1)), (3, .max(1)), (4, .none)] {
      #expect(inner[0].send(value) == answer)
    }
    #expect(recorder.values == [1, 2, 3])
  }

  @Test func `Without demand values wait, and are delivered in the order they came`() {
    let recorder = Recorder<Int, TestError>(demand: nil)
    subscribe(recorder)
    for place in 0...2 { upstream.send(place) }
    for place in [2, 0, 1] { #expect(inner[place].send(place) == .none) }
    #expect(recorder.values.isEmpty)
    recorder.request(.max(2))
    #expect(recorder.values == [2, 0])
    #expect(inner.map { $0.subscription!.requests.count } == [2, 1, 2])
    #expect(inner[0].subscription?.requests == [.max(1), .max(1)])
    recorder.request(.max(5))
    #expect(recorder.values == [2, 0, 1])
    #expect(inner[1].send(7) == .max(1))
  }

  @Test func `A value that comes while one that waited is delivered waits behind the others, whatever the demand`() {
    let streams = (0..<3).map { _ in PassthroughSubject<Int, Never>() }
    let recorder = Recorder<Int, Never>(demand: nil)
    recorder.onValue = { [unowned recorder] value in
      if value == 1 {
        recorder.request(.max(1))
        streams[2].send(3)
      }
      return .none
    }
    streams.publisher.flatMap { $0 }.subscribe(recorder)
    streams[0].send(1)
    streams[1].send(2)
    recorder.request(.max(1))
    #expect(recorder.values == [1, 2])
    recorder.request(.max(1))
    #expect(recorder.values == [1, 2, 3])
  }

  @Test func `A request for everything delivers what waits, and then asks every stream`() {
    let recorder = Recorder<Int, TestError>(demand: nil)
    subscribe(recorder)
    upstream.send(0)
    upstream.send(1)
    inner[0].send(1)
    recorder.request(.unlimited)
    #expect(recorder.values == [1])
    #expect(inner[0].subscription?.requests == [.max(1), .max(1), .unlimited])
    #expect(inner[1].subscription?.requests == [.max(1), .unlimited])
  }

  @Test func `Every stream whose value waited is asked for another before all are asked for everything`() {
    let recorder = Recorder<Int, TestError>(demand: nil)
    subscribe(recorder)
    for place in 0...2 { upstream.send(place) }
    inner[1].send(1)
    inner[0].send(2)
    recorder.request(.unlimited)
    #expect(recorder.values == [1, 2])
    #expect(inner[0].subscription?.requests == [.max(1), .max(1), .unlimited])
    #expect(inner[1].subscription?.requests == [.max(1), .max(1), .unlimited])
    #expect(inner[2].subscription?.requests == [.max(1), .unlimited])
  }

  @Test func `An answer that wants everything asks every stream, too`() {
    subscribe(Recorder(demand: .max(1), answering: .unlimited))
    upstream.send(0)
    upstream.send(1)
    inner[0].send(1)
    #expect(inner[1].subscription?.requests == [.max(1), .unlimited])
    #expect(inner[1].send(2) == .none)
  }

  @Test func `A request during a value's delivery only adds up`() {
    let recorder = Recorder<Int, TestError>(demand: nil)
    subscribe(recorder)
    for place in 0...2 {
      upstream.send(place)
      inner[place].send(place)
    }
    var depth = 0
    var deepest = 0
    recorder.onValue = { value in
      depth += 1
      deepest = max(deepest, depth)
      if value == 0 { recorder.request(.max(2)) }
      depth -= 1
      return .none
    }
    recorder.request(.max(1))
    #expect(recorder.values == [0, 1, 2])
    #expect(deepest == 1)
  }

  @Test func `A request during the introduction counts`() {
    let recorder = Recorder<Int, TestError>(demand: .max(2))
    (1...3).publisher.setFailureType(to: TestError.self).flatMap { Result<Int, TestError>.success($0).publisher }
      .subscribe(recorder)
    #expect(recorder.values == [1, 2])
    #expect(recorder.completions.isEmpty)
    recorder.request(.max(1))
    #expect(recorder.values == [1, 2, 3])
    #expect(recorder.completions == [.finished])
  }

  @Test func `As many streams run as may, and a stream that finishes makes room for another`() {
    let recorder = Recorder<Int, TestError>()
    subscribe(recorder, max: .max(2))
    upstream.send(0)
    upstream.send(1)
    #expect(upstream.subscription?.requests == [.max(2)])
    inner[0].send(completion: .finished)
    #expect(upstream.subscription?.requests == [.max(2), .max(1)])
  }

  @Test func `Without a limit a stream that finishes asks for nothing`() {
    subscribe(Recorder())
    upstream.send(0)
    inner[0].send(completion: .finished)
    #expect(upstream.subscription?.requests == [.unlimited])
  }

  @Test func `Streams are opened before upstream has a subscription`() {
    let upstream = Source(subscription: nil)
    let recorder = Recorder<Int, TestError>(demand: .max(1))
    upstream.flatMap { [inner] in inner[$0] }.subscribe(recorder)
    upstream.send(0)
    inner[0].send(1)
    #expect(recorder.values == [1])
    inner[0].send(completion: .finished)
    upstream.send(completion: .finished)
    #expect(recorder.completions == [.finished])
  }

  @Test func `A second subscription is cancelled, of upstream and of a stream`() {
    let recorder = Recorder<Int, TestError>()
    subscribe(recorder)
    upstream.send(0)
    let (first, second) = (ManualSubscription(), ManualSubscription())
    upstream.send(subscription: first)
    inner[0].send(subscription: second)
    #expect(first.calls == [.cancelled] && second.calls == [.cancelled])
    #expect(upstream.subscription?.cancellations == 0)
  }

  @Test func `Its texts, above, below and for each stream`() {
    let recorder = Recorder<Int, TestError>()
    subscribe(recorder)
    upstream.send(0)
    upstream.send(1)
    let outer = recorder.subscriptions[0]
    #expect(Shown(of: outer) == Shown("FlatMap"))
    #expect(Shown(of: upstream.subscribers[0]) == Shown("FlatMap"))
    #expect(upstream.subscribers[0].combineIdentifier == outer.combineIdentifier)
    let sides = inner[0...1].map { $0.subscribers[0] }
    for side in sides {
      #expect(Shown(of: side) == Shown("FlatMap", children: ["parentSubscription"]))
      #expect("\(Array(side.customMirror.children)[0].value)" == "\(outer.combineIdentifier)")
    }
    #expect(Set(sides.map(\.combineIdentifier) + [outer.combineIdentifier]).count == 3)
  }

  @Test func `A request for nothing traps`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Source().flatMap { _ in Source() }.subscribe(Recorder<Int, TestError>(demand: .some(.none)))
    }
    expectMessage(result, "request(.none)")
  }
}
