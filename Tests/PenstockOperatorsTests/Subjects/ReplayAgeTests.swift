// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import PenstockTesting
import TestSupport
import Testing

/// Replays that leave out values that are too old.
@Suite struct ReplayAgeTests {
  private let scheduler = VirtualTimeScheduler()

  /// Sends a value every second, from 1 on, and waits a second after the last.
  private func send(_ count: Int, to subject: ReplaySubject<Int, Never>) {
    for value in 1...count {
      subject.send(value)
      scheduler.advance(by: 1)
    }
  }

  private func values(of subject: ReplaySubject<Int, Never>) -> [Int] {
    let recorder = Recorder<Int, Never>()
    subject.subscribe(recorder)
    defer { recorder.subscription?.cancel() }
    return recorder.values
  }

  @Test func `Values up to the age are replayed`() {
    let subject = ReplaySubject<Int, Never>(maximumAge: 3, scheduler: scheduler)
    send(6, to: subject)
    #expect(values(of: subject) == [4, 5, 6])
    scheduler.advance(by: 0.5)
    #expect(values(of: subject) == [5, 6])
    scheduler.advance(by: 9)
    #expect(values(of: subject) == [])
    subject.send(7)
    #expect(values(of: subject) == [7])
  }

  @Test func `Capacity limits them, too`() {
    let subject = ReplaySubject<Int, Never>(capacity: 2, maximumAge: 3, scheduler: scheduler)
    send(6, to: subject)
    #expect(values(of: subject) == [5, 6])
    scheduler.advance(by: 1.5)
    #expect(values(of: subject) == [6])
  }

  @Test func `After the end, values grow old as well, and the completion stays`() {
    let subject = ReplaySubject<Int, Never>(maximumAge: 2, scheduler: scheduler)
    send(3, to: subject)
    subject.send(completion: .finished)
    #expect(values(of: subject) == [2, 3])
    scheduler.advance(by: 5)
    let recorder = Recorder<Int, Never>(demand: nil)
    subject.subscribe(recorder)
    #expect(recorder.isFinished)
  }

  @Test func `A value that waits for a subscriber does not grow too old for it`() {
    let subject = ReplaySubject<Int, Never>(maximumAge: 1, scheduler: scheduler)
    let slow = Recorder<Int, Never>(demand: nil)
    subject.send(0)
    subject.subscribe(slow)
    send(5, to: subject)
    scheduler.advance(by: 10)
    #expect(values(of: subject) == [])
    slow.request(.max(2))
    #expect(slow.values == [0, 1])
    slow.request(.unlimited)
    #expect(slow.values == [0, 1, 2, 3, 4, 5])
    slow.cancel()
  }

  @Test func `What is too old is released with the next value or subscriber`() {
    for isJoin in [false, true] {
      var graveyard = Graveyard()
      let subject = ReplaySubject<Canary, Never>(maximumAge: 1, scheduler: scheduler)
      for _ in 0..<3 { subject.send(graveyard.watch(Canary())) }
      #expect(graveyard.survivors.count == 3)
      scheduler.advance(by: 2)
      if isJoin { subject.sink { _ in }.cancel() } else { subject.send(graveyard.watch(Canary())) }
      #expect(graveyard.survivors.count == (isJoin ? 0 : 1))
    }
  }

  @Test func `A value that grows old while a subscriber joins on another thread is not lost to it`() {
    let subject = ReplaySubject<Int, Never>(maximumAge: 5, scheduler: scheduler)
    let (first, joining) = (Recorder<Int, Never>(), Recorder<Int, Never>(demand: nil))
    for value in 1...2 { subject.send(value) }
    first.onValue = { [scheduler] value in
      guard value == 3 else { return .none }
      elsewhere {
        subject.subscribe(joining)
        // Queued after the subscriber that joins, and so much later that the other values are too old by then.
        scheduler.advance(by: 100)
        subject.send(4)
      }
      return .none
    }
    subject.subscribe(first)
    subject.send(3)
    subject.send(5)
    #expect(first.values == [1, 2, 3, 4, 5])
    joining.request(.unlimited)
    #expect(joining.values == [1, 2, 3, 4, 5])
    #expect(values(of: subject) == [4, 5])
    for recorder in [first, joining] { recorder.cancel() }
  }

  @Test func `A value queued before a subscriber that joins may make others too old, but not for it`() {
    let subject = ReplaySubject<Int, Never>(maximumAge: 5, scheduler: scheduler)
    let (first, joining) = (Recorder<Int, Never>(), Recorder<Int, Never>(demand: nil))
    subject.send(1)
    first.onValue = { [scheduler] value in
      guard value == 2 else { return .none }
      elsewhere {
        subject.send(3)
        subject.subscribe(joining)
      }
      scheduler.advance(by: 100)
      return .none
    }
    subject.subscribe(first)
    subject.send(2)
    for value in 4...40 { subject.send(value) }
    joining.request(.max(2))
    #expect(joining.values == [1, 2])
    joining.request(.unlimited)
    #expect(joining.values == Array(1...40))
    for recorder in [first, joining] { recorder.cancel() }
  }

  @Test func `Threads that send and join while time passes see no gap`() {
    let subject = ReplaySubject<Int, Never>(maximumAge: 3, scheduler: scheduler)
    let joined = Locked<[Recorder<Int, Never>]>([])
    onThreads(3) { [scheduler] thread in
      for number in 0..<2_000 {
        switch thread {
        case 0: subject.send(number)
        case 1: scheduler.advance(by: 1)
        default:
          let recorder = Recorder<Int, Never>(demand: .max(1), answering: .max(1))
          subject.subscribe(recorder)
          if !number.isMultiple(of: 50) { recorder.cancel() }
          joined.change { $0.append(recorder) }
        }
      }
    }
    for recorder in joined.value {
      #expect(zip(recorder.values, recorder.values.dropFirst()).allSatisfy { $0 + 1 == $1 } && !recorder.hasOverlapped)
      recorder.cancel()
    }
  }

  @Test func `A relay has an age, too`() {
    let relay = ReplayRelay<Int>(capacity: 5, maximumAge: 3, scheduler: scheduler)
    for value in 1...6 {
      relay.accept(value)
      scheduler.advance(by: 1)
    }
    let recorder = Recorder<Int, Never>()
    relay.subscribe(recorder)
    #expect(recorder.values == [4, 5, 6])
    recorder.cancel()
  }
}
