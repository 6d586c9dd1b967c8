// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

/// The publisher that works for a delivery, and settles it at its end.
@usableFromInline
internal struct SettlingPublisher<Work: Publisher, Value: Delivery>: Publisher {
  @usableFromInline internal typealias Output = Work.Output
  @usableFromInline internal typealias Failure = Never

  @usableFromInline internal let settling: Settling
  @usableFromInline internal let delivery: Value
  @usableFromInline internal let work: Work
  @usableFromInline internal let onFailure: @Sendable (Work.Failure, Value) -> DeliveryDisposition

  @inlinable
  internal init(
    settling: Settling, delivery: Value, work: Work,
    onFailure: @escaping @Sendable (Work.Failure, Value) -> DeliveryDisposition
  ) {
    self.settling = settling
    self.delivery = delivery
    self.work = work
    self.onFailure = onFailure
  }

  @_alwaysEmitIntoClient
  internal func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Never {
    let extensions = settling.extensions(of: delivery)
    work
      .handleEvents(
        receiveCompletion: { _ in extensions?.cancel() },
        receiveCancel: { [delivery] in
          extensions?.cancel()
          Settling.giveBack(delivery)
        }
      )
      .append(settled(.ack).setFailureType(to: Work.Failure.self))
      .catch { [self] error in settled(onFailure(error, delivery)) }
      .subscribe(subscriber)
  }

  /// Publishes nothing, and finishes when the delivery is settled.
  @usableFromInline
  internal func settled(_ disposition: DeliveryDisposition) -> AnyPublisher<Output, Never> {
    Deferred { [delivery] () async -> Bool in await Settling.apply(disposition, to: CollectionOfOne(delivery)) }
      .ignoreOutput()
      .map { (nothing: Never) -> Output in }
      .eraseToAnyPublisher()
  }
}

extension Settling {
  /// Starts to extend the deadline of a delivery.
  @usableFromInline
  internal func extensions(of delivery: some Delivery) -> Task<Void, Never>? {
    interval(for: CollectionOfOne(delivery)).map { interval in
      Task { await extend(CollectionOfOne(delivery), every: interval) }
    }
  }

  /// Gives back a delivery whose work has been cancelled.
  @usableFromInline
  internal static func giveBack(_ delivery: some Delivery) {
    Task { await Self.apply(.nak(), to: CollectionOfOne(delivery)) }
  }
}
