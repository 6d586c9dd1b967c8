// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Penstock
import PenstockOperators

extension Scenario {
  static let timeLogger = Scenario(
    name: "logger", heading: "TimeLogger: a stream of text that knows the time"
  ) { page, tempo in
    for sinceOrigin in [true, false] {
      page.print(sinceOrigin ? "Since the beginning:" : "Since the line before:")
      var logger = tempo.logger(to: page, sinceOrigin: sinceOrigin)
      let gate = PassthroughSubject<String, Never>()
      let cancellable = gate.print("gate", to: logger).sink { _ in }
      tempo.run(for: 0.25)
      gate.send("opens")
      print("", to: &logger)
      tempo.run(for: 0.5)
      gate.send("closes")
      cancellable.cancel()
    }
  }
}
