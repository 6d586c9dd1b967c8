// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import Synchronization
import TestSupport
import Testing

@Suite struct JoiningRaceTests {
  @Test(arguments: SharedSource.all)
  func `A subscriber that joins while values come gets each of them from its first one on, once and in order`(
    _ source: SharedSource
  ) {
    typealias Probe = Recorder<Int, Never>
    for _ in 0..<10 {
      let feed = UncheckedBox(source.make())
      let isOver = Atomic(false)
      let last = 500
      let first = Probe(demand: .unlimited)
      let (staying, leaving) = (Locked([first]), Locked<[Probe]>([]))
      feed.value.publisher.subscribe(first)
      onThreads(2) { index in
        if index == 0 {
          for value in 1...last { feed.value.send(value) }
          return isOver.store(true, ordering: .relaxed)
        }
        for _ in 0..<50 where !isOver.load(ordering: .relaxed) {
          let (probe, other) = (Probe(demand: .unlimited), Probe(demand: .unlimited))
          feed.value.publisher.subscribe(probe)
          feed.value.publisher.subscribe(other)
          other.cancel()
          staying.change { $0.append(probe) }
          leaving.change { $0.append(other) }
        }
      }
      for probe in staying.value + leaving.value {
        let sent = probe.values.filter { $0 > 0 }
        #expect(probe.isSerial)
        if let first = sent.first { #expect(sent == Array(first..<first + sent.count)) }
      }
      // Without a repeated value, only probes that joined after the last value may have received none.
      for probe in staying.value { #expect(probe.values.isEmpty ? !source.repeats : probe.values.last == last) }
    }
  }

  @Test func `Requests, cancels and the end may come at any moment of an introduction`() {
    for round in 0..<300 {
      weak var watched: CurrentValueSubject<Int, Never>?
      do {
        let subject = CurrentValueSubject<Int, Never>(0)
        watched = subject
        let (first, probe) = (Recorder<Int, Never>(demand: .unlimited), Recorder<Int, Never>(demand: nil))
        subject.subscribe(first)
        onThreads(3) { index in
          switch index {
          case 0:
            for value in 1...20 { subject.send(value) }
            if round.isMultiple(of: 3) { subject.send(completion: .finished) }
          case 1:
            subject.subscribe(probe)
            for _ in 0..<5 { probe.request(.max(1)) }
            if round % 3 == 1 { probe.cancel() }
          default:
            for _ in 0..<5 { probe.request(.max(1)) }
            if round % 3 == 2 { probe.cancel() }
          }
        }
        #expect(probe.isSerial && first.isSerial)
        #expect(probe.values == probe.values.sorted() && Set(probe.values).count == probe.values.count)
        #expect(probe.completions.count <= 1 && probe.values.count <= 10)
        if round % 3 != 0 {
          probe.cancel()
          first.cancel()
        }
        probe.releaseSubscriptions()
        first.releaseSubscriptions()
      }
      #expect(watched == nil)
    }
  }
}
