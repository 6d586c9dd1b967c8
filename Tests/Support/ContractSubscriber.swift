// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

/// Counts the granted demand and the deliveries, and records the first step that breaks the contract.
public final class ContractSubscriber: Subscriber, @unchecked Sendable {
  public typealias Input = Int
  public typealias Failure = TestError

  public private(set) var values: [Int] = []
  public private(set) var completions: [Subscribers.Completion<TestError>] = []
  public private(set) var complaints: [String] = []
  public private(set) var subscription: (any Subscription)?
  private var granted = Subscribers.Demand.none
  private var isCancelled = false
  /// Called after a value has been counted; returns the demand to return.
  public var onValue: (ContractSubscriber, Int) -> Subscribers.Demand = { _, _ in .none }
  public var onSubscription: (ContractSubscriber) -> Void = { _ in }
  public var onCompletion: () -> Void = {}

  public init() {}

  public func receive(subscription: any Subscription) {
    if self.subscription != nil { complaints.append("a second subscription") }
    self.subscription = subscription
    onSubscription(self)
  }

  public func receive(_ input: Int) -> Subscribers.Demand {
    if subscription == nil { complaints.append("a value before the subscription") }
    if !completions.isEmpty { complaints.append("a value after the completion") }
    if isCancelled { complaints.append("a value after cancel") }
    if granted == .none { complaints.append("a value that was not asked for: \(input)") } else { granted -= 1 }
    values.append(input)
    let more = onValue(self, input)
    granted += more
    return more
  }

  public func receive(completion: Subscribers.Completion<TestError>) {
    if !completions.isEmpty { complaints.append("a second completion") }
    if isCancelled { complaints.append("a completion after cancel") }
    completions.append(completion)
    onCompletion()
  }

  public func request(_ demand: Subscribers.Demand) {
    granted += demand
    subscription?.request(demand)
  }

  public func cancel() {
    isCancelled = true
    subscription?.cancel()
  }

  public func releaseSubscription() { subscription = nil }
}
