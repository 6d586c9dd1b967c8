// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

/// A source that answers later as the engine knows it.
@frozen
@usableFromInline
internal struct LiftedCallback<Work: CallbackStage>: PenstockCore.CallbackStage {
  @usableFromInline internal typealias Output = Work.Output
  @usableFromInline internal typealias Failure = Work.Failure

  @usableFromInline internal var work: Work

  @inlinable
  internal init(_ work: consuming Work) { self.work = work }

  @inlinable
  internal static var name: String { Work.name }

  @inlinable
  internal mutating func request(
    _ demand: Subscribers.Demand, _ answer: @escaping (CallbackAnswer<Output, Failure>) -> Void
  ) {
    work.request(demand, Callback(answer))
  }

  @inlinable
  internal mutating func cancel() { work.cancel() }
}

/// The publisher of `source`, for a stage that answers later.
@usableFromInline
internal struct CallbackPublisher<Work: CallbackStage>: PortedPublisher {
  @usableFromInline internal typealias Output = Work.Output
  @usableFromInline internal typealias Failure = Work.Failure

  @usableFromInline internal let makeStage: () -> Work

  @inlinable
  internal init(_ makeStage: @escaping () -> Work) { self.makeStage = makeStage }

  @_alwaysEmitIntoClient @inline(__always)
  internal func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    CallbackSubscription(LiftedCallback(makeStage()), to: subscriber).start()
  }
}
