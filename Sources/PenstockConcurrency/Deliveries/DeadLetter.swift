// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension Publisher where Output: Delivery {
  /// Republishes deliveries, and sets those aside that have been tried too often.
  ///
  /// ```swift
  /// let queue = DeliveryQueue<String>(capacity: 10)
  /// for word in ["poison", "water"] { try await queue.publish(word) }
  /// queue.finish()
  /// let results = queue.deliveries()
  ///   .deadLetter(after: 3) { delivery in print("set aside:", delivery.payload) }
  ///   .acknowledged { delivery in
  ///     if delivery.payload == "poison" { throw DeliveryError(.refused, "it is poison") }
  ///     return delivery.payload
  ///   }
  /// for await result in results.values { print(result) }
  /// // Prints "water", "set aside: poison" on two lines.
  /// ```
  ///
  /// A message that can't be processed would be given back and delivered for ever. The closure stores it where somebody will
  /// look, and when it has returned, the delivery is terminated. If the closure throws, the delivery is given back, and
  /// comes to the closure again.
  ///
  /// **Demand:** passed on; for a delivery that has been set aside another one is requested, when the closure is done with it.
  /// So no more are being set aside than have been requested.
  ///
  /// **Completion:** and **Failure:** passed on; what is being set aside then is brought to its end. So is it after a cancel.
  ///
  /// **Concurrency:** the closure runs in a task of its own for each delivery, off every actor unless it is isolated.
  ///
  /// **Traps:** a count below one.
  ///
  /// - Parameters:
  ///   - count: How often a delivery may be tried.
  ///   - store: A closure that stores a delivery somewhere else.
  /// - Returns: A publisher of the other deliveries.
  @inlinable
  public consuming func deadLetter(
    after count: Int, to store: @escaping @Sendable (_ delivery: Output) async throws -> Void
  ) -> Publishers.Lifted<Output, Failure> {
    if count < 1 {
      trap(.unfitArgument(of: "deadLetter(after:)", rule: "a count of at least one", given: "\(count)"))
    }
    return lift { DeadLetterStage<Output, Failure>(count, store) }
  }
}

/// Lets deliveries pass that have not been tried too often.
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
    if input.attempt <= count { return .emit(input) }
    setAside(input)
    return .absorb
  }

  /// Stores a delivery, and then requests another one in its place.
  @usableFromInline
  internal func setAside(_ delivery: Input) {
    let place = DeadLetterPlace(link: link)
    Task { [store] in
      var disposition = DeliveryDisposition.terminate
      do { try await store(delivery) } catch { disposition = .nak() }
      await Settling.apply(disposition, to: CollectionOfOne(delivery))
      place.link?.request(.max(1))
    }
  }
}
