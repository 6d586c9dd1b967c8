// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockKit
import PenstockTesting
import TestSupport
import Testing

// Stages of each shape whose methods call out, as those of a user may.

private typealias Call = () -> Void

private struct CallingTransparentStage: TransparentStage {
  let call: Call

  func receive(_ input: Int) -> Int? {
    call()
    return input
  }
}

private struct CallingStage: ManagedStage {
  let call: Call
  let callsAtEnd: Bool

  func receive(_ input: Int) -> Verdict<Int, TestError> {
    if !callsAtEnd { call() }
    return input.isMultiple(of: 2) ? .skip : .emit(input)
  }

  func receive(completion: Subscribers.Completion<TestError>) -> Subscribers.Completion<TestError> {
    if callsAtEnd { call() }
    return completion
  }
}

private struct CallingQueuedStage: QueuedStage {
  let call: Call
  let callsAtEnd: Bool

  var demand: QueuedDemand { .whileUnmet }

  func receive(_ input: Int, into outputs: inout Outputs<Int>) -> Verdict<Int, TestError> {
    outputs.append(input)
    if !callsAtEnd { call() }
    outputs.append(-input)
    return .emit(input)
  }

  func finish(
    _ completion: Subscribers.Completion<TestError>, into outputs: inout Outputs<Int>
  ) -> Subscribers.Completion<TestError> {
    outputs.append(0)
    if callsAtEnd { call() }
    return completion
  }
}

private enum Place: CaseIterable { case value, signal, rest }

private struct CallingSteeredStage: SteeredStage {
  let call: Call
  let place: Place

  static var demand: SteeredDemand { .whileUnmet }

  static var joining: ((inout Int, Int) -> Void)? { { $0 += $1 } }

  func receive(_ input: Int) -> Verdict<Int, TestError> {
    if place == .value { call() }
    return .emit(input)
  }

  func receive(signal: Int) -> Verdict<Int, TestError> {
    if place == .signal { call() }
    return .emit(-signal)
  }

  func takeRest() -> Int? {
    if place == .rest { call() }
    return 0
  }
}

private struct CallingScheduledStage: ScheduledStage {
  typealias Failure = TestError

  let call: Call
  let scheduler: OperatorSpec.Clock
  let delay: VirtualTime.Stride

  func receive(_ input: Int) -> ScheduledVerdict<Int, VirtualTime.Stride> {
    call()
    return delay == .zero ? .emit(input) : .emitAfter(delay, input)
  }
}

private struct CallingTimedStage: TimedStage {
  let call: Call
  let place: Place
  let scheduler: OperatorSpec.Clock
  var deadline: VirtualTime?

  static var demand: SteeredDemand { .whileUnmet }

  static var joining: ((inout Int, Int) -> Void)? { { $0 += $1 } }

  mutating func receive(_ input: Int) -> Verdict<Int, TestError> {
    if place == .value { call() }
    deadline = scheduler.now.advanced(by: .milliseconds(500))
    return .emit(input)
  }

  mutating func receive(deadline: VirtualTime) -> Verdict<Int, TestError> {
    if place == .signal { call() }
    self.deadline = nil
    return .emit(0)
  }

  func takeRest() -> Int? {
    if place == .rest { call() }
    return 0
  }
}

private struct CallingRule<Upstream: Publisher>: SequentialRule {
  let call: Call
  let upstream: Upstream

  func next(
    after completion: Subscribers.Completion<Upstream.Failure>, number: Int
  ) -> SequentialStep<Upstream, Upstream.Failure> {
    call()
    return number < 6 ? .start(upstream) : .finish(completion)
  }
}

private struct CallingSourceStage: SourceStage {
  let call: Call
  var number = 0

  var isExhausted: Bool { number == 3 }

  var ending: Subscribers.Completion<TestError> { .finished }

  mutating func next() -> Int? {
    call()
    number += 1
    return number
  }
}

private struct CallingCallbackStage: CallbackStage {
  let call: Call
  let callsFirst: Bool
  var number = 0

