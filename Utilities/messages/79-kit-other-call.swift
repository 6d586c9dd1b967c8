// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// A stage that acts on time is given to the operator for stages that do not.

import Penstock
import PenstockKit

struct QuietStage: TimedStage {
  let scheduler: DispatchQueue
  var deadline: DispatchQueue.SchedulerTimeType?

  func receive(_ input: Article) -> Verdict<Article, NetworkError> { .emit(input) }

  func receive(deadline: DispatchQueue.SchedulerTimeType) -> Verdict<Article, NetworkError> { .finish }
}

func quiet(_ articles: some Publisher<Article, NetworkError>) -> some Publisher<Article, NetworkError> {
  #if !FIXED
    articles.lift { QuietStage(scheduler: .main, deadline: nil) }
  #else
    articles.scheduled { QuietStage(scheduler: .main, deadline: nil) }
  #endif
}
