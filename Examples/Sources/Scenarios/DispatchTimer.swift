// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Penstock
import PenstockOperatorsFoundation

extension Scenario {
  static let timer = Scenario(name: "timer", heading: "DispatchTimer: ticks that do not drift") { page, tempo in
    var logger = tempo.logger(to: page)
    var isDone = false
    let sixTicks = tempo.timer(interval: .seconds(1), times: .max(6))
      .sink(
        receiveCompletion: { _ in isDone = true },
        receiveValue: { print("Timer emits: \($0)", to: &logger) })
    tempo.run { isDone }
    sixTicks.cancel()

    page.print("The same, cancelled after 3.5 seconds:")
    logger = tempo.logger(to: page)
    let cancelled = tempo.timer(interval: .seconds(1), times: .max(6))
      .sink { print("Timer emits: \($0)", to: &logger) }
    tempo.run(for: 3.5)
    cancelled.cancel()
    tempo.run(for: 1)
  }
}
