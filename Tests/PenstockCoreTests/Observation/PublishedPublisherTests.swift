// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// The values that each subscriber of a published property's publisher receives.
@Suite struct PublishedPublisherTests {
  @Test func `What a sink captures is released when it is cancelled, though the property is alive`() {
    final class Model {
      @Published var number = 0
    }
    var graveyard = Graveyard()
    let model = Model()
    var values: [Int] = []
    var cancellable: AnyCancellable?
    do {
      let (value, map) = (graveyard.watch(Canary(), "value"), graveyard.watch(Canary(), "map"))
      cancellable = model.$number.map { value in withExtendedLifetime(map) { value } }.sink { number in
        withExtendedLifetime(value) { values.append(number) }
        if number == 2 { cancellable?.cancel() }
      }
    }
    for number in 1...3 { model.number = number }
    #expect(values == [0, 1, 2])
    #expect(model.number == 3)
    #expect(graveyard.survivors.isEmpty)
  }

  @Test func `Subscribing alone delivers nothing; the first request is answered at once`() {
    let gauge = PlainGauge()
    let recorder = Recorder<Int, Never>(demand: nil)
    gauge.$level.subscribe(recorder)
    #expect(recorder.values.isEmpty)
    recorder.request(.max(1))
    #expect(recorder.values == [0])
    gauge.level = 1
    #expect(recorder.values == [0])
  }

  @Test(arguments: [1, 2, 4])
  func `Demand is counted for each subscriber`(_ count: Int) {
    let gauge = PlainGauge()
    let (limited, unlimited) = (Recorder<Int, Never>(demand: .max(count)), Recorder<Int, Never>())
    gauge.$level.subscribe(limited)
    gauge.$level.subscribe(unlimited)
    for level in 1...5 { gauge.level = level }
    #expect(limited.values == Array(0..<count))
    #expect(unlimited.values == Array(0...5))
  }

  @Test func `Only the latest of the values that were missed is given later`() {
    let gauge = PlainGauge()
    let recorder = Recorder<Int, Never>(demand: .max(1))
    gauge.$level.subscribe(recorder)
    gauge.level = 1
    gauge.level = 2
    recorder.request(.max(2))
    #expect(recorder.values == [0, 2])
    recorder.request(.max(1))
    #expect(recorder.values == [0, 2])
    gauge.level = 3
    #expect(recorder.values == [0, 2, 3])
  }

  @Test func `Demand of a delivery, requested or returned, counts for the next value`() {
    for isReturned in [true, false] {
      let gauge = PlainGauge()
      let recorder = Recorder<Int, Never>(demand: .max(1))
      recorder.onValue = { value in
        guard value < 2 else { return .none }
        if isReturned { return .max(1) }
        recorder.request(.max(1))
        return .none
      }
      gauge.$level.subscribe(recorder)
      for level in 1...4 { gauge.level = level }
      #expect(recorder.values == [0, 1, 2])
    }
  }

  @Test func `A request for nothing traps`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      PlainGauge().$level.subscribe(Recorder<Int, Never>(demand: .some(.none)))
    }
    expectMessage(result, "request(.none)")
  }

  @Test func `A cancelled subscriber gets nothing more, and cancelling again is harmless`() {
    let gauge = PlainGauge()
    let recorder = Recorder<Int, Never>()
    gauge.$level.subscribe(recorder)
    gauge.level = 1
    recorder.cancel()
    recorder.cancel()
    gauge.level = 2
    recorder.request(.max(1))
    #expect(recorder.values == [0, 1])
  }

  @Test func `A cancel during a delivery is the end of it, for oneself and for others`() {
    let gauge = PlainGauge()
    let (first, second) = (Recorder<Int, Never>(), Recorder<Int, Never>())
    first.onValue = { value in
      if value == 1 {
        first.cancel()
        second.cancel()
      }
      return .unlimited
    }
    gauge.$level.subscribe(first)
    gauge.$level.subscribe(second)
    gauge.level = 1
    gauge.level = 2
    #expect(first.values == [0, 1])
    #expect(second.values == [0])
    #expect(gauge.level == 2)
  }

  @Test func `Cancelling in receive(subscription:) leaves nothing behind`() {
    let gauge = PlainGauge()
    let recorder = Recorder<Int, Never>()
    recorder.onSubscription = { $0.cancel() }
    gauge.$level.subscribe(recorder)
    gauge.level = 1
    #expect(recorder.events == [.subscription("PublishedSubject")])
  }

  @Test func `The subscription has a text and a mirror`() throws {
    let gauge = PlainGauge()
    let recorder = Recorder<Int, Never>(demand: .max(3))
    gauge.$level.subscribe(recorder)
    let subscription = try #require(recorder.subscriptions.first)
    #expect(
      Shown(of: subscription)
        == Shown("PublishedSubject", children: ["parent", "downstream", "demand", "subject"]))
    let mirror = try #require(subscription as? any CustomReflectable).customMirror
    let children = Dictionary(uniqueKeysWithValues: mirror.children.map { ($0.label!, $0.value) })
    for owner in ["parent", "subject"] {
      #expect(String(describing: children[owner]!) == "Optional(PublishedSubject)")
    }
    #expect(children["demand"] as? Subscribers.Demand == .max(2))
    #expect(children["downstream"] as? Recorder<Int, Never> === recorder)
  }

  @Test func `It never completes, and its subscription keeps the value when the object is gone`() {
    var graveyard = Graveyard()
    let recorder = Recorder<Int, Never>(demand: .max(1))
    do {
      let gauge = graveyard.watch(PlainGauge())
      gauge.$level.subscribe(recorder)
      gauge.level = 5
    }
    #expect(graveyard.survivors.isEmpty)
    #expect(recorder.completions.isEmpty)
    recorder.request(.max(1))
    #expect(recorder.values == [0, 5])
  }

  @Test(arguments: ["subscription first", "object first"])
  func `Nothing is left in memory after a cancel`(_ order: String) {
    var graveyard = Graveyard()
    var gauge: Gauge? = graveyard.watch(Gauge())
    var cancellables: [AnyCancellable] = []
    do {
      let canary = graveyard.watch(Canary(), "closure")
      let recorder = graveyard.watch(Recorder<[Int], Never>(), "recorder")
      cancellables.append(gauge!.$level.sink { _ in withExtendedLifetime(canary) {} })
      cancellables.append(gauge!.objectWillChange.sink { _ in withExtendedLifetime(canary) {} })
      gauge!.$marks.subscribe(recorder)
      gauge!.level = 1
      recorder.dismiss()
    }
    if order == "subscription first" {
      cancellables = []
      #expect(graveyard.survivors == ["Gauge"])
      gauge = nil
    } else {
      gauge = nil
      #expect(!graveyard.survivors.contains("Gauge"))
      cancellables = []
    }
    #expect(graveyard.survivors.isEmpty)
  }
}
