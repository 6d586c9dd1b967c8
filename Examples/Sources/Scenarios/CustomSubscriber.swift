// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Penstock

/// A subscriber that requests on command: the worked example of a custom subscriber.
final class DemandingSubscriber: Subscriber {
  typealias Input = Int
  typealias Failure = Never

  private let page: Page
  private var subscription: (any Subscription)?

  init(page: Page) {
    self.page = page
  }

  /// Requests more values.
  func ask(for demand: Subscribers.Demand) {
    page.print("Asking for \(demand)")
    subscription?.request(demand)
  }

  func receive(subscription: any Subscription) {
    guard self.subscription == nil else { return subscription.cancel() }
    self.subscription = subscription
  }

  func receive(_ input: Int) -> Subscribers.Demand {
    page.print("Received value: \(input)")
    return .none
  }

  func receive(completion: Subscribers.Completion<Never>) {
    page.print("Received completion: \(completion)")
    subscription = nil
  }
}

extension Scenario {
  static let customSubscriber = Scenario(
    name: "demand", heading: "Demand: a subscriber that gets what it asked for"
  ) { page, _ in
    let subscriber = DemandingSubscriber(page: page)
    (1...4).publisher.print("numbers", to: page).subscribe(subscriber)
    subscriber.ask(for: .max(1))
    subscriber.ask(for: .max(2))
    subscriber.ask(for: .unlimited)
  }
}