  mutating func request(_ demand: Subscribers.Demand, _ callback: Callback<Int, TestError>) {
    number += 1
    if callsFirst { call() }
    if number < 4 { callback.send([number]) } else { callback.send(completion: .finished) }
    if !callsFirst { call() }
  }

  func cancel() {}
}

extension ClosureForm {
  fileprivate static let ofKit: [ClosureForm] =
    [
      .init("ManagedStage") { source, bench in source.lift { CallingStage(call: bench.call, callsAtEnd: false) } },
      .init("QueuedStage") { source, bench in source.lift { CallingQueuedStage(call: bench.call, callsAtEnd: false) } },
      .init("ScheduledStage") { source, bench in
        source.scheduled { CallingScheduledStage(call: bench.call, scheduler: bench.clock, delay: 0) }
      },
      .init("ScheduledStage, later") { source, bench in
        source.scheduled { CallingScheduledStage(call: bench.call, scheduler: bench.clock, delay: 2) }
      },
      .init("SequentialRule") { source, bench in
        source.followed { CallingRule(call: bench.call, upstream: Just(0).setFailureType(to: TestError.self)) }
      },
      .init("SourceStage") { source, bench in
        source.flatMap { _ in Publishers.source { CallingSourceStage(call: bench.call) } }
      },
      .init("CallbackStage, before it answers") { source, bench in
        source.flatMap { _ in Publishers.source { CallingCallbackStage(call: bench.call, callsFirst: true) } }
      },
      .init("CallbackStage, when it has answered") { source, bench in
        source.flatMap { _ in Publishers.source { CallingCallbackStage(call: bench.call, callsFirst: false) } }
      },
    ]
    + [Place.value, .signal].flatMap { place in
      [
        ClosureForm("SteeredStage, \(place)") { $0.steered(by: $0, CallingSteeredStage(call: $1.call, place: place)) },
        ClosureForm("TimedStage, \(place)") { source, bench in
          source.scheduled { CallingTimedStage(call: bench.call, place: place, scheduler: bench.clock) }
        },
      ]
    }

  /// Those whose methods are called at the end of each of several streams.
  fileprivate static let ofKitEnding: [ClosureForm] = [
    .init("ManagedStage, its completion") { source, bench in
      source.flatMap {
        Just($0).setFailureType(to: TestError.self).lift { CallingStage(call: bench.call, callsAtEnd: true) }
      }
    },
    .init("QueuedStage, its completion") { source, bench in
      source.flatMap {
        Just($0).setFailureType(to: TestError.self).lift { CallingQueuedStage(call: bench.call, callsAtEnd: true) }
      }
    },
    .init("SteeredStage, its rest") { source, bench in
      source.flatMap {
        Just($0).setFailureType(to: TestError.self)
          .steered(
            by: Empty<Int, TestError>(completeImmediately: false), CallingSteeredStage(call: bench.call, place: .rest))
      }
    },
    .init("TimedStage, its rest") { source, bench in
      source.flatMap {
        Just($0).setFailureType(to: TestError.self)
          .scheduled { CallingTimedStage(call: bench.call, place: .rest, scheduler: bench.clock) }
      }
    },
  ]
}

/// What a stage's methods call may end the stream.
@Suite struct StagesThatEndTests {
  @Test(arguments: ClosureForm.ofKit + ClosureForm.ofKitEnding, ClosureForm.Interruption.allCases)
  private func `Nothing follows when a method of a stage has ended the stream`(
    _ form: ClosureForm, _ interruption: ClosureForm.Interruption
  ) {
    #expect(form.complaints(interruption) == [])
  }

  /// Its closure has no state in which it could know.
  @Test(arguments: ClosureForm.Interruption.allCases)
  func `A transparent stage delivers what its method returns, as Combine's map does`(
    _ interruption: ClosureForm.Interruption
  ) {
    let ours = ClosureForm("TransparentStage") { $0.lift(CallingTransparentStage(call: $1.call)) }
    let combines = ClosureForm("map") { source, bench in
      source.map { value in
        bench.call()
        return value
      }
    }
    #expect(ours.complaints(interruption) == combines.complaints(interruption))
    #expect(!ours.complaints(interruption).isEmpty)
  }
}
