// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// A source that calls back does not say what a cancel means to its API.

import Penstock
import PenstockKit

struct ArticlesStage: CallbackStage {
  let ask: @Sendable (Int, @escaping @Sendable ([Article]) -> Void) -> Void

  func request(_ demand: Subscribers.Demand, _ callback: Callback<Article, NetworkError>) {
    ask(demand.max ?? 20) { articles in callback.send(articles) }
  }

  #if FIXED
    func cancel() {}
  #endif
}
