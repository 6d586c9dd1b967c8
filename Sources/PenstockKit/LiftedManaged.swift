// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

/// A managed stage as the engine knows it.
@frozen
@usableFromInline
internal struct LiftedManaged<Work: ManagedStage>: PenstockCore.ManagedStage {
  @usableFromInline internal typealias Input = Work.Input
  @usableFromInline internal typealias Output = Work.Output
  @usableFromInline internal typealias Channel = ReplacingChannel<Work.UpstreamFailure, Work.Failure>

  @usableFromInline internal let work: Work

  @inlinable
  internal init(_ work: Work) { self.work = work }

  @inlinable
  internal static var name: String { Work.name }

  @inlinable @inline(__always)
  internal func receive(_ input: Input) -> PenstockCore.Verdict<Output, Work.Failure> { work.receive(input).forEngine }

  @inlinable
  internal func receive(
    completion: Subscribers.Completion<Work.UpstreamFailure>
  ) -> Subscribers.Completion<Work.Failure> { work.receive(completion: completion) }
}
