// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import Synchronization
import TestSupport
import Testing

/// Operators with a fixed number of upstreams, each fed by one thread.
@Suite struct FanInRaceTests {
  private func subjects(_ count: Int) -> [PassthroughSubject<Int, TestError>] {
    (0..<count).map { _ in PassthroughSubject() }
  }

  private func attach(
    _ candidate: FanInCase, _ subjects: [PassthroughSubject<Int, TestError>], _ probe: Recorder<[Int], TestError>
  ) {
    candidate.combine(subjects.map { $0.eraseToAnyPublisher() }).subscribe(probe)
  }

  @Test(arguments: FanInCase.merges)
  func `Merge loses nothing and delivers nothing twice, in the order of each upstream`(_ candidate: FanInCase) {
    for round in 0..<10 {
      let subjects = subjects(candidate.count)
      let probe = Recorder<[Int], TestError>(demand: nil)
      attach(candidate, subjects, probe)
      probe.request(.unlimited)
      onThreads(candidate.count) { place in
        for value in 0..<200 { subjects[place].send(value * 10 + place) }
        if round.isMultiple(of: 2) { subjects[place].send(completion: .finished) }
      }
      #expect(probe.isSerial)
      #expect(probe.values.count == candidate.count * 200)
      for place in 0..<candidate.count {
        #expect(probe.values.map { $0[0] }.filter { $0 % 10 == place } == (0..<200).map { $0 * 10 + place })
      }
      #expect(probe.completions.count == (round.isMultiple(of: 2) ? 1 : 0))
    }
  }

  @Test(arguments: [FanInCase.merges[0], FanInCase.merges[8]])
  func `Of what two threads ask for, merge delivers exactly that much`(_ candidate: FanInCase) {
    for _ in 0..<20 {
      let probe = Recorder<[Int], TestError>(demand: nil)
      // Sequences keep values without demand.
      candidate.combine(
        (0..<candidate.count).map { place in
          Publishers.Sequence<[Int], TestError>(sequence: (0..<300).map { $0 * 10 + place }).eraseToAnyPublisher()
        }
      ).subscribe(probe)
      let granted = Atomic(0)
      probe.onValue = { value in
        guard value[0].isMultiple(of: 50) else { return .none }
        granted.add(1, ordering: .relaxed)
        return .max(1)
      }
      onThreads(3) { _ in
        for _ in 0..<100 {
          granted.add(1, ordering: .relaxed)
          probe.request(.max(1))
        }
      }
      #expect(probe.isSerial)
      #expect(probe.values.count == min(granted.load(ordering: .relaxed), 300 * candidate.count))
      #expect(Set(probe.values).count == probe.values.count)
    }
  }

  @Test(arguments: FanInCase.zips)
  func `Zip pairs the n-th values, whatever the order in which threads send them`(_ candidate: FanInCase) {
    for _ in 0..<10 {
      let subjects = subjects(candidate.count)
      let probe = Recorder<[Int], TestError>(demand: nil)
      attach(candidate, subjects, probe)
      probe.request(.unlimited)
      onThreads(candidate.count) { place in
        for value in 0..<200 { subjects[place].send(value) }
        subjects[place].send(completion: .finished)
      }
      #expect(probe.isSerial)
      #expect(probe.values == (0..<200).map { Array(repeating: $0, count: candidate.count) })
      #expect(probe.completions.count == 1)
    }
  }

  @Test(arguments: FanInCase.zips)
  func `Zip delivers what two threads ask for`(_ candidate: FanInCase) {
    for _ in 0..<20 {
      let probe = Recorder<[Int], TestError>(demand: nil)
      candidate.combine((0..<candidate.count).map { _ in Stream(Publishers.Sequence(sequence: 0..<300)) })
        .subscribe(probe)
      probe.onValue = { value in value[0] < 50 ? .max(1) : .none }
      onThreads(2) { _ in for _ in 0..<60 { probe.request(.max(1)) } }
      #expect(probe.isSerial)
      #expect(probe.values == (0..<170).map { Array(repeating: $0, count: candidate.count) })
    }
  }

