// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Penstock
import PenstockOperators

extension Scenario {
  static let throttleWhile = Scenario(
    name: "throttle", heading: "throttle(while:): only the latest value, once the condition is over"
  ) { page, tempo in
    let (level, isBusy) = (PassthroughSubject<Int, Never>(), CurrentValueSubject<Bool, Never>(false))
    let cancellable = level.throttle(while: isBusy, on: tempo)
      .sink(
        receiveCompletion: { page.print("Received completion: \($0)") },
        receiveValue: { page.print("Received value: \($0)") })
    func send(_ values: ClosedRange<Int>) {
      for value in values {
        page.print("Sending \(value)")
        level.send(value)
        tempo.run(for: 0.2)
      }
    }
    func throttle(_ isOn: Bool) {
      page.print(isOn ? "Throttled" : "No longer throttled")
      isBusy.value = isOn
      tempo.run(for: 0.2)
    }

    send(1...2)
    throttle(true)
    send(3...5)
    throttle(false)
    send(6...6)
    throttle(true)
    send(7...7)
    page.print("The end: what is held back is dropped")
    level.send(completion: .finished)
    tempo.run(for: 0.2)
    throttle(false)
    cancellable.cancel()
  }
}
