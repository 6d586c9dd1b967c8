// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Penstock
import PenstockOperators

extension Scenario {
  static let shareReplay = Scenario(
    name: "replay", heading: "shareReplay: one subscription for all, and the latest values for whoever comes late"
  ) { page, tempo in
    var logger = tempo.logger(to: page)
    let subject = PassthroughSubject<Int, Never>()
    let publisher = subject.print("shareReplay", to: page).shareReplay(capacity: 2)
    func subscribe(_ name: String) -> AnyCancellable {
      publisher.sink(
        receiveCompletion: { print("\(name) completed: \($0)", to: &logger) },
        receiveValue: { print("\(name) received \($0)", to: &logger) })
    }

    subject.send(0)
    var subscriptions = [subscribe("subscription1")]
    for value in 1...3 { subject.send(value) }
    subscriptions.append(subscribe("subscription2"))
    for value in 4...5 { subject.send(value) }
    subject.send(completion: .finished)

    tempo.run(for: 1)
    page.print("Subscribing to shareReplay after upstream completed")
    subscriptions.append(subscribe("subscription3"))
    for subscription in subscriptions { subscription.cancel() }
  }
}
