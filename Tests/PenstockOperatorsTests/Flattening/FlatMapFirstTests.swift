// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import TestSupport
import Testing

@Suite struct FlatMapFirstTests {
  private let source = ManualPublisher<Int, TestError>()
  private let inner = (0..<3).map { _ in ManualPublisher<String, TestError>() }

  private func subscribe(_ recorder: Recorder<String, TestError>) {
    source.flatMapFirst { [inner] in inner[$0] }.subscribe(recorder)
  }

  @Test func `Values are ignored while an inner publisher runs`() {
    let recorder = Recorder<String, TestError>()
    subscribe(recorder)
    source.send(0)
    source.send(1)
    inner[0].send("a")
    #expect(inner[1].subscribers.isEmpty)
    inner[0].send(completion: .finished)
    source.send(2)
    inner[2].send("c")
    #expect(recorder.values == ["a", "c"])
    #expect(recorder.subscriptionTexts == ["FlatMapFirst"])
  }

  @Test func `The closure is not called for a value that is ignored`() {
    var inputs: [Int] = []
    let never = PassthroughSubject<Int, Never>()
    let cancellable = (1...3).publisher.flatMapFirst { value in
      inputs.append(value)
      return never
    }.sink { _ in }
    #expect(inputs == [1])
    cancellable.cancel()
  }

  @Test func `Inner publishers that finish at once let the next value in`() {
    let recorder = Recorder<Int, Never>()
    (1...3).publisher.flatMapFirst { Just($0 * 10) }.subscribe(recorder)
    #expect(recorder.values == [10, 20, 30])
    #expect(recorder.isFinished)
  }

  @Test func `Upstream is asked for everything, the inner publisher for what downstream needs`() {
    let recorder = Recorder<String, TestError>(demand: .max(1))
    subscribe(recorder)
    #expect(source.calls == [.requested(.unlimited)])
    #expect(source.send(0) == .none)
    #expect(source.send(1) == .none)
    #expect(inner[0].calls == [.requested(.max(1))])
    #expect(inner[0].send("a") == .max(1))
    #expect(inner[0].send("b") == .none)
    #expect(recorder.values == ["a"])
    recorder.request(.max(1))
    #expect(recorder.values == ["a", "b"])
    recorder.request(.unlimited)
    #expect(inner[0].subscription?.requests == [.max(1), .max(1), .unlimited])
  }

  @Test func `Without demand a value waits, and so does the end`() {
    let recorder = Recorder<String, TestError>(demand: nil)
    subscribe(recorder)
    source.send(0)
    inner[0].send("a")
    inner[0].send(completion: .finished)
    source.send(completion: .finished)
    #expect(recorder.values.isEmpty && recorder.completions.isEmpty)
    recorder.request(.max(1))
    #expect(recorder.values == ["a"])
    #expect(recorder.isFinished)
  }

  @Test func `A request for nothing traps`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let recorder = Recorder<Int, Never>(demand: nil)
      PassthroughSubject<Int, Never>().flatMapFirst { Just($0) }.subscribe(recorder)
      recorder.request(.none)
    }
    expectMessage(result, "request(.none)")
  }

  @Test func `It finishes when both have finished`() {
    let recorder = Recorder<String, TestError>()
    subscribe(recorder)
    source.send(0)
    source.send(completion: .finished)
    #expect(recorder.completions.isEmpty)
    inner[0].send("a")
    inner[0].send(completion: .finished)
    #expect(recorder.values == ["a"])
    #expect(recorder.isFinished)
  }

  @Test(arguments: [true, false])
  func `A failure of either fails the stream and cancels the other`(_ isInner: Bool) {
    let recorder = Recorder<String, TestError>()
    subscribe(recorder)
    source.send(0)
    if isInner { inner[0].send(completion: .failure(.oops)) } else { source.send(completion: .failure(.oops)) }
    #expect(recorder.completions == [.failure(.oops)])
    #expect(source.subscription?.cancellations == (isInner ? 1 : 0))
    #expect(inner[0].subscription?.cancellations == (isInner ? 0 : 1))
  }

  @Test func `A cancel goes to both`() {
    let recorder = Recorder<String, TestError>()
    subscribe(recorder)
    source.send(0)
    recorder.onValue = { _ in
      recorder.cancel()
      return .none
    }
    inner[0].send("a")
    inner[0].send("b")
    inner[0].send(completion: .finished)
    source.send(1)
    #expect(recorder.values == ["a"])
    #expect(source.calls == [.requested(.unlimited), .cancelled])
    #expect(inner[0].subscription?.cancellations == 1)
    #expect(inner[1].subscribers.isEmpty)
  }

  @Test func `A value from within the inner publisher is ignored, one at its end is not`() {
    let source = PassthroughSubject<Int, Never>()
    let recorder = Recorder<Int, Never>()
    source.flatMapFirst { value in
      Just(value).handleEvents(receiveOutput: { if $0 < 3 { source.send($0 + 10) } })
    }.subscribe(recorder)
    source.send(1)
    source.send(2)
    #expect(recorder.values == [1, 2])
  }

  @Test(arguments: ["finish", "cancel", "fail"])
  func `Nothing is left`(_ end: String) {
    var graveyard = Graveyard()
    do {
      let source = graveyard.watch(PassthroughSubject<Canary, TestError>(), "upstream")
      let inner = graveyard.watch(PassthroughSubject<Canary, TestError>(), "inner")
      let recorder = graveyard.watch(Recorder<Canary, TestError>(demand: nil), "downstream")
      let canary = graveyard.watch(Canary(), "closure")
      source.flatMapFirst { _ in withExtendedLifetime(canary) { inner } }.subscribe(recorder)
      source.send(graveyard.watch(Canary(), "value"))
      source.send(graveyard.watch(Canary(), "ignored"))
      inner.send(graveyard.watch(Canary(), "waiting"))
      switch end {
      case "finish":
        inner.send(completion: .finished)
        source.send(completion: .finished)
        recorder.cancel()
      case "cancel": recorder.cancel()
      case "fail": inner.send(completion: .failure(.oops))
      default: break
      }
      recorder.releaseSubscriptions()
    }
    #expect(graveyard.survivors.isEmpty)
  }

  @Test func `Upstream and inner publishers on different threads`() {
    for round in 0..<30 {
      let source = PassthroughSubject<Int, Never>()
      let inner = PassthroughSubject<Int, Never>()
      let opened = Locked(0)
      let (running, peak) = (Locked(0), Locked(0))
      let probe = Recorder<Int, Never>(demand: .unlimited)
      source.flatMapFirst { _ in
        opened.change { $0 += 1 }
        let now = running.change { count -> Int in
          count += 1
          return count
        }
        peak.change { $0 = max($0, now) }
        return inner.prefix(3).handleEvents(receiveCompletion: { _ in running.change { $0 -= 1 } })
      }.subscribe(probe)
      onThreads([
        {
          for value in 0..<500 { source.send(value) }
          source.send(completion: .finished)
        },
        {
          for value in 0..<2_000 { inner.send(value) }
          inner.send(completion: .finished)
        },
        { if round.isMultiple(of: 2) { probe.cancel() } },
      ])
      #expect(peak.value <= 1)
      #expect(opened.value >= 1 || round.isMultiple(of: 2))
      #expect(!probe.hasOverlapped)
      #expect(probe.completions.count <= 1)
      if !round.isMultiple(of: 2) { #expect(probe.completions.count == 1) }
    }
  }
}