  @Test(arguments: FanInCase.combineLatests)
  func `combineLatest sends one tuple for each value, and never an older one after a newer`(_ candidate: FanInCase) {
    for _ in 0..<10 {
      let subjects = subjects(candidate.count)
      let probe = Recorder<[Int], TestError>(demand: nil)
      attach(candidate, subjects, probe)
      probe.request(.unlimited)
      for subject in subjects { subject.send(0) }
      onThreads(candidate.count) { place in
        for value in 1...200 { subjects[place].send(value) }
        subjects[place].send(completion: .finished)
      }
      #expect(probe.isSerial)
      #expect(probe.values.count == 1 + 200 * candidate.count)
      #expect(probe.values.last == Array(repeating: 200, count: candidate.count))
      #expect(zip(probe.values, probe.values.dropFirst()).allSatisfy { $1.reduce(0, +) == $0.reduce(0, +) + 1 })
      #expect(probe.completions.count == 1)
    }
  }

  @Test(arguments: FanInCase.all)
  func `Requests, values, ends and cancels may race`(_ candidate: FanInCase) {
    for round in 0..<40 {
      let subjects = subjects(candidate.count)
      let probe = Recorder<[Int], TestError>(demand: nil)
      attach(candidate, subjects, probe)
      probe.onValue = { value in value[0].isMultiple(of: 3) ? .max(1) : .none }
      let feed = subjects.map { subject in
        { @Sendable in
          for value in 0..<20 { subject.send(value) }
          if round.isMultiple(of: 4) { subject.send(completion: .failure(.oops)) }
          if round.isMultiple(of: 3) { subject.send(completion: .finished) }
        }
      }
      onThreads(
        feed + [
          { for _ in 0..<10 { probe.request(.max(1)) } },
          { if round.isMultiple(of: 2) { probe.cancel() } else { probe.request(.unlimited) } },
        ])
      #expect(probe.isSerial)
      #expect(probe.completions.count <= 1)
      if round.isMultiple(of: 2) {
        let count = probe.values.count
        for subject in subjects { subject.send(1) }
        #expect(probe.values.count == count)
      }
    }
  }

  @Test(arguments: FanInCase.all)
  func `During a value's delivery another thread may request, send, read the mirror and cancel`(_ candidate: FanInCase)
  {
    let subjects = subjects(candidate.count)
    let probe = Recorder<[Int], TestError>(demand: nil)
    attach(candidate, subjects, probe)
    probe.onValue = { _ in
      elsewhere {
        probe.request(.max(1))
        for subject in subjects { subject.send(1) }
        _ = (probe.subscription as? any CustomReflectable)?.customMirror.children.count
        probe.cancel()
        subjects[0].send(completion: .finished)
      }
      return .none
    }
    probe.request(.max(5))
    for subject in subjects { subject.send(0) }
    #expect(probe.values.count == 1)
    #expect(probe.completions.count == 0)
    #expect(probe.isSerial)
  }

  @Test(arguments: FanInCase.all)
  func `Two pipelines that feed each other from two threads do not deadlock`(_ candidate: FanInCase) {
    for _ in 0..<10 {
      let (a, b) = (subjects(candidate.count), subjects(candidate.count))
      let left = Locked(60)
      let forward = { (targets: [PassthroughSubject<Int, TestError>]) in
        { (row: [Int]) -> Subscribers.Demand in
          for target in targets
          where left.change({ left in
            left -= 1
            return left > 0
          }) {
            target.send(row[0] + 1)
          }
          return .none
        }
      }
      let (first, second) = (Recorder<[Int], TestError>(demand: nil), Recorder<[Int], TestError>(demand: nil))
      first.onValue = forward(b)
      second.onValue = forward(a)
      for (subjects, probe) in [(a, first), (b, second)] {
        attach(candidate, subjects, probe)
        probe.request(.unlimited)
      }
      onThreads(2) { side in
        for _ in 0..<20 { for subject in [a, b][side] { subject.send(0) } }
      }
      #expect(!first.values.isEmpty && !second.values.isEmpty)
      for probe in [first, second] { probe.cancel() }
    }
  }
}
