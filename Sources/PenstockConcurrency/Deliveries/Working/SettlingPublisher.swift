// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore
public import PenstockOperators
internal import Synchronization

/// The publisher that does the work for a delivery, and settles the delivery at its end.
@usableFromInline
internal struct SettlingPublisher<Work: Publisher, Value: Delivery>: Publisher {
  @usableFromInline internal typealias Output = Work.Output
  @usableFromInline internal typealias Failure = Never

  @usableFromInline internal let settling: Settling<Value>
  @usableFromInline internal let keeper: DeadlineKeeper
  @usableFromInline internal let leaving: Leaving
  @usableFromInline internal let delivery: Value
  @usableFromInline internal let work: Work
  @usableFromInline internal let onFailure: @Sendable (Work.Failure, Value) -> DeliveryDisposition

  @inlinable
  internal init(
    settling: Settling<Value>, keeper: DeadlineKeeper, leaving: Leaving, delivery: Value, work: Work,
    onFailure: @escaping @Sendable (Work.Failure, Value) -> DeliveryDisposition
  ) {
    self.settling = settling
    self.keeper = keeper
    self.leaving = leaving
    self.delivery = delivery
    self.work = work
    self.onFailure = onFailure
  }

  @_alwaysEmitIntoClient
  internal func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Never {
    let course = DeliveryCourse(WorkCourse(CollectionOfOne(delivery), settling, keeper), leaving)
    work
      .held(by: WorkHold(course.end))
      .handleEvents(receiveCompletion: { _ in course.complete() })
      // When another consumer has the delivery, the work is cancelled, and its end settles nothing.
      .prefix(untilOutputFrom: course.loss)
      // Called after a cancel has reached the work, which must not run here while another consumer has the delivery.
      .finally { course.end() }
      .append(course.settled(.ack))
      .catch { [onFailure, delivery] error in course.settled(onFailure(error, delivery)) }
      .subscribe(subscriber)
  }
}

/// The work of a publisher for one delivery, which ends once.
@usableFromInline
internal final class DeliveryCourse<Value: Delivery>: Sendable {
  private let course: WorkCourse<CollectionOfOne<Value>>
  private let leaving: Leaving
  private let isComplete = AtomicCell(false)
  /// Publishes when another consumer has the delivery.
  @usableFromInline internal let loss = Future<Void, Never>()

  @usableFromInline
  internal init(_ course: WorkCourse<CollectionOfOne<Value>>, _ leaving: Leaving) {
    (self.course, self.leaving) = (course, leaving)
    course.begin()
    course.onLoss { [weak self] in
      self?.complete()
      self?.loss.fulfill(.success(()))
    }
  }

  /// Records that the work has ended on its own: the delivery is settled elsewhere.
  @usableFromInline
  internal func complete() { isComplete.store(true, ordering: .relaxed) }

  /// Ends the work; a delivery whose work was cut off is given back.
  @usableFromInline
  internal func end() {
    course.end()
    if isComplete.exchange(true, ordering: .relaxed) { return }
    leaving.after { [course] in Task { await course.settle(.nak()) } }
  }

  /// Returns a publisher without values that finishes when the delivery is settled.
  @usableFromInline
  internal func settled<Output, Failure: Error>(_ disposition: DeliveryDisposition) -> AnyPublisher<Output, Failure> {
    Deferred { [course] () async -> Bool in await course.settle(disposition) }
      .ignoreOutput()
      .map { (nothing: Never) -> Output in }
      .setFailureType(to: Failure.self)
      .eraseToAnyPublisher()
  }
}
