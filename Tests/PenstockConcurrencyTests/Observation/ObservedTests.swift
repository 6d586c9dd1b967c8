// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Observation
import PenstockConcurrency
import TestSupport
import Testing

@Observable @MainActor private final class Gauge {
  var level = 0
  var label = ""
}

private final class Dial: ObservableObject {
  @Published var level = 0
  @Published var label = ""
}

@Suite @MainActor struct ObservedTests {
  @Test func `The value is read when it is requested, and again after each change`() async {
    let gauge = Gauge()
    var levels: [Int] = []
    let cancellable = Publishers.Observed(isolation: #isolation) { gauge.level }.sink { levels.append($0) }
    #expect(levels == [])
    for level in 1...3 {
      #expect(await settled { levels.count == level })
      gauge.level = level
    }
    #expect(await settled { levels == [0, 1, 2, 3] })
    cancellable.cancel()
  }

  @Test func `Changes between two jobs are one, and other properties are none`() async {
    let gauge = Gauge()
    var (levels, reads) = ([Int](), 0)
    let cancellable = Publishers.Observed(isolation: #isolation) {
      reads += 1
      return gauge.level
    }.sink { levels.append($0) }
    #expect(await settled { levels == [0] })
    gauge.label = "north"
    for level in 1...10 { gauge.level = level }
    #expect(await settled { levels == [0, 10] })
    // Two readings for each value: see ObservedRaceTests.
    #expect(reads == 4)
    cancellable.cancel()
  }

  @Test func `Without demand nothing is read; what is requested later is the latest`() async {
    let gauge = Gauge()
    var reads = 0
    let recorder = Recorder<Int, Never>(demand: .max(1))
    Publishers.Observed(isolation: #isolation) {
      reads += 1
      return gauge.level
    }.subscribe(recorder)
    #expect(await settled { recorder.values == [0] })
    gauge.level = 1
    gauge.level = 2
    for _ in 0..<100 { await Task.yield() }
    #expect(reads == 2)
    recorder.request(.max(2))
    #expect(await settled { recorder.values == [0, 2] })
    gauge.level = 3
    #expect(await settled { recorder.values == [0, 2, 3] })
    #expect(recorder.complaints.isEmpty)
    recorder.dismiss()
  }

  @Test func `A change inside of a delivery is delivered next`() async {
    let gauge = Gauge()
    var levels: [Int] = []
    let cancellable = Publishers.Observed(isolation: #isolation) { gauge.level }.sink { level in
      levels.append(level)
      if level < 5 { gauge.level = level + 1 }
    }
    #expect(await settled { levels == [0, 1, 2, 3, 4, 5] })
    cancellable.cancel()
  }

  @Test func `A cancel ends it, and releases what the closure captures`() async {
    weak var weakGauge: Gauge?
    var levels: [Int] = []
    var cancellable: AnyCancellable?
    do {
      let gauge = Gauge()
      weakGauge = gauge
      cancellable = Publishers.Observed(isolation: #isolation) { gauge.level }.sink { levels.append($0) }
      #expect(await settled { levels == [0] })
      gauge.level = 1
    }
    #expect(weakGauge != nil)
    cancellable?.cancel()
    #expect(await settled { weakGauge == nil })
    #expect(levels == [0])
  }

  /// The runs of the closure are two for each value: a cancel in the first, and in the second.
  @Test(arguments: [3, 4])
  func `After a cancel in its closure nothing is read or delivered`(_ run: Int) async {
    let gauge = Gauge()
    var reads = 0
    var received: [Int] = []
    let recorder = Recorder<Int, Never>()
    recorder.onValue = { value in
      received.append(value)
      return .none
    }
    Publishers.Observed(isolation: #isolation) {
      reads += 1
      if reads == run { recorder.cancel() }
      return gauge.level
    }.subscribe(recorder)
    #expect(await settled { received == [0] })
    gauge.level = 1
    #expect(await settled { reads == run })
    gauge.level = 2
    for _ in 0..<100 { await Task.yield() }
    #expect(received == [0])
    #expect(reads == run)
  }

  @Test func `An observable object tells those who observe it before any of its properties changes`() {
    let dial = Dial()
    let observed = ObservedObject(dial)
    let seen = Locked<[String]>([])
    func track() {
      withObservationTracking {
        seen.change { $0.append("read \(observed.level)") }
      } onChange: {
        seen.change { $0.append("about to change") }
      }
    }
    track()
    dial.level = 1
    dial.level = 2
    track()
    observed.label = "north"
    #expect(dial.label == "north")
    #expect(seen.value == ["read 0", "about to change", "read 2", "about to change"])
  }

  @Test func `An observable object is published by way of observation`() async {
    let observed = ObservedObject(Dial())
    var levels: [Int] = []
    let cancellable = Publishers.Observed(isolation: #isolation) { observed.level }.sink { levels.append($0) }
    #expect(await settled { levels == [0] })
    observed.level = 7
    #expect(await settled { levels == [0, 7] })
    cancellable.cancel()
  }

  @Test func `The adapter does not keep itself in memory`() {
    let dial = Dial()
    weak var weakObserved: ObservedObject<Dial>?
    do {
      let observed = ObservedObject(dial)
      weakObserved = observed
      withExtendedLifetime(observed) {}
    }
    #expect(weakObserved == nil)
    dial.level = 1
  }
}
