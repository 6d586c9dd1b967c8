// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

@Suite struct SwitchToLatestTests {
  typealias Source = ManualPublisher<Int, TestError>

  private let upstream = ManualPublisher<Source, TestError>()
  private let inner = [Source(), Source(), Source()]

  private func subscribe(_ recorder: Recorder<Int, TestError>) {
    upstream.switchToLatest().subscribe(recorder)
  }

  @Test func `Values come from the latest stream`() {
    let recorder = Recorder<Int, TestError>()
    subscribe(recorder)
    upstream.send(inner[0])
    inner[0].send(1)
    upstream.send(inner[1])
    inner[0].send(2)
    inner[1].send(3)
    #expect(recorder.values == [1, 3])
  }

  @Test func `To its publisher the subscriber is the subscription`() throws {
    let source = KeepingPublisher<Source, TestError>()
    let recorder = Recorder<Int, TestError>()
    source.switchToLatest().subscribe(recorder)
    let subscription = try #require(source.asSubscription)
    #expect(subscription.combineIdentifier == recorder.subscriptions[0].combineIdentifier)
  }

  @Test func `The four overloads have the types of Combine`() {
    typealias Failing = PassthroughSubject<Int, TestError>
    let a: Publishers.SwitchToLatest<Failing, Empty<Failing, TestError>> =
      Empty<Failing, TestError>().switchToLatest()
    let b: Publishers.SwitchToLatest<Failing, Publishers.SetFailureType<Just<Failing>, TestError>> =
      Just(Failing()).switchToLatest()
    let c:
      Publishers.SwitchToLatest<
        Publishers.SetFailureType<Just<Int>, TestError>,
        Publishers.Map<Fail<Just<Int>, TestError>, Publishers.SetFailureType<Just<Int>, TestError>>
      > = Fail<Just<Int>, TestError>(error: .oops).switchToLatest()
    let d: Publishers.SwitchToLatest<Just<Int>, Just<Just<Int>>> = Just(Just(1)).switchToLatest()
    let fromA = Recorder<Int, TestError>()
    let fromB = Recorder<Int, TestError>()
    let fromC = Recorder<Int, TestError>()
    let fromD = Recorder<Int, Never>()
    a.subscribe(fromA)
    b.subscribe(fromB)
    b.upstream.upstream.output.send(7)
    c.subscribe(fromC)
    d.subscribe(fromD)
    #expect(fromA.isFinished)
    #expect(fromB.values == [7])
    #expect(fromC.completions == [.failure(.oops)])
    #expect(fromD.values == [1] && fromD.isFinished)
  }

  @Test func `Downstream has its subscription first, and upstream is asked for everything`() {
    var log: [String] = []
    upstream.onSubscribe = { log.append("upstream") }
    let recorder = Recorder<Int, TestError>(demand: nil)
    recorder.onSubscription = { log.append("\($0)") }
    subscribe(recorder)
    #expect(log == ["SwitchToLatest", "upstream"])
    #expect(upstream.calls == [.requested(.unlimited)])
    #expect(upstream.send(inner[0]) == .none)
  }

  @Test func `The stream before is cancelled before the new one is subscribed to`() {
    var log: [String] = []
    inner[0].subscription?.onCancel = { log.append("cancel") }
    inner[1].onSubscribe = { log.append("subscribe") }
    let recorder = Recorder<Int, TestError>()
    subscribe(recorder)
    upstream.send(inner[0])
    upstream.send(inner[1])
    #expect(log == ["cancel", "subscribe"])
    inner[0].send(completion: .failure(.oops))
    inner[0].send(completion: .finished)
    #expect(recorder.completions.isEmpty)
  }

  @Test func `The subscription of a stream that is no longer the latest is cancelled`() {
    let late = Source(subscription: nil)
    subscribe(Recorder())
    upstream.send(late)
    upstream.send(inner[0])
    let subscription = ManualSubscription()
    late.send(subscription: subscription)
    #expect(subscription.calls == [.cancelled])
    #expect(inner[0].calls == [.requested(.unlimited)])
  }

  @Test func `A stream is not asked before downstream asks`() {
    let recorder = Recorder<Int, TestError>(demand: nil)
    subscribe(recorder)
    upstream.send(inner[0])
    #expect(inner[0].calls.isEmpty)
    recorder.request(.max(2))
    recorder.request(.max(3))
    #expect(inner[0].subscription?.requests == [.max(2), .max(3)])
  }

