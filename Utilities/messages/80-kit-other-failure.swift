// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// A stage of another failure than the stream's is given to an operator.

import Penstock
import PenstockKit

struct NewsStage: TimedStage {
  let scheduler: DispatchQueue
  var deadline: DispatchQueue.SchedulerTimeType?

  func receive(_ input: Article) -> Verdict<Article, NetworkError> { .emit(input) }

  func receive(deadline: DispatchQueue.SchedulerTimeType) -> Verdict<Article, NetworkError> { .finish }
}

func news(_ articles: some Publisher<Article, Never>) -> some Publisher<Article, NetworkError> {
  #if !FIXED
    articles.scheduled { NewsStage(scheduler: .main, deadline: nil) }
  #else
    articles.setFailureType(to: NetworkError.self).scheduled { NewsStage(scheduler: .main, deadline: nil) }
  #endif
}
