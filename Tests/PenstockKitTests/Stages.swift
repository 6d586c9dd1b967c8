// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockKit
import PenstockTesting
import TestSupport

// One stage for each shape, written as a client writes it: with the kit's public names alone.

/// Each value plus ten; those that are a multiple of four are left out.
struct PlusTenStage: TransparentStage {
  func receive(_ input: Int) -> Int? { input.isMultiple(of: 4) ? nil : input &+ 10 }
}

/// Each value with its predecessor, as one number.
final class PairsStage<Failure: Error>: ManagedStage {
  var last: Int?

  func receive(_ input: Int) -> Verdict<Int, Failure> {
    defer { last = input }
    return last.map { .emit($0 &+ 10 &* input) } ?? .skip
  }
}

/// Values up to one, which is the last.
final class ThroughStage<Failure: Error>: ManagedStage {
  let end: Int

  init(_ end: Int) { self.end = end }

  func receive(_ input: Int) -> Verdict<Int, Failure> {
    input < end ? .emit(input) : input == end ? .emitAndFinish(input) : .finish
  }
}

/// Fails with a value, and turns upstream's failures into others.
final class RefusingStage<UpstreamFailure: Error>: ManagedStage {
  let refused: Int

  init(_ refused: Int) { self.refused = refused }

  func receive(_ input: Int) -> Verdict<Int, TestError> {
    input == refused ? .fail(TestError("refused \(input)")) : .emit(input)
  }

  func receive(completion: Subscribers.Completion<UpstreamFailure>) -> Subscribers.Completion<TestError> {
    if case .failure(let error) = completion { return .failure(TestError("from \(error)")) }
    return .finished
  }
}

/// Each value twice.
final class TwiceStage<Failure: Error>: QueuedStage {
  var demand: QueuedDemand { .whileUnmet }

  static var failureWaits: Bool { true }

  func receive(_ input: Int, into outputs: inout Outputs<Int>) -> Verdict<Int, Failure> {
    outputs.append(input)
    return .emit(input)
  }
}

/// The number of values before the completion, also before a failure.
final class TotalStage<Failure: Error>: QueuedStage {
  var count = 0

  var demand: QueuedDemand { .unlimited }

  static var failureWaits: Bool { true }

  func receive(_ input: Int, into outputs: inout Outputs<Int>) -> Verdict<Int, Failure> {
    count += 1
    return .absorb
  }

  func finish(
    _ completion: Subscribers.Completion<Failure>, into outputs: inout Outputs<Int>
  ) -> Subscribers.Completion<Failure> {
    outputs.append(count)
    return completion
  }
}

/// All values, the last first, when the stream has finished.
final class BackwardsStage<Failure: Error>: QueuedStage {
  var values: [Int] = []

  var demand: QueuedDemand { .unlimited }

  func receive(_ input: Int, into outputs: inout Outputs<Int>) -> Verdict<Int, Failure> {
    values.append(input)
    return .absorb
  }

  func finish(
    _ completion: Subscribers.Completion<Failure>, into outputs: inout Outputs<Int>
  ) -> Subscribers.Completion<Failure> {
    while let last = values.popLast() { outputs.append(last) }
    return completion
  }
}

/// The latest value at each signal.
struct LatestAtSignalStage<Input, Failure: Error, Signal>: SteeredStage {
  var latest: Input?

  static var demand: SteeredDemand { .countedKeeping }

  mutating func receive(_ input: Input) -> Verdict<Input, Failure> {
    latest = input
    return .absorb
  }

  mutating func receive(signal: Signal) -> Verdict<Input, Failure> {
    defer { latest = nil }
    return latest.map { .emit($0) } ?? .absorb
  }
}

/// Values while the latest signal was `true`.
struct OpenStage<Input, Failure: Error>: SteeredStage {
  var isOpen = false

  mutating func receive(_ input: Input) -> Verdict<Input, Failure> { isOpen ? .emit(input) : .skip }

  mutating func receive(signal: Bool) -> Verdict<Input, Failure> {
    isOpen = signal
    return .absorb
  }
}

/// Each value on a scheduler; after as many units as it says where it is more than nothing.
struct LateStage<Failure: Error, Context: Scheduler>: ScheduledStage {
  let scheduler: Context
  let delay: (Int) -> Context.SchedulerTimeType.Stride

  func receive(_ input: Int) -> ScheduledVerdict<Int, Context.SchedulerTimeType.Stride> {
    if input < 0 { return .skip }
    let delay = delay(input)
    return delay == .zero ? .emit(input) : .emitAfter(delay, input)
  }
}

/// A publisher again, a number of times, whether it finishes or fails.
struct AgainRule<Upstream: Publisher>: SequentialRule {
  let upstream: Upstream
  let times: Int

  func next(
    after completion: Subscribers.Completion<Upstream.Failure>, number: Int
  ) -> SequentialStep<Upstream, Upstream.Failure> {
    number < times ? .start(upstream) : .finish(completion)
  }
}

/// One number after the other.
struct CountStage<Failure: Error>: SourceStage {
  var number = 0
  let end: Int
  var ending = Subscribers.Completion<Failure>.finished

  var isExhausted: Bool { number >= end }

  mutating func next() -> Int? {
    guard number < end else { return nil }
    number += 1
    return number
  }
}
