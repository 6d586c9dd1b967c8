// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

@Suite struct AssignToPublishedTests {
  @Test func `It asks for everything, and sets with the order of a set`() {
    let gauge = Gauge()
    let upstream = ManualPublisher<Int, Never>()
    var log: [String] = []
    let cancellables = [
      gauge.objectWillChange.sink { log.append("object reads \(gauge.level)") },
      gauge.$level.dropFirst().sink { log.append("property gets \($0), reads \(gauge.level)") },
    ]
    upstream.assign(to: &gauge.$level)
    #expect(upstream.calls == [.requested(.unlimited)])
    #expect(upstream.send(3) == .none)
    #expect(log == ["object reads 0", "property gets 3, reads 0"])
    #expect(gauge.level == 3)
    cancellables.forEach { $0.cancel() }
  }

  @Test func `A property can be read while it is being assigned to`() {
    let gauge = PlainGauge()
    var seen: [Int] = []
    let cancellable = gauge.$level.sink { _ in seen.append(gauge.level) }
    [1, 2].publisher.assign(to: &gauge.$level)
    #expect(seen == [0, 0, 1])
    #expect(gauge.level == 2)
    cancellable.cancel()
  }

  @Test func `Completion is ignored; the property can be set and assigned to again`() {
    let gauge = PlainGauge()
    let first = ManualPublisher<Int, Never>()
    first.assign(to: &gauge.$level)
    first.send(1)
    first.send(completion: .finished)
    first.send(2)
    #expect(gauge.level == 1)
    gauge.level = 3
    let recorder = Recorder<Int, Never>()
    gauge.$level.subscribe(recorder)
    Just(4).assign(to: &gauge.$level)
    #expect(recorder.events == [.subscription("PublishedSubject"), .value(3), .value(4)])
    #expect(first.subscription?.cancellations == 0)
  }

  @Test func `Several publishers that are assigned to one property all set it`() {
    let gauge = PlainGauge()
    let subjects = (0..<2).map { _ in PassthroughSubject<Int, Never>() }
    for subject in subjects { subject.assign(to: &gauge.$level) }
    subjects[0].send(1)
    #expect(gauge.level == 1)
    subjects[1].send(2)
    #expect(gauge.level == 2)
    subjects[0].send(3)
    #expect(gauge.level == 3)
  }

  @Test func `It does not keep the property, and is cancelled when that is freed`() {
    var graveyard = Graveyard()
    let upstream = ManualPublisher<Int, Never>()
    do {
      let gauge = graveyard.watch(Gauge())
      upstream.assign(to: &gauge.$level)
      upstream.send(1)
      #expect(upstream.subscription?.cancellations == 0)
    }
    #expect(graveyard.survivors.isEmpty)
    #expect(upstream.calls == [.requested(.unlimited), .cancelled])
    upstream.send(2)
  }

  @Test func `One property may be assigned to another of the same object, and all is freed with it`() {
    final class Pair {
      @Published var input = 1
      @Published var output = 0
      let canary: Canary
      init(_ canary: Canary) { self.canary = canary }
    }
    var graveyard = Graveyard()
    do {
      let pair = graveyard.watch(Pair(graveyard.watch(Canary())))
      let canary = pair.canary
      pair.$input.map { value in withExtendedLifetime(canary) { value * 2 } }.assign(to: &pair.$output)
      pair.input = 4
      #expect(pair.output == 8)
    }
    #expect(graveyard.survivors.isEmpty)
  }

  @Test func `A subscription that comes when the property is gone is cancelled`() {
    let upstream = ManualPublisher<Int, Never>(subscription: nil)
    do {
      let gauge = PlainGauge()
      upstream.assign(to: &gauge.$level)
      upstream.send(1)
      #expect(gauge.level == 0)
    }
    let late = ManualSubscription()
    upstream.send(subscription: late)
    #expect(late.calls == [.cancelled])
  }

  @Test func `A second subscription is cancelled`() {
    let gauge = PlainGauge()
    let upstream = ManualPublisher<Int, Never>()
    upstream.assign(to: &gauge.$level)
    let second = ManualSubscription()
    upstream.send(subscription: second)
    #expect(second.calls == [.cancelled])
    #expect(upstream.calls == [.requested(.unlimited)])
  }

  @Test func `Threads that set, assign and free do no harm`() {
    for _ in 0..<50 {
      let subject = PassthroughSubject<Int, Never>()
      let gauge = Locked<PlainGaugeBox?>(PlainGaugeBox())
      onThreads(3) { index in
        for round in 0..<50 {
          switch index {
          case 0: subject.send(round)
          case 1: gauge.value?.assign(subject)
          default: if round == 49 { gauge.change { $0 = nil } }
          }
        }
      }
      subject.send(0)
    }
  }
}

/// A gauge that threads share; only `Published` makes it safe.
private final class PlainGaugeBox: @unchecked Sendable {
  let gauge = PlainGauge()

  func assign(_ subject: PassthroughSubject<Int, Never>) { subject.assign(to: &gauge.$level) }
}
