// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import PenstockCore

/// How deliveries are extended while work on them runs, and where refusals are reported.
@usableFromInline
internal struct Settling<Value: Delivery>: Sendable {
  /// How long after each extension the next one follows; `nil` for half of the shortest deadline.
  @usableFromInline internal let interval: Duration?
  private let clock: any Clock<Duration>
  @usableFromInline internal let onRefusal: @Sendable (DeliveryError, Value) -> Void

  @usableFromInline
  internal init(
    interval: Duration?, of parameter: String = "acknowledged(extendingEvery:)", clock: any Clock<Duration>,
    onRefusal: @escaping @Sendable (DeliveryError, Value) -> Void
  ) {
    if let interval { require(interval > .zero, of: parameter, rule: "an interval above zero", given: interval) }
    self.interval = interval
    self.clock = clock
    self.onRefusal = onRefusal
  }

  /// Makes the keeper that extends the deliveries of one subscriber.
  @usableFromInline
  internal func makeKeeper() -> DeadlineKeeper { DeadlineKeeper(clock) }

  @inlinable
  internal func interval(for deliveries: some Collection<Value>) -> Duration? {
    if let interval { return interval }
    // This runs once for each delivery: a lazy sequence and a key path would take as long as all the rest.
    var shortest: Duration?
    for delivery in deliveries {
      if let deadline = delivery.deadline { shortest = min(shortest ?? deadline, deadline) }
    }
    return shortest.map { $0 / 2 }
  }
}

extension Delivery {
  /// Settles the delivery; `nil` gives it back as not tried.
  @inlinable
  internal func settle(_ disposition: DeliveryDisposition?) async throws(DeliveryError) {
    switch disposition {
    case .ack?: try await ack()
    case .nak(let delay)?: try await nak(after: delay)
    case .terminate?: try await terminate()
    case nil: try await giveBack()
    }
  }
}

/// Performs a closure in a task that has not been cancelled: in this one, if it has not been.
@inlinable
internal func uncancelled<Result: Sendable>(_ body: @escaping @Sendable () async -> Result) async -> Result {
  // If a cancel comes later, the promise of a delivery holds, that it can be settled in a cancelled task.
  if !Task.isCancelled { return await body() }
  return await Task { await body() }.value
}

/// Returns the deliveries of a batch, with only the last delivery of each message that has come again within it.
@usableFromInline
internal func latest<Value: Delivery>(of batch: [Value]) -> [Value] {
  // In nearly every batch all messages have come for the first time, and nothing has to be looked up.
  guard batch.contains(where: { $0.attempt > 1 }) else { return batch }
  var places: [String: Int] = [:]
  for (place, delivery) in batch.enumerated() {
    guard let id = delivery.messageID else { continue }
    if let last = places[id], batch[last].attempt > delivery.attempt { continue }
    places[id] = place
  }
  return batch.enumerated().filter { place, delivery in delivery.messageID.map { places[$0] == place } ?? true }
    .map(\.element)
}
