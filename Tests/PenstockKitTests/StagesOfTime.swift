// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockKit
import PenstockTesting
import TestSupport

// As in Stages.swift: written as a client writes it, with the kit's public names alone.

/// Values in arrays, each of which ends at a signal; what is left comes at the end.
struct ChunksStage<Input, Failure: Error, Signal>: SteeredStage {
  var chunk: [Input] = []
  /// Called when the rest is taken.
  var onRest: () -> Void = {}

  static var demand: SteeredDemand { .whileUnmet }

  mutating func receive(_ input: Input) -> Verdict<[Input], Failure> {
    chunk.append(input)
    return .absorb
  }

  mutating func receive(signal: Signal) -> Verdict<[Input], Failure> { takeRest().map { .emit($0) } ?? .absorb }

  func receive(signalCompletion: Subscribers.Completion<Failure>) -> Verdict<[Input], Failure> {
    switch signalCompletion {
    case .finished: .finish
    case .failure(let failure): .fail(failure)
    }
  }

  mutating func takeRest() -> [Input]? {
    onRest()
    defer { chunk = [] }
    return chunk.isEmpty ? nil : chunk
  }
}

/// The number of values between two signals, also behind the last one.
struct RateStage<Input, Failure: Error, Signal, Policy: RatePolicy>: SteeredStage {
  var count = 0

  static var demand: SteeredDemand { Policy.demand }

  static var joining: ((inout Int, Int) -> Void)? { { $0 += $1 } }

  mutating func receive(_ input: Input) -> Verdict<Int, Failure> {
    count += 1
    return .absorb
  }

  mutating func receive(signal: Signal) -> Verdict<Int, Failure> {
    defer { count = 0 }
    return .emit(count)
  }

  mutating func takeRest() -> Int? { count > 0 ? count : nil }
}

protocol RatePolicy {
  static var demand: SteeredDemand { get }
}

enum Dropping: RatePolicy {
  static var demand: SteeredDemand { .countedDropping }
}

enum Keeping: RatePolicy {
  static var demand: SteeredDemand { .countedKeeping }
}

enum Joining: RatePolicy {
  static var demand: SteeredDemand { .whileUnmet }
}

/// Each value when the next one comes; the last one at the end.
struct OneBehindStage<Input, Failure: Error, Signal>: SteeredStage {
  var held: Input?

  mutating func receive(_ input: Input) -> Verdict<Input, Failure> {
    defer { held = input }
    return held.map { .emit($0) } ?? .absorb
  }

  func receive(signal: Signal) -> Verdict<Input, Failure> { .finish }

  func takeRest() -> Input? { held }
}

/// What has come when nothing has come for a pause.
final class IdleFlushStage<Input, Failure: Error, Context: Scheduler>: TimedStage {
  let scheduler: Context
  let pause: Context.SchedulerTimeType.Stride
  var deadline: Context.SchedulerTimeType?
  var values: [Input] = []

  init(_ pause: Context.SchedulerTimeType.Stride, _ scheduler: Context) {
    self.pause = pause
    self.scheduler = scheduler
  }

  static var demand: SteeredDemand { .whileUnmet }

  func receive(_ input: Input) -> Verdict<[Input], Failure> {
    values.append(input)
    deadline = scheduler.now.advanced(by: pause)
    return .absorb
  }

  func receive(deadline: Context.SchedulerTimeType) -> Verdict<[Input], Failure> {
    self.deadline = nil
    return takeRest().map { .emit($0) } ?? .absorb
  }

  func takeRest() -> [Input]? {
    defer { values = [] }
    return values.isEmpty ? nil : values
  }
}

/// Values, until none has come for a time.
struct AliveStage<Input, Context: Scheduler>: TimedStage {
  let scheduler: Context
  let limit: Context.SchedulerTimeType.Stride
  var deadline: Context.SchedulerTimeType?

  init(_ limit: Context.SchedulerTimeType.Stride, _ scheduler: Context) {
    self.scheduler = scheduler
    self.limit = limit
    deadline = scheduler.now.advanced(by: limit)
  }

  mutating func receive(_ input: Input) -> Verdict<Input, TestError> {
    deadline = scheduler.now.advanced(by: limit)
    return .emit(input)
  }

  func receive(deadline: Context.SchedulerTimeType) -> Verdict<Input, TestError> { .fail(.oops) }
}

/// Numbers say when the stage is to be called, or that it is not: what it is called for comes out.
final class AlarmStage<Failure: Error>: TimedStage {
  let scheduler: VirtualTimeScheduler<VirtualTime, Never>
  var deadline: VirtualTime?
  /// What follows a deadline.
  var following: (VirtualTime) -> VirtualTime?

  init(
    _ scheduler: VirtualTimeScheduler<VirtualTime, Never>, first: Int? = nil,
    following: @escaping (VirtualTime) -> VirtualTime? = { _ in nil }
  ) {
    self.scheduler = scheduler
    self.following = following
    deadline = first.map(time)
  }

  static var demand: SteeredDemand { .countedKeeping }

  func receive(_ input: Int) -> Verdict<VirtualTime, Failure> {
    deadline = input < 0 ? nil : time(input)
    return .absorb
  }

  func receive(deadline: VirtualTime) -> Verdict<VirtualTime, Failure> {
    self.deadline = following(deadline)
    return .emit(deadline)
  }
}

/// That many seconds after the start of virtual time.
func time(_ seconds: Int) -> VirtualTime { VirtualTime(nanoseconds: 0).advanced(by: .seconds(seconds)) }
