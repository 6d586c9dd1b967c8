// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// A subscriber that isn't Sendable, and whose owner reads it.

import PenstockConcurrency

#if FIXED
  final class Count: Subscriber, Sendable {
    private let total = Total()

    var count: Int { total.value }

    func receive(subscription: any Subscription) { subscription.request(.unlimited) }

    func receive(_ input: Int) -> Subscribers.Demand {
      total.add(1)
      return .none
    }

    func receive(completion: Subscribers.Completion<Never>) {}
  }
#else
  final class Count: Subscriber {
    private(set) var count = 0

    func receive(subscription: any Subscription) { subscription.request(.unlimited) }

    func receive(_ input: Int) -> Subscribers.Demand {
      count += 1
      return .none
    }

    func receive(completion: Subscribers.Completion<Never>) {}
  }
#endif

enum Program {
  static func run() async {
    let numbers = PassthroughSubject<Int, Never>()
    let count = Count()
    numbers.sendable.subscribe(count)
    let other = Elsewhere { numbers.send(1) }
    var seen = 0
    here { seen = max(seen, count.count) }
    other.wait()
    print(seen)
  }
}
