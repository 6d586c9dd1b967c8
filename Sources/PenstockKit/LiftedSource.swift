// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

/// A source's stage as the engine knows it.
@frozen
@usableFromInline
internal struct LiftedSource<Work: SourceStage>: PenstockCore.SourceStage {
  @usableFromInline internal typealias Output = Work.Output
  @usableFromInline internal typealias Failure = Work.Failure

  @usableFromInline internal var work: Work

  @inlinable
  internal init(_ work: consuming Work) { self.work = work }

  @inlinable
  internal static var isQuiet: Bool { Work.isQuiet }

  @inlinable @inline(__always)
  internal mutating func next() -> Output? { work.next() }

  @inlinable
  internal var isExhausted: Bool { work.isExhausted }

  @inlinable
  internal var ending: Subscribers.Completion<Failure> { work.ending }
}

/// The publisher of `source`.
@usableFromInline
internal struct SourcePublisher<Work: SourceStage>: Publisher {
  @usableFromInline internal typealias Output = Work.Output
  @usableFromInline internal typealias Failure = Work.Failure

  @usableFromInline internal let makeStage: () -> Work

  @inlinable
  internal init(_ makeStage: @escaping () -> Work) { self.makeStage = makeStage }

  @_alwaysEmitIntoClient @inline(__always)
  internal func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    let stage = makeStage()
    if stage.isExhausted { return attachNothing(ending: stage.ending, to: subscriber) }
    attachSource(LiftedSource(stage), name: Work.name, to: subscriber)
  }
}
