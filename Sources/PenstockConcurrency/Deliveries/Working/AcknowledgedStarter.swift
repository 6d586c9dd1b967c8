// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The part of `acknowledged` with an asynchronous closure that works on a delivery, or on a batch, and settles it.
///
/// An error that the work throws is not a failure of the stream.
@usableFromInline
internal struct AcknowledgedStarter<
  Input, Deliveries: Collection & Sendable, Product: Sendable, Failure: Error
>: TaskStarter where Deliveries.Element: Delivery {
  @usableFromInline internal typealias Output = Product?

  @usableFromInline internal let settling: Settling<Deliveries.Element>
  /// One for each subscriber.
  @usableFromInline internal let keeper: DeadlineKeeper
  /// Returns the deliveries in a value of upstream.
  @usableFromInline internal let deliveries: (Input) -> Deliveries
  @usableFromInline internal let onFailure: @Sendable (any Error, Deliveries) -> DeliveryDisposition
  @usableFromInline internal let work: @Sendable (Deliveries) async throws -> Product

  @inlinable
  internal init(
    _ settling: Settling<Deliveries.Element>, deliveries: @escaping (Input) -> Deliveries,
    onFailure: @escaping @Sendable (any Error, Deliveries) -> DeliveryDisposition,
    work: @escaping @Sendable (Deliveries) async throws -> Product
  ) {
    self.settling = settling
    keeper = settling.makeKeeper()
    self.deliveries = deliveries
    self.onFailure = onFailure
    self.work = work
  }

  @inlinable
  internal static var name: String { "Acknowledged" }

  @inlinable
  internal func start(
    _ input: Input, _ end: @escaping @Sendable (Result<Output, Failure>) -> Void
  ) -> Task<Void, Never> {
    let deliveries = deliveries(input)
    let course = WorkCourse(deliveries, settling, keeper)
    let task = Task { [onFailure, work] in
      end(.success(await course.run({ onFailure($0, deliveries) }) { try await work(deliveries) }))
    }
    course.onLoss { task.cancel() }
    return task
  }
}