  @Test func `Demand that one stream has not met goes over to the next`() {
    let recorder = Recorder<Int, TestError>(demand: .max(5))
    recorder.onValue = { $0 == 2 ? .max(4) : .none }
    subscribe(recorder)
    upstream.send(inner[0])
    #expect(inner[0].send(1) == .none)
    #expect(inner[0].send(2) == .max(4))
    upstream.send(inner[1])
    #expect(inner[0].subscription?.requests == [.max(5)])
    #expect(inner[1].subscription?.requests == [.max(7)])
    recorder.request(.max(1))
    #expect(inner[1].subscription?.requests == [.max(7), .max(1)])
    for value in 1...8 where value != 2 { inner[1].send(value) }
    inner[1].send(9)
    upstream.send(inner[2])
    #expect(inner[2].calls.isEmpty)
  }

  @Test func `What was asked for while no stream ran is asked of the next one`() {
    let recorder = Recorder<Int, TestError>(demand: .max(1))
    subscribe(recorder)
    recorder.request(.max(1))
    upstream.send(inner[0])
    inner[0].send(completion: .finished)
    recorder.request(.max(1))
    upstream.send(inner[1])
    #expect(inner[0].subscription?.requests == [.max(2)])
    #expect(inner[1].subscription?.requests == [.max(3)])
  }

  @Test func `The answer to a value in which the stream changed goes to the new one`() {
    let recorder = Recorder<Int, TestError>(demand: .max(1))
    recorder.onValue = { [upstream, inner] _ in
      upstream.send(inner[1])
      recorder.request(.max(2))
      return .max(3)
    }
    subscribe(recorder)
    upstream.send(inner[0])
    #expect(inner[0].send(1) == .none)
    #expect(inner[1].subscription?.requests.reduce(.none, +) == .max(5))
  }

  @Test(arguments: [true, false])
  func `It finishes when upstream and the latest stream have`(_ upstreamFirst: Bool) {
    let recorder = Recorder<Int, TestError>()
    subscribe(recorder)
    upstream.send(inner[0])
    inner[0].send(completion: .finished)
    upstream.send(inner[1])
    if upstreamFirst { upstream.send(completion: .finished) } else { inner[1].send(completion: .finished) }
    #expect(recorder.completions.isEmpty)
    if upstreamFirst { inner[1].send(completion: .finished) } else { upstream.send(completion: .finished) }
    #expect(recorder.completions == [.finished])
    #expect(inner[1].subscription?.cancellations == 0)
    #expect(upstream.subscription?.cancellations == 0)
  }

  @Test func `Without a stream it finishes with upstream; while one is awaited it does not`() {
    let (empty, waiting) = (Recorder<Int, TestError>(), Recorder<Int, TestError>())
    subscribe(empty)
    upstream.send(completion: .finished)
    #expect(empty.completions == [.finished])
    subscribe(waiting)
    upstream.send(Source(subscription: nil))
    upstream.send(completion: .finished)
    #expect(waiting.completions.isEmpty)
  }

  @Test func `A failure of upstream cancels the stream`() {
    let recorder = Recorder<Int, TestError>()
    subscribe(recorder)
    upstream.send(inner[0])
    upstream.send(completion: .failure(.oops))
    inner[0].send(1)
    #expect(recorder.events == [.subscription("SwitchToLatest"), .completion(.failure(.oops))])
    #expect(inner[0].subscription?.cancellations == 1)
  }

  @Test func `A failure of the stream cancels upstream`() {
    let recorder = Recorder<Int, TestError>()
    subscribe(recorder)
    upstream.send(inner[0])
    inner[0].send(completion: .failure(.oops))
    upstream.send(inner[1])
    #expect(recorder.completions == [.failure(.oops)])
    #expect(upstream.subscription?.cancellations == 1)
    #expect(inner[1].subscribers.isEmpty)
  }

