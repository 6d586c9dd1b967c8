// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// A subscriber lacks one of its three methods.

import Penstock

#if !FIXED
  final class Printer: Subscriber {
    typealias Input = String
    typealias Failure = Never

    func receive(subscription: any Subscription) { subscription.request(.unlimited) }

    func receive(_ input: String) -> Subscribers.Demand { .none }
  }
#else
  final class Printer: Subscriber {
    typealias Input = String
    typealias Failure = Never

    func receive(subscription: any Subscription) { subscription.request(.unlimited) }

    func receive(_ input: String) -> Subscribers.Demand { .none }

    func receive(completion: Subscribers.Completion<Never>) {}
  }
#endif
