// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Penstock

extension Scenario {
  static let printAndPrefix = Scenario(
    name: "print", heading: "print and prefix: what passes between a publisher and an operator"
  ) { page, _ in
    let subject = PassthroughSubject<String, Never>()
    let cancellable =
      subject
      .print("above", to: page)
      .prefix(2)
      .print("below", to: page)
      .sink(
        receiveCompletion: { page.print("Received completion: \($0)") },
        receiveValue: { page.print("Received value: \($0)") })
    for word in ["gate", "pipe", "turbine"] { subject.send(word) }
    cancellable.cancel()
  }
}