  @Test func `A cancel goes to the stream, then to upstream, and is the end`() {
    var log: [String] = []
    inner[0].subscription?.onCancel = { log.append("stream") }
    upstream.subscription?.onCancel = { log.append("upstream") }
    let recorder = Recorder<Int, TestError>()
    subscribe(recorder)
    upstream.send(inner[0])
    recorder.cancel()
    recorder.cancel()
    recorder.request(.max(1))
    inner[0].send(1)
    upstream.send(inner[1])
    upstream.send(completion: .finished)
    #expect(log == ["stream", "upstream"])
    #expect(recorder.events == [.subscription("SwitchToLatest")])
    #expect(inner[1].subscribers.isEmpty)
  }

  @Test func `A cancel while the stream before is cancelled leaves the new one alone`() {
    let recorder = Recorder<Int, TestError>()
    inner[0].subscription?.onCancel = { recorder.cancel() }
    subscribe(recorder)
    upstream.send(inner[0])
    upstream.send(inner[1])
    #expect(inner[1].subscribers.isEmpty)
  }

  @Test func `Upstream's subscription that comes after a cancel, or second, is cancelled`() {
    let upstream = ManualPublisher<Source, TestError>(subscription: nil)
    let recorder = Recorder<Int, TestError>()
    upstream.switchToLatest().subscribe(recorder)
    upstream.send(inner[0])
    inner[0].send(1)
    #expect(recorder.values == [1])
    recorder.cancel()
    let late = ManualSubscription()
    upstream.send(subscription: late)
    #expect(late.calls == [.cancelled])

    subscribe(Recorder())
    let second = ManualSubscription()
    self.upstream.send(subscription: second)
    #expect(second.calls == [.cancelled])
  }

  @Test func `Its texts, above, below and for each stream`() {
    let recorder = Recorder<Int, TestError>()
    subscribe(recorder)
    upstream.send(inner[0])
    upstream.send(inner[1])
    let outer = recorder.subscriptions[0]
    #expect(Shown(of: outer) == Shown("SwitchToLatest"))
    #expect(Shown(of: upstream.subscribers[0]) == Shown("SwitchToLatest"))
    #expect(upstream.subscribers[0].combineIdentifier == outer.combineIdentifier)
    let sides = inner[0...1].map { $0.subscribers[0] }
    for side in sides { #expect(Shown(of: side) == Shown("SwitchToLatest", children: ["parentSubscription"])) }
    #expect(Set(sides.map(\.combineIdentifier) + [outer.combineIdentifier]).count == 3)
  }

  @Test func `A request for nothing traps`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      ManualPublisher<Source, TestError>().switchToLatest().subscribe(Recorder<Int, TestError>(demand: .some(.none)))
    }
    expectMessage(result, "request(.none)")
  }

  @Test func `A value that was not asked for traps`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (upstream, inner) = (ManualPublisher<Source, TestError>(), Source())
      upstream.switchToLatest().subscribe(Recorder<Int, TestError>(demand: .max(1)))
      upstream.send(inner)
      inner.send(1)
      inner.send(2)
    }
    expectMessage(result, "SwitchToLatest received a value that was not requested")
  }

  @Test func `A stream that completes before its subscription traps`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (upstream, inner) = (ManualPublisher<Source, TestError>(), Source(subscription: nil))
      upstream.switchToLatest().subscribe(Recorder<Int, TestError>())
      upstream.send(inner)
      inner.send(completion: .finished)
    }
    expectMessage(result, "SwitchToLatest received a completion before a subscription")
  }

  @Test(arguments: ["cancel", "finish", "upstream fails", "the stream fails", "another stream"])
  func `Nothing is left of what is over`(_ end: String) {
    var graveyard = Graveyard()
    let outer = PassthroughSubject<PassthroughSubject<Int, TestError>, TestError>()
    do {
      let stream = graveyard.watch(PassthroughSubject<Int, TestError>(), "stream")
      let recorder = Recorder<Int, TestError>()
      if end != "another stream" { _ = graveyard.watch(recorder, "subscriber") }
      outer.switchToLatest().subscribe(recorder)
      outer.send(stream)
      stream.send(1)
      switch end {
      case "cancel": recorder.cancel()
      case "finish":
        outer.send(completion: .finished)
        stream.send(completion: .finished)
      case "upstream fails": outer.send(completion: .failure(.oops))
      case "the stream fails": stream.send(completion: .failure(.oops))
      default: outer.send(PassthroughSubject())
      }
      recorder.releaseSubscriptions()
    }
    #expect(graveyard.survivors.isEmpty)
    outer.send(completion: .finished)
  }
}
