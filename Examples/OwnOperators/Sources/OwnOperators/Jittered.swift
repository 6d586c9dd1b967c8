// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockKit

extension Publisher {
  /// Republishes values on a scheduler, in order, each after a time that a closure chooses.
  public func jittered<Context: Scheduler>(
    on scheduler: Context, by delay: @escaping () -> Context.SchedulerTimeType.Stride
  ) -> some Publisher<Output, Failure> {
    scheduled { JitteredStage<Output, Failure, Context>(scheduler: scheduler, delay: delay) }
  }
}

struct JitteredStage<Input, Failure: Error, Context: Scheduler>: ScheduledStage {
  let scheduler: Context
  let delay: () -> Context.SchedulerTimeType.Stride

  func receive(_ input: Input) -> ScheduledVerdict<Input, Context.SchedulerTimeType.Stride> {
    .emitAfter(delay(), input)
  }
}
