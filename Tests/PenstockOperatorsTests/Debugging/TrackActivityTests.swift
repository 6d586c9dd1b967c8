// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import TestSupport
import Testing

@Suite struct TrackActivityTests {
  private let tracker = ActivityTracker()
  private let shown = Recorder<Bool, Never>()

  init() { tracker.subscribe(shown) }

  @Test(arguments: ["finish", "fail", "cancel", "cancel at once"])
  func `A stream counts from its subscription to its end`(_ end: String) {
    let publisher = ManualPublisher<Int, TestError>()
    let tracked = publisher.trackActivity(tracker)
    #expect(!tracker.isActive)
    let recorder = Recorder<Int, TestError>()
    recorder.onSubscription = { if end == "cancel at once" { $0.cancel() } }
    recorder.onCompletion = { [tracker] _ in #expect(!tracker.isActive) }
    tracked.subscribe(recorder)
    #expect(tracker.count == (end == "cancel at once" ? 0 : 1))
    publisher.send(1)
    switch end {
    case "finish": publisher.send(completion: .finished)
    case "fail": publisher.send(completion: .failure(.oops))
    default: recorder.cancel()
    }
    recorder.cancel()
    #expect(tracker.count == 0 && !tracker.isActive)
    #expect(shown.values == [false, true, false])
  }

  @Test func `It is active while any of several streams runs, and says so once`() {
    let subjects = (0..<3).map { _ in PassthroughSubject<Int, Never>() }
    let cancellables = subjects.map { $0.trackActivity(tracker).sink { _ in } }
    #expect(tracker.count == 3)
    for subject in subjects { subject.send(completion: .finished) }
    #expect(shown.values == [false, true, false])
    withExtendedLifetime(cancellables) {}
  }

  @Test func `It is active before upstream is subscribed to`() {
    let recorder = Recorder<Bool, Never>()
    Deferred { [tracker] in Just(tracker.isActive) }.trackActivity(tracker).subscribe(recorder)
    #expect(recorder.values == [true])
  }

  @Test func `A stream that is dropped without an end counts no more`() {
    do {
      let upstream = ManualPublisher<Int, Never>(subscription: nil)
      upstream.trackActivity(tracker).subscribe(Recorder<Int, Never>())
      #expect(tracker.isActive)
      upstream.releaseSubscribers()
    }
    #expect(!tracker.isActive)
  }

  @Test func `A subscriber that has not requested a value gets the latest when it does`() {
    let late = Recorder<Bool, Never>(demand: nil)
    tracker.subscribe(late)
    let cancellable = PassthroughSubject<Int, Never>().trackActivity(tracker).sink { _ in }
    late.request(.max(1))
    #expect(late.values == [true])
    cancellable.cancel()
    #expect(late.values == [true])
    late.request(.max(1))
    #expect(late.values == [true, false])
  }

  @Test func `A stream that begins in the delivery of a value is counted, without a recursion`() {
    onSmallStack {
      let tracker = ActivityTracker()
      let left = Locked(100_000)
      let values = Locked(0)
      let cancellable = tracker.sink { isActive in
        values.change { $0 += 1 }
        let isOver = left.change { left -> Bool in
          left -= 1
          return left < 0
        }
        if isOver || isActive { return }
        _ = Empty<Int, Never>(completeImmediately: false).trackActivity(tracker).sink { _ in }
      }
      #expect(!tracker.isActive)
      #expect(values.value >= 1)
      cancellable.cancel()
    }
  }

  @Test func `Streams of several threads leave the right value behind, and each value differs from the one before`() {
    for _ in 0..<100 {
      let tracker = ActivityTracker()
      let shown = Recorder<Bool, Never>()
      tracker.subscribe(shown)
      onThreads(3) { _ in
        for _ in 0..<20 {
          let subject = PassthroughSubject<Int, Never>()
          let recorder = Recorder<Int, Never>()
          subject.trackActivity(tracker).subscribe(recorder)
          if Bool.random() { recorder.cancel() } else { subject.send(completion: .finished) }
          recorder.releaseSubscriptions()
        }
      }
      #expect(tracker.count == 0)
      #expect(shown.values.last == false)
      #expect(zip(shown.values, shown.values.dropFirst()).allSatisfy { $0 != $1 })
      #expect(!shown.hasOverlapped)
    }
  }

  @Test func `Neither keeps the other one`() {
    var graveyard = Graveyard()
    do {
      let tracker = graveyard.watch(ActivityTracker(), "tracker")
      let subject = graveyard.watch(PassthroughSubject<Int, Never>(), "subject")
      let cancellable = subject.trackActivity(tracker).sink { _ in }
      let shown = tracker.sink { _ in }
      subject.send(1)
      cancellable.cancel()
      shown.cancel()
    }
    #expect(graveyard.survivors.isEmpty)
  }
}
