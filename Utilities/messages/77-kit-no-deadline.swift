// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// A stage has a deadline, and does not say what happens when it has come.

import Penstock
import PenstockKit

struct SilenceStage: TimedStage {
  let scheduler: DispatchQueue
  var deadline: DispatchQueue.SchedulerTimeType?

  mutating func receive(_ input: Article) -> Verdict<Article, NetworkError> {
    deadline = scheduler.now.advanced(by: .seconds(5))
    return .emit(input)
  }

  #if FIXED
    func receive(deadline: DispatchQueue.SchedulerTimeType) -> Verdict<Article, NetworkError> { .finish }
  #endif
}
