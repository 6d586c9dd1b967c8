// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// A published property that several threads use at the same time.
///
/// `@unchecked`: the compiler cannot know that a property wrapper makes the property safe.
private final class SharedGauge: ObservableObject, @unchecked Sendable {
  @Published var level = 0
  @Published var pair = [0, 0]
}

@Suite struct PublishedThreadTests {
  @Test(arguments: [false, true])
  func `No reader sees half a value`(_ isSubscribed: Bool) {
    let gauge = SharedGauge()
    let cancellable = isSubscribed ? gauge.$pair.sink { #expect($0[0] == $0[1]) } : nil
    onThreads(4) { index in
      for round in 0..<500 {
        if index.isMultiple(of: 2) {
          gauge.pair = [round, round]
        } else {
          let pair = gauge.pair
          #expect(pair[0] == pair[1])
        }
      }
    }
    cancellable?.cancel()
  }

  @Test func `With many setters every subscriber ends on the value that is stored`() {
    for _ in 0..<20 {
      let gauge = SharedGauge()
      let last = Locked<[Int]>([-1, -1])
      let changes = Locked(0)
      let cancellables = [
        gauge.$level.sink { value in last.change { $0[0] = value } },
        gauge.$level.map { $0 }.sink { value in last.change { $0[1] = value } },
        gauge.objectWillChange.sink { changes.change { $0 += 1 } },
      ]
      onThreads(4) { index in
        for round in 0..<100 { gauge.level = index * 1_000 + round }
      }
      #expect(last.value == [gauge.level, gauge.level])
      #expect(changes.value == 400)
      cancellables.forEach { $0.cancel() }
    }
  }

  @Test func `Subscribers that come and go during sets end on the value that is stored`() {
    let gauge = SharedGauge()
    let late = Locked<[(AnyCancellable, Locked<Int>)]>([])
    onThreads(4) { index in
      for round in 0..<200 {
        if index < 2 {
          gauge.level = index * 1_000 + round
        } else {
          let last = Locked(-1)
          let cancellable = gauge.$level.sink { value in last.change { $0 = value } }
          if round.isMultiple(of: 3) { late.change { $0.append((cancellable, last)) } }
        }
      }
    }
    for (cancellable, last) in late.value {
      #expect(last.value == gauge.level)
      cancellable.cancel()
    }
  }

  @Test func `The first subscribers, coming at once, share one value`() {
    for _ in 0..<50 {
      let gauge = SharedGauge()
      let recorders = (0..<3).map { _ in Recorder<Int, Never>() }
      onThreads(4) { index in
        if index == 3 { gauge.level = 1 } else { gauge.$level.subscribe(recorders[index]) }
      }
      gauge.level = 2
      #expect(recorders.allSatisfy { $0.values.suffix(1) == [2] && $0.values.contains(1) })
    }
  }

  @Test func `Objects asked for their publisher by several threads at once have one`() {
    for _ in 0..<50 {
      let gauge = SharedGauge()
      let seen = Locked<[ObservableObjectPublisher]>([])
      onThreads(4) { _ in
        let publisher = gauge.objectWillChange
        seen.change { $0.append(publisher) }
      }
      #expect(seen.value.allSatisfy { $0 === gauge.objectWillChange })
      let changes = Locked(0)
      let cancellable = gauge.objectWillChange.sink { changes.change { $0 += 1 } }
      gauge.level = 1
      gauge.pair = [1, 1]
      #expect(changes.value == 2)
      cancellable.cancel()
    }
  }

  @Test func `No lock is held while subscribers run: another thread reads, sets, requests and cancels meanwhile`() {
    let gauge = SharedGauge()
    let recorder = Recorder<Int, Never>(demand: nil)
    gauge.$level.subscribe(recorder)
    let read = Locked<[Int]>([])
    var isFirst = true
    let cancellable = gauge.$level.dropFirst().sink { value in
      guard isFirst else { return }
      isFirst = false
      elsewhere {
        read.change { $0.append(gauge.level) }
        gauge.level = 2
        read.change { $0.append(gauge.level) }
        recorder.request(.max(1))
        recorder.cancel()
      }
    }
    gauge.level = 1
    // The other thread's value was stored at once, and delivered after the first one, which was sent before it.
    #expect(read.value == [0, 2])
    #expect(gauge.level == 2)
    cancellable.cancel()
  }

  @Test func `A value set while another thread delivers is delivered by that thread`() {
    let gauge = SharedGauge()
    let told = Locked<[Int]>([])
    let cancellable = gauge.$level.sink { value in
      told.change { $0.append(value) }
      guard value == 1 else { return }
      elsewhere {
        gauge.level = 2
        #expect(gauge.level == 2)
        #expect(told.value == [0, 1])
      }
    }
    gauge.level = 1
    #expect(told.value == [0, 1, 2])
    #expect(gauge.level == 2)
    cancellable.cancel()
  }

  @Test
  func `A subscriber that joins while another thread tells the others is given the old value, and then the new one`() {
    let gauge = SharedGauge()
    let late = Recorder<Int, Never>()
    let cancellable = gauge.$level.dropFirst().sink { _ in elsewhere { gauge.$level.subscribe(late) } }
    gauge.level = 1
    #expect(late.values == [0, 1])
    cancellable.cancel()
  }
}
