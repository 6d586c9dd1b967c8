// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Penstock
import PenstockOperators

extension Scenario {
  static let controlRoom = Scenario(
    name: "combine", heading: "Combining: what a button finds, which mirror answers first, and what comes after what"
  ) { page, tempo in
    var logger = tempo.logger(to: page)
    func note(_ text: String) { print(text, to: &logger) }

    let gauges = [4, 6, 5].map { CurrentValueRelay($0) }
    let (power, isClear) = (CurrentValueRelay(false), CurrentValueRelay(true))
    let button = PassthroughRelay<Void>()
    // The button decides when; the gauges and the interlocks decide what.
    let presses = button.withLatestFrom(gauges.combineLatest(), power.and(isClear))
      .sink { levels, mayOpen in note("At levels of \(levels) the gate \(mayOpen ? "opens" : "stays shut")") }
    button.accept()
    power.accept(true)
    button.accept()
    gauges[1].accept(8)
    isClear.accept(false)
    button.accept()
    presses.cancel()

    page.print("A forecast from memory, or else from the mirror that answers first:")
    logger = tempo.logger(to: page)
    func later(_ text: String, after seconds: Tempo.SchedulerTimeType.Stride) -> some Publisher<String, Never> {
      Just(text).delay(for: seconds, scheduler: tempo)
    }
    let mirrors = [later("The north says: rain", after: 0.5), later("The south says: sun", after: 0.2)]
    for memory in [nil, "The memory says: fog"] {
      tempo.runToEnd(of: memory.publisher.switchIfEmpty(mirrors.amb()), receiveValue: note)
    }

    let gates = [later("The upper gate is shut", after: 0.4), later("The lower gate is shut", after: 0.3)]
      .map { $0.handleEvents(receiveOutput: note) }
    page.print("Gates that shut one after the other, and the pump behind them:")
    logger = tempo.logger(to: page)
    tempo.runToEnd(of: gates.concat().andThen(Just("The pump runs")), receiveValue: note)
    page.print("Gates that shut at the same time:")
    logger = tempo.logger(to: page)
    tempo.runToEnd(of: gates.merge().andThen(Just("The pump runs")), receiveValue: note)
  }
}
