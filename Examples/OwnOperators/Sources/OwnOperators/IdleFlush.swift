// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockKit

extension Publisher {
  /// Publishes collected values after a pause without values, or when a number of values has been collected; the rest
  /// follows at the end.
  public func flushed<Context: Scheduler>(
    upTo count: Int, afterIdle pause: Context.SchedulerTimeType.Stride, on scheduler: Context
  ) -> some Publisher<[Output], Failure> {
    precondition(count > 0, "flushed(upTo:afterIdle:on:) takes a count of 1 or more")
    return scheduled { IdleFlushStage<Output, Failure, Context>(count, pause, scheduler) }
  }
}

final class IdleFlushStage<Input, Failure: Error, Context: Scheduler>: TimedStage {
  let scheduler: Context
  /// The end of the pause; `nil` while there is nothing to flush.
  @exclusivity(unchecked) private(set) var deadline: Context.SchedulerTimeType?

  private let count: Int
  private let pause: Context.SchedulerTimeType.Stride
  @exclusivity(unchecked) private var values: [Input] = []

  init(_ count: Int, _ pause: Context.SchedulerTimeType.Stride, _ scheduler: Context) {
    self.count = count
    self.pause = pause
    self.scheduler = scheduler
  }

  static var demand: SteeredDemand { .whileUnmet }

  func receive(_ input: Input) -> Verdict<[Input], Failure> {
    values.append(input)
    if values.count >= count { return flush() }
    deadline = scheduler.now.advanced(by: pause)
    return .absorb
  }

  func receive(deadline: Context.SchedulerTimeType) -> Verdict<[Input], Failure> { flush() }

  func takeRest() -> [Input]? {
    defer { values = [] }
    return values.isEmpty ? nil : values
  }

  private func flush() -> Verdict<[Input], Failure> {
    deadline = nil
    return takeRest().map { .emit($0) } ?? .absorb
  }
}
