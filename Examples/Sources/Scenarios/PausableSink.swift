// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Penstock
import PenstockOperators

extension Scenario {
  static let pausableSink = Scenario(
    name: "pause", heading: "pausableSink: a subscriber that says when it has had enough"
  ) { page, tempo in
    var isDone = false
    let subscription = [1, 2, 3, 4, 5, 6].publisher
      .pausableSink(
        receiveCompletion: { completion in
          page.print("Pausable subscription completed: \(completion)")
          isDone = true
        },
        receiveValue: { value in
          page.print("Receive value: \(value)")
          if value.isMultiple(of: 2) { return true }
          page.print("Pausing")
          return false
        })
    let timer = tempo.ticks(every: 1).sink {
      guard subscription.paused else { return }
      page.print("Subscription is paused, resuming")
      subscription.resume()
    }
    tempo.run { isDone }
    timer.cancel()
    subscription.cancel()
  }
}
