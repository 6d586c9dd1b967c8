// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A subscriber of a diagram: it makes the requests in its lines, and notes what it receives.
internal final class MarbleSubscriber<Output, Failure: Error>: Subscriber {
  typealias Input = Output

  private let name: String
  private let timeline: MarbleTimeline
  private let symbol: (Output) -> String
  /// The demand that is requested when the subscription arrives.
  private var waitingDemand: Subscribers.Demand
  private var subscription: (any Subscription)?
  private var isCancelled = false
  /// The number of values after which it cancels, in the step of its cancel.
  private var valuesBeforeCancel: Int?

  init(name: String, timeline: MarbleTimeline, isDemandWritten: Bool, symbol: @escaping (Output) -> String) {
    self.name = name
    self.timeline = timeline
    self.symbol = symbol
    waitingDemand = isDemandWritten ? .none : .unlimited
  }

  func request(_ demand: Subscribers.Demand) {
    guard let subscription else {
      waitingDemand += demand
      return
    }
    if !isCancelled { subscription.request(demand) }
  }

  /// Cancels, once a number of values has come.
  func cancel(after count: Int) {
    guard count == 0 else {
      valuesBeforeCancel = count
      return
    }
    isCancelled = true
    subscription?.cancel()
    subscription = nil
  }

  // MARK: The subscriber's requirements

  func receive(subscription: any Subscription) {
    guard timeline.thread.isHere(name), !isCancelled, self.subscription == nil else { return subscription.cancel() }
    self.subscription = subscription
    let demand = waitingDemand
    waitingDemand = .none
    if demand > 0 { subscription.request(demand) }
  }

  func receive(_ input: Output) -> Subscribers.Demand {
    guard timeline.thread.isHere(name) else { return .none }
    timeline.note(.value(symbol(input)), of: name)
    if let count = valuesBeforeCancel {
      valuesBeforeCancel = nil
      cancel(after: count - 1)
    }
    return .none
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    guard timeline.thread.isHere(name) else { return }
    subscription = nil
    switch completion {
    case .finished: timeline.note(.finished, of: name)
    case .failure(let failure): timeline.note(.failed(marbleName(of: failure)), of: name)
    }
  }
}
