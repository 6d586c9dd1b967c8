// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension Publisher where Output: Delivery {
  /// Republishes deliveries, and extends their deadlines until they are settled or released.
  ///
  /// `acknowledged` extends the deliveries that it works on. A delivery that waits before it, in a batch that is not
  /// full or in a buffer, would come again when its deadline has passed, and be worked on twice. This operator extends
  /// such deliveries as well.
  ///
  /// ```swift
  /// let queue = DeliveryQueue<Int>(capacity: 100, deadline: .seconds(30))
  /// for row in 1...4 { try await queue.publish(row) }
  /// queue.finish()
  /// let inserted = queue.deliveries().extendingDeadlines()
  ///   .collect(2)
  ///   .acknowledged { rows in rows.map(\.payload) }
  /// for await rows in inserted.values { print(rows) }
  /// // Prints "[1, 2]", "[3, 4]" on two lines.
  /// ```
  ///
  /// Put it directly after the publisher of the deliveries. Deliveries that the publisher has read ahead have not
  /// arrived here yet, and are not extended.
  ///
  /// A delivery that is dropped without being settled is not extended any more once nothing refers to it, and comes
  /// again after its deadline. So code that keeps a delivery for ever without settling it keeps it from other
  /// consumers.
  ///
  /// **Demand:**, **Completion:** and **Failure:** passed on. Deliveries that have been delivered are extended after
  /// the end, too.
  ///
  /// **Concurrency:** passed on; `onRefusal` is called in any task. One alarm serves all deliveries of a subscriber.
  ///
  /// **Traps:** an interval of zero or less.
  ///
  /// - Parameters:
  ///   - interval: How long after each extension the next one follows; `nil` for half of the delivery's deadline.
  ///   - clock: The clock of the interval.
  ///   - onRefusal: A closure that is called when a delivery could not be extended.
  /// - Returns: A publisher of deliveries that are extended.
  @inlinable
  public consuming func extendingDeadlines(
    every interval: Duration? = nil, clock: any Clock<Duration> = ContinuousClock(),
    onRefusal: @escaping @Sendable (_ error: DeliveryError, _ delivery: Output) -> Void = { _, _ in }
  ) -> Publishers.Lifted<ExtendedDelivery<Output>, Failure> {
    let settling = Settling(interval: interval, of: "extendingDeadlines(every:)", clock: clock, onRefusal: onRefusal)
    let deliveries = self
    return Publishers.Lifted(
      Deferred {
        let keeper = settling.makeKeeper()
        return deliveries.map { ExtendedDelivery($0, settling, keeper) }
      })
  }
}

/// A delivery whose deadline is extended until it is settled: see `extendingDeadlines(every:clock:onRefusal:)`.
public struct ExtendedDelivery<Base: Delivery>: Delivery {
  /// The delivery.
  public let base: Base
  private let lease: Lease<Base>

  @usableFromInline
  internal init(_ base: Base, _ settling: Settling<Base>, _ keeper: DeadlineKeeper) {
    self.base = base
    lease = Lease(base, settling, keeper)
  }

  public var payload: Base.Payload { base.payload }
  public var subject: String { base.subject }
  public var headers: [String: String] { base.headers }
  public var messageID: String? { base.messageID }
  public var attempt: Int { base.attempt }
  public var maxAttempts: Int? { base.maxAttempts }
  public var age: Duration { base.age }
  public var deadline: Duration? { base.deadline }

  public func ack() async throws(DeliveryError) { try await settle(.ack) }

  public func nak(after delay: Duration?) async throws(DeliveryError) { try await settle(.nak(after: delay)) }

  public func giveBack() async throws(DeliveryError) { try await settle(nil) }

  public func extend() async throws(DeliveryError) { try await base.extend() }

  public func terminate() async throws(DeliveryError) { try await settle(.terminate) }

  private func settle(_ disposition: DeliveryDisposition?) async throws(DeliveryError) {
    // Ended first: an extension that arrives after the settlement would be refused.
    lease.end()
    try await base.settle(disposition)
  }
}

/// Extends a delivery as long as something refers to it.
private final class Lease<Base: Delivery>: Sendable {
  private let course: WorkCourse<CollectionOfOne<Base>>

  init(_ delivery: Base, _ settling: Settling<Base>, _ keeper: DeadlineKeeper) {
    course = WorkCourse(CollectionOfOne(delivery), settling, keeper)
    course.begin()
  }

  deinit { course.end() }

  func end() { course.end() }
}
