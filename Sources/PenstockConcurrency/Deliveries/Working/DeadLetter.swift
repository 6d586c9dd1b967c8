// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension Publisher where Output: Delivery {
  /// Republishes deliveries, and sets aside those that have been tried too often.
  ///
  /// ```swift
  /// let queue = DeliveryQueue<String>(capacity: 10)
  /// for word in ["poison", "water"] { try await queue.publish(word) }
  /// queue.finish()
  /// let results = queue.deliveries()
  ///   .deadLetter(after: 3) { delivery in print("set aside:", delivery.payload) }
  ///   .acknowledged(onFailure: { _, _ in .nak() }) { delivery in
  ///     if delivery.payload == "poison" { throw DeliveryError(.refused, "it is poison") }
  ///     return delivery.payload
  ///   }
  /// for await result in results.values { print(result) }
  /// // Prints "water", "set aside: poison" on two lines.
  /// ```
  ///
  /// A message that can't be processed would be given back and delivered for ever. The closure stores it where somebody
  /// will notice it, and when the closure has returned, the delivery is terminated. If the closure throws, the delivery
  /// is given back, and comes to the closure again, after a wait that doubles each time, from a second to a minute, or
  /// that the error names: see ``RetryAfterError``.
  ///
  /// What counts is how often a delivery has been tried, by its ``Delivery/attempt``. A delivery that has been read
  /// ahead and given back by a cancel has not been tried.
  ///
  /// A broker may have a limit of its own, ``Delivery/maxAttempts``, after which it stops delivering a message and
  /// reports this to nobody. If `count` is not smaller than that limit, the last delivery is the one that is set aside,
  /// so that a message is tried once less than the limit. Make the limit somewhat greater than `count`, so that a
  /// message that can't be stored at once comes again.
  ///
  /// **Demand:** passed on; for a delivery that has been set aside another one is requested, when the closure is done
  /// with it. So no more deliveries are being set aside than have been requested.
  ///
  /// **Completion:** and **Failure:** passed on; deliveries that are being set aside at that time are still stored, and
  /// after a cancel as well.
  ///
  /// **Concurrency:** the closure runs in a task of its own for each delivery, off every actor unless it is isolated.
  ///
  /// **Traps:** a count below one; a delivery that its broker delivers only once, so that it could not be both tried
  /// and set aside.
  ///
  /// - Parameters:
  ///   - count: How often a delivery may be tried.
  ///   - store: A closure that stores a delivery somewhere else.
  /// - Returns: A publisher of the other deliveries.
  @inlinable
  public consuming func deadLetter(
    after count: Int, to store: @escaping @Sendable (_ delivery: Output) async throws -> Void
  ) -> Publishers.Lifted<Output, Failure> {
    require(count >= 1, of: "deadLetter(after:)", rule: "a count of at least one", given: count)
    return lift { DeadLetterStage<Output, Failure>(count, store) }
  }

  /// Republishes deliveries, and publishes those that have been tried too often to a queue.
  ///
  /// ```swift
  /// let (queue, dead) = (DeliveryQueue<String>(capacity: 10), DeliveryQueue<String>(capacity: 10))
  /// for word in ["poison", "water"] { try await queue.publish(word) }
  /// queue.finish()
  /// let results = queue.deliveries()
  ///   .deadLetter(after: 3, to: dead)
  ///   .acknowledged(onFailure: { _, _ in .nak() }) { delivery in
  ///     if delivery.payload == "poison" { throw DeliveryError(.refused, "it is poison") }
  ///     return delivery.payload
  ///   }
  /// for await result in results.values { print(result) }
  /// print(dead.counts.waiting)
  /// // Prints "water", "1" on two lines.
  /// ```
  ///
  /// It works as `deadLetter(after:to:)` with a closure. The payload, the subject and the headers are kept. If the
  /// queue is full, the delivery waits for room, and its deadline runs meanwhile: make the queue large enough.
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Traps:** as there.
  ///
  /// **Concurrency:** a task for each delivery that is set aside waits for room in the queue.
  ///
  /// - Parameters:
  ///   - count: How often a delivery may be tried.
  ///   - queue: The queue to which the other deliveries are published.
  /// - Returns: A publisher of the other deliveries.
  @inlinable
  public consuming func deadLetter(
    after count: Int, to queue: DeliveryQueue<Output.Payload>
  ) -> Publishers.Lifted<Output, Failure> {
    deadLetter(after: count) { delivery in
      try await queue.publish(delivery.payload, subject: delivery.subject, headers: delivery.headers)
    }
  }
}

/// The stage that lets deliveries pass unless they have been tried too often.
@usableFromInline
internal final class DeadLetterStage<Input: Delivery, Failure: Error>: ManagedStage {
  @usableFromInline internal typealias Output = Input
  @usableFromInline internal typealias Channel = PassingChannel<Failure>

  @usableFromInline internal let count: Int
  @usableFromInline internal let store: @Sendable (Input) async throws -> Void
  @usableFromInline internal weak var link: ManagedSubscription?

  @inlinable
  internal init(_ count: Int, _ store: @escaping @Sendable (Input) async throws -> Void) {
    self.count = count
    self.store = store
  }

  @inlinable
  internal static var name: String { "DeadLetter" }

  @inlinable
  internal func begin(at link: ManagedSubscription) { self.link = link }

  @inlinable
  internal func receive(_ input: Input) -> Verdict<Input, Failure> {
    let limit = limit(for: input)
    if input.attempt <= limit { return .emit(input) }
    setAside(input, beyond: limit)
    return .absorb
  }

  /// Returns how often a delivery may be tried: one that its broker delivers for the last time has to be set aside.
  @inlinable
  internal func limit(for delivery: Input) -> Int {
    guard let most = delivery.maxAttempts else { return count }
    require(
      most >= 2, of: "deadLetter(after:)",
      rule: "deliveries that their broker repeats, so a limit of at least two there",
      given: "a delivery with a limit of \(most)")
    return min(count, most - 1)
  }

  /// Stores a delivery, and then requests another one in its place.
  @usableFromInline
  internal func setAside(_ delivery: Input, beyond limit: Int) {
    let place = DeadLetterPlace(link: link)
    Task { [store] in
      var disposition = DeliveryDisposition.terminate
      do {
        try await store(delivery)
      } catch {
        disposition = .backoff(after: error, attempt: delivery.attempt - limit)
      }
      // If this is refused, the delivery comes again, and to this place.
      try? await delivery.settle(disposition)
      place.link?.request(.max(1))
    }
  }
}
