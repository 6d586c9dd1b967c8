// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// The common rules of all operators with a fixed number of upstreams.
@Suite struct FanInTests {
  @Test(arguments: FanInCase.all)
  func `Upstreams are subscribed to in order, and downstream gets one subscription`(_ candidate: FanInCase) {
    var log: [String] = []
    let upstreams = (0..<candidate.count).map { place in
      let upstream = Manual()
      upstream.onSubscribe = { log.append("\(place)") }
      return upstream
    }
    let recorder = RowRecorder()
    recorder.onSubscription = { _ in log.append("subscription") }
    _ = candidate.attach(recorder, upstreams: upstreams)
    let places = (0..<candidate.count).map { "\($0)" }
    #expect(log == (candidate.kind == .merge ? ["subscription"] + places : places + ["subscription"]))
    #expect(recorder.events == [.subscription(candidate.name)])
  }

  @Test(arguments: FanInCase.all)
  func `The texts are the operator's, and each side has its own identifier`(_ candidate: FanInCase) {
    let recorder = RowRecorder()
    let upstreams = candidate.attach(recorder)
    let children: [String?] =
      candidate.kind == .combineLatest ? ["downstream", "upstreamSubscriptions", "demand", "buffers"] : []
    #expect(Shown(of: recorder.subscriptions[0]) == Shown(candidate.name, children: children))
    for upstream in upstreams {
      let side = upstream.subscribers[0]
      #expect(Shown(of: side) == Shown(candidate.name, children: ["parentSubscription"]))
      #expect(
        side.customMirror.children.first?.value as? CombineIdentifier == recorder.subscriptions[0].combineIdentifier)
    }
    let identifiers =
      upstreams.map { $0.subscribers[0].combineIdentifier } + [recorder.subscriptions[0].combineIdentifier]
    #expect(Set(identifiers).count == candidate.count + 1)
  }

  @Test(arguments: FanInCase.all)
  func `A second subscription for the same place is cancelled`(_ candidate: FanInCase) {
    let recorder = RowRecorder()
    let upstreams = candidate.attach(recorder)
    for upstream in upstreams {
      let second = ManualSubscription()
      upstream.send(subscription: second)
      #expect(second.calls == [.cancelled])
      #expect(upstream.subscription?.cancellations == 0)
    }
    #expect(recorder.subscriptions.count == 1)
  }

  @Test(arguments: FanInCase.all)
  func `A cancel cancels every upstream once, and is the end`(_ candidate: FanInCase) {
    let recorder = RowRecorder()
    let upstreams = candidate.attach(recorder)
    recorder.cancel()
    recorder.cancel()
    recorder.request(.max(1))
    for (place, upstream) in upstreams.enumerated() {
      #expect(upstream.send(place) == .none)
      upstream.send(completion: .failure(.oops))
    }
    for upstream in upstreams {
      #expect(upstream.subscription?.cancellations == 1)
      #expect(upstream.calls.last == .cancelled)
    }
    #expect(recorder.events == [.subscription(candidate.name)])
  }

  @Test(arguments: FanInCase.merges + FanInCase.combineLatests)
  func `A subscription that comes after a cancel is cancelled`(_ candidate: FanInCase) {
    let late = Manual(subscription: nil)
    let recorder = RowRecorder()
    _ = candidate.attach(recorder, upstreams: (1..<candidate.count).map { _ in Manual() } + [late])
    recorder.cancel()
    let subscription = ManualSubscription()
    late.send(subscription: subscription)
    #expect(subscription.calls == [.cancelled])
  }

  @Test(arguments: FanInCase.all)
  func `What comes before a subscription is ignored`(_ candidate: FanInCase) {
    let late = Manual(subscription: nil)
    let recorder = RowRecorder()
    let upstreams = candidate.attach(recorder, upstreams: [late] + (1..<candidate.count).map { _ in Manual() })
    #expect(late.send(1) == .none)
    late.send(completion: .finished)
    late.send(completion: .failure(.oops))
    late.send(subscription: ManualSubscription())
    for upstream in upstreams { upstream.send(7) }
    #expect(
      recorder.values == (candidate.kind == .merge ? upstreams.map { _ in [7] } : [upstreams.map { _ in 7 }]))
    #expect(recorder.completions.isEmpty)
  }

  @Test(arguments: FanInCase.all)
  func `A failure ends the stream at once, and the other upstreams are cancelled first`(_ candidate: FanInCase) {
    for failing in 0..<candidate.count {
      var log: [String] = []
      let recorder = RowRecorder(demand: .max(1))
      recorder.onCompletion = { _ in log.append("failure") }
      let upstreams = candidate.attach(recorder)
      for upstream in upstreams { upstream.subscription?.onCancel = { log.append("cancel") } }
      upstreams[failing].send(completion: .failure(.oops))
      // Only combineLatest does not cancel the upstream that has failed.
      let cancels = candidate.kind == .combineLatest ? candidate.count - 1 : candidate.count
      #expect(log == Array(repeating: "cancel", count: cancels) + ["failure"])
      #expect(
        upstreams[failing].subscription?.cancellations == (candidate.kind == .combineLatest ? 0 : 1))
      for upstream in upstreams {
        upstream.send(1)
        upstream.send(completion: .finished)
        upstream.send(completion: .failure(.oops))
      }
      recorder.cancel()
      #expect(recorder.events == [.subscription(candidate.name), .completion(.failure(.oops))])
      #expect(log.count == cancels + 1)
    }
  }

  @Test(arguments: FanInCase.all)
  func `A cancel during a value's delivery is the end`(_ candidate: FanInCase) {
    let recorder = RowRecorder()
    let upstreams = candidate.attach(recorder)
    recorder.onValue = { _ in
      recorder.cancel()
      for upstream in upstreams {
        upstream.send(9)
        upstream.send(completion: .finished)
      }
      return .max(3)
    }
    for upstream in upstreams { upstream.send(1) }
    for upstream in upstreams { upstream.send(2) }
    #expect(recorder.values.count == 1)
    #expect(recorder.completions.isEmpty)
    for upstream in upstreams { #expect(upstream.subscription?.cancellations == 1) }
  }

  @Test(arguments: FanInCase.all)
  func `A cancel during the introduction is the end`(_ candidate: FanInCase) {
    for asksFirst in [false, true] {
      let recorder = RowRecorder(demand: nil)
      recorder.onSubscription = { subscription in
        if asksFirst { subscription.request(.unlimited) }
        subscription.cancel()
      }
      let upstreams = candidate.attach(recorder)
      for upstream in upstreams where !upstream.subscribers.isEmpty {
        #expect(upstream.calls == [.cancelled])
        upstream.send(1)
        upstream.send(completion: .finished)
      }
      #expect(recorder.events == [.subscription(candidate.name)])
    }
  }

  @Test(arguments: FanInCase.all)
  func `It finishes with what its upstreams have, whatever the demand`(_ candidate: FanInCase) {
    let recorder = RowRecorder()
    candidate.combine((0..<candidate.count).map { Stream(Record(output: [$0, $0 + 10], completion: .finished)) })
      .subscribe(recorder)
    let expected: [[Int]] =
      switch candidate.kind {
      case .merge: (0..<candidate.count).flatMap { [[$0], [$0 + 10]] }
      case .zip: [Array(0..<candidate.count), (0..<candidate.count).map { $0 + 10 }]
      case .combineLatest:
        [0, 10].map { last in (0..<candidate.count - 1).map { $0 + 10 } + [candidate.count - 1 + last] }
      }
    #expect(recorder.values == expected)
    #expect(recorder.isFinished)
  }

  @Test func `Zip and combineLatest trap when they are asked for nothing`() async {
    let zip = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let recorder = Recorder<(Int, Int), Never>(demand: Subscribers.Demand.none)
      Just(1).zip(Just(2)).subscribe(recorder)
    }
    expectMessage(zip, "asked for no values")
    let combineLatest = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let recorder = Recorder<(Int, Int), Never>(demand: Subscribers.Demand.none)
      Just(1).combineLatest(Just(2)).subscribe(recorder)
    }
    expectMessage(combineLatest, "asked for no values")
  }
}
