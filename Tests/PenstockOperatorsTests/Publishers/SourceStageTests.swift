// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// What a source does next.
private enum Step<Output, Failure: Error> {
  case output(Output)
  case last(Output, Subscribers.Completion<Failure>)
  case finish(Subscribers.Completion<Failure>)
}

/// A source that is written outside the core: a closure makes each step from a state.
private struct Generate<State, Output, Failure: Error>: Publisher {
  struct Stage: SourceStage {
    var state: State
    let step: (inout State) -> Step<Output, Failure>
    var isExhausted = false
    var ending = Subscribers.Completion<Failure>.finished

    mutating func next() -> Output? {
      switch step(&state) {
      case .output(let output):
        return output
      case .last(let output, let completion):
        (isExhausted, ending) = (true, completion)
        return output
      case .finish(let completion):
        ending = completion
        return nil
      }
    }
  }

  let initial: State
  let step: (inout State) -> Step<Output, Failure>

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    attachSource(Stage(state: initial, step: step), name: "Generate", to: subscriber)
  }
}

@Suite struct SourceStageTests {
  /// Counts from 1 up to a number, and completes with the last one or after it.
  private func count<Failure: Error>(
    to end: Int, _ completion: Subscribers.Completion<Failure> = .finished, atOnce: Bool = true
  ) -> Generate<Int, Int, Failure> {
    Generate(initial: 0) { last in
      if last == end { return .finish(completion) }
      last += 1
      return atOnce && last == end ? .last(last, completion) : .output(last)
    }
  }

  @Test func `Nothing is made without demand`() {
    let recorder = Recorder<Int, Never>(demand: nil)
    var isMade = false
    Generate<Int, Int, Never>(initial: 0) { _ in
      isMade = true
      return .finish(.finished)
    }.subscribe(recorder)
    recorder.request(.none)
    #expect(!isMade)
    #expect(recorder.subscriptionTexts == ["Generate"])
    recorder.request(.max(1))
    #expect(isMade)
    #expect(recorder.values.isEmpty && recorder.isFinished)
  }

  @Test func `Each request delivers as many outputs as it asks for`() {
    let recorder = Recorder<Int, Never>(demand: .max(1))
    count(to: 6).subscribe(recorder)
    #expect(recorder.values == [1])
    recorder.request(.max(3))
    #expect(recorder.values == [1, 2, 3, 4])
    recorder.request(.unlimited)
    #expect(recorder.values == [1, 2, 3, 4, 5, 6])
    #expect(recorder.isFinished)
  }

  @Test func `A completion comes with the last output, or takes a request of its own`() {
    let (atOnce, later) = (Recorder<Int, Never>(demand: .max(2)), Recorder<Int, Never>(demand: .max(2)))
    count(to: 2).subscribe(atOnce)
    #expect(atOnce.values == [1, 2] && atOnce.isFinished)
    count(to: 2, atOnce: false).subscribe(later)
    #expect(later.values == [1, 2] && !later.isFinished)
    later.request(.max(1))
    #expect(later.isFinished)
  }

  @Test func `Demand that is returned, or requested within a delivery, is served by the running loop`() {
    for isReturned in [true, false] {
      let recorder = Recorder<Int, Never>(demand: .max(1))
      var depth = 0
      recorder.onValue = { _ in
        depth += 1
        defer { depth -= 1 }
        #expect(depth == 1)
        if !isReturned { recorder.request(.max(1)) }
        return isReturned ? .max(1) : .none
      }
      count(to: 1_000).subscribe(recorder)
      #expect(recorder.values == Array(1...1_000))
      #expect(recorder.isFinished)
    }
  }

  @Test(arguments: [false, true])
  func `A failure ends the stream`(atOnce: Bool) {
    let recorder = Recorder<Int, TestError>()
    count(to: 3, .failure(TestError("broken")), atOnce: atOnce).subscribe(recorder)
    #expect(recorder.values == [1, 2, 3])
    #expect(recorder.completions.count == 1 && !recorder.isFinished)
    recorder.request(.max(1))
    #expect(recorder.completions.count == 1)
  }

  @Test func `A cancel within a delivery, or within a step, is the last event`() {
    let recorder = Recorder<Int, Never>()
    recorder.onValue = {
      if $0 == 3 { recorder.cancel() }
      return .none
    }
    count(to: 3).subscribe(recorder)
    #expect(recorder.values == [1, 2, 3] && recorder.completions.isEmpty)

    let other = Recorder<Int, Never>()
    Generate<Int, Int, Never>(initial: 0) { last in
      last += 1
      if last == 3 { other.cancel() }
      return .output(last)
    }.subscribe(other)
    #expect(other.values == [1, 2] && other.completions.isEmpty)
  }

  @Test func `A cancel on another thread stops an endless loop, which frees the state`() {
    var graveyard = Graveyard()
    let probe = Recorder<Int, Never>(demand: nil)
    probe.onValue = { [unowned probe] value in
      if value == 3 { elsewhere { probe.cancel() } }
      return .none
    }
    do {
      let canary = graveyard.watch(Canary())
      Generate<(canary: Canary, last: Int), Int, Never>(initial: (canary, 0)) { state in
        state.last += 1
        return .output(state.last)
      }.subscribe(probe)
    }
    #expect(graveyard.survivors.count == 1)
    probe.request(.unlimited)
    #expect(probe.values == [1, 2, 3] && probe.completions.count == 0)
    #expect(graveyard.survivors.isEmpty)
  }

  @Test func `State and subscriber are released at the end, though the subscription is kept`() {
    for ending in ["completion", "cancel", "idle cancel"] {
      var graveyard = Graveyard()
      var subscription: (any Subscription)?
      do {
        let canary = graveyard.watch(Canary())
        let recorder = graveyard.watch(Recorder<Int, Never>(demand: ending == "idle cancel" ? nil : .max(1)))
        recorder.onSubscription = { subscription = $0 }
        recorder.onValue = { _ in
          if ending == "cancel" { subscription?.cancel() }
          return .none
        }
        Generate<Canary, Int, Never>(initial: canary) { _ in .last(1, .finished) }.subscribe(recorder)
        recorder.onSubscription = nil
        recorder.onValue = nil
        recorder.releaseSubscriptions()
      }
      if ending == "idle cancel" {
        #expect(graveyard.survivors.count == 2)
        subscription?.cancel()
      }
      #expect(graveyard.survivors.isEmpty, "after a \(ending)")
      #expect(subscription.map { String(describing: $0) } == "Generate")
    }
  }

  @Test func `Requests of several threads are served once each, and deliveries do not overlap`() {
    let probe = Recorder<Int, Never>(demand: nil)
    count(to: 1_000_000).subscribe(probe)
    onThreads(4) { _ in
      for _ in 0..<500 { probe.request(.max(1)) }
    }
    #expect(probe.values == Array(1...2_000))
    #expect(!probe.hasOverlapped)
  }
}
