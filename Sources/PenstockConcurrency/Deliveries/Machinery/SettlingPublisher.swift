// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore
public import PenstockOperators
internal import Synchronization

/// The publisher that works for a delivery, and settles it at its end.
@usableFromInline
internal struct SettlingPublisher<Work: Publisher, Value: Delivery>: Publisher {
  @usableFromInline internal typealias Output = Work.Output
  @usableFromInline internal typealias Failure = Never

  @usableFromInline internal let settling: Settling
  @usableFromInline internal let leaving: Leaving
  @usableFromInline internal let delivery: Value
  @usableFromInline internal let work: Work
  @usableFromInline internal let onFailure: @Sendable (Work.Failure, Value) -> DeliveryDisposition

  @inlinable
  internal init(
    settling: Settling, leaving: Leaving, delivery: Value, work: Work,
    onFailure: @escaping @Sendable (Work.Failure, Value) -> DeliveryDisposition
  ) {
    self.settling = settling
    self.leaving = leaving
    self.delivery = delivery
    self.work = work
    self.onFailure = onFailure
  }

  @_alwaysEmitIntoClient
  internal func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Never {
    let course = DeliveryCourse(delivery, settling, leaving)
    work
      .held(by: WorkHold(course.end))
      .handleEvents(receiveCompletion: { _ in course.complete() })
      // After a cancel has reached the work, which must not run here while somebody else has the delivery.
      .finally { course.end() }
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

/// The work for one delivery by a publisher, which ends once.
@usableFromInline
internal final class DeliveryCourse<Value: Delivery>: Sendable {
  private let delivery: Value
  private let leaving: Leaving
  /// Extends the deadline of the delivery.
  private let extensions: Task<Void, Never>?
  private let isComplete = AtomicCell(false)

  @usableFromInline
  internal init(_ delivery: Value, _ settling: Settling, _ leaving: Leaving) {
    (self.delivery, self.leaving) = (delivery, leaving)
    extensions = settling.interval(for: CollectionOfOne(delivery)).map { interval in
      Task { await settling.extend(CollectionOfOne(delivery), every: interval) }
    }
  }

  /// The work has come to its own end: somebody else settles the delivery.
  @usableFromInline
  internal func complete() { isComplete.store(true, ordering: .relaxed) }

  /// The work runs no more; a delivery whose work was cut off is given back.
  @usableFromInline
  internal func end() {
    extensions?.cancel()
    if isComplete.exchange(true, ordering: .relaxed) { return }
    leaving.after { [delivery] in Task { await Settling.apply(.nak(), to: CollectionOfOne(delivery)) } }
  }
}
