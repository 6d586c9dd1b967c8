// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import TestSupport
import Testing

@Suite struct GenerateTests {
  /// Counts up to a number, and records each call of the closure.
  private func count(to end: Int, _ calls: Locked<Int> = Locked(0)) -> some Publisher<Int, Never> {
    Publishers.generate(state: 0) { last -> Int? in
      calls.change { $0 += 1 }
      if last == end { return nil }
      last += 1
      return last
    }
  }

  @Test func `Each value is made when it is requested, and not before`() {
    let calls = Locked(0)
    let recorder = Recorder<Int, Never>(demand: nil)
    count(to: 5, calls).subscribe(recorder)
    recorder.request(.none)
    #expect(calls.value == 0)
    recorder.request(.max(1))
    #expect(calls.value == 1 && recorder.values == [1])
    recorder.request(.max(3))
    #expect(calls.value == 4 && recorder.values == [1, 2, 3, 4])
    recorder.request(.unlimited)
    #expect(calls.value == 6 && recorder.values == [1, 2, 3, 4, 5] && recorder.isFinished)
    recorder.request(.max(1))
    #expect(calls.value == 6)
  }

  @Test func `The completion takes a request of its own`() {
    let recorder = Recorder<Int, Never>(demand: .max(2))
    count(to: 2).subscribe(recorder)
    #expect(recorder.values == [1, 2] && recorder.completions.isEmpty)
    recorder.request(.max(1))
    #expect(recorder.isFinished && recorder.subscriptionTexts == ["Generate"])
  }

  @Test func `Each subscriber begins with the initial state`() {
    let publisher = count(to: 3)
    for _ in 0..<2 {
      let recorder = Recorder<Int, Never>()
      publisher.subscribe(recorder)
      #expect(recorder.values == [1, 2, 3])
    }
  }

  @Test func `Demand from within a delivery is met by a loop`() {
    for isReturned in [false, true] {
      let recorder = Recorder<Int, Never>(demand: nil)
      recorder.onValue = { [unowned recorder] _ in
        if !isReturned { recorder.request(.max(1)) }
        return isReturned ? .max(1) : .none
      }
      count(to: 100_000).subscribe(recorder)
      onSmallStack { recorder.request(.max(1)) }
      #expect(recorder.values.count == 100_000 && recorder.isSerial)
    }
  }

  @Test func `A cancel within the closure or a delivery is the end of an endless stream`() {
    for isInside in [false, true] {
      let recorder = Recorder<Int, Never>(demand: nil)
      recorder.onValue = { [unowned recorder] value in
        if value == 3, !isInside { recorder.cancel() }
        return .none
      }
      let calls = Locked(0)
      Publishers.generate(state: 0) { last -> Int? in
        last += 1
        calls.change { $0 += 1 }
        if last == 4, isInside { recorder.cancel() }
        return last
      }.subscribe(recorder)
      recorder.request(.unlimited)
      #expect(recorder.values == [1, 2, 3] && calls.value == (isInside ? 4 : 3))
    }
  }

  @Test func `An error ends the stream, and the closure is not called again`() {
    let calls = Locked(0)
    let recorder = Recorder<Int, any Error>()
    Publishers.tryGenerate(state: 0) { last -> Int? in
      calls.change { $0 += 1 }
      last += 1
      if last == 3 { throw TestError.oops }
      return last
    }.subscribe(recorder)
    recorder.request(.max(1))
    #expect(recorder.values == [1, 2] && calls.value == 3 && recorder.completions.count == 1)
    guard case .failure(let error) = recorder.completions.first else { return }
    #expect(error as? TestError == .oops)
  }

  @Test func `A throwing closure that does not throw finishes`() {
    let recorder = Recorder<Int, any Error>()
    Publishers.tryGenerate(state: 2) { left -> Int? in
      left -= 1
      return left < 0 ? nil : left
    }.subscribe(recorder)
    #expect(recorder.values == [1, 0] && recorder.isFinished)
  }

  @Test func `The state is released at the end and at a cancel`() {
    for isCancelled in [false, true] {
      var graveyard = Graveyard()
      let recorder = Recorder<Int, Never>(demand: .max(1))
      do {
        let canary = graveyard.watch(Canary())
        // The publisher keeps the initial state, so it is made here.
        Publishers.generate(state: (canary, 0)) { state -> Int? in
          state.1 += 1
          return state.1 < 3 ? state.1 : nil
        }.subscribe(recorder)
      }
      #expect(graveyard.survivors.count == 1)
      if isCancelled { recorder.cancel() } else { recorder.request(.unlimited) }
      #expect(graveyard.survivors.isEmpty)
    }
  }

  @Test func `Requests of several threads make each value once`() {
    let recorder = Recorder<Int, Never>(demand: nil)
    count(to: 1_000_000).subscribe(recorder)
    onThreads(4) { _ in
      for _ in 0..<500 { recorder.request(.max(1)) }
    }
    #expect(recorder.values == Array(1...2_000) && !recorder.hasOverlapped)
  }
}
