// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

/// A queued stage as the engine knows it.
@frozen
@usableFromInline
internal struct LiftedQueued<Work: QueuedStage>: PenstockCore.QueuedStage {
  @usableFromInline internal typealias Input = Work.Input
  @usableFromInline internal typealias Output = Work.Output
  @usableFromInline internal typealias Channel = ReplacingChannel<Work.UpstreamFailure, Work.Failure>

  @usableFromInline internal let work: Work

  @inlinable
  internal init(_ work: Work) { self.work = work }

  @inlinable
  internal static var name: String { Work.name }

  @inlinable
  internal static var failureWaits: Bool { Work.failureWaits }

  @inlinable
  internal static var isExpanding: Bool { true }

  @inlinable
  internal var demand: PenstockCore.QueuedDemand {
    switch work.demand {
    case .same: .same
    case .unlimited: .unlimited
    case .whileUnmet: .whileUnmet
    }
  }

  @inlinable
  internal func receive(_ input: Input) -> PenstockCore.Verdict<Output, Work.Failure> {
    var outputs = PenstockCore.Outputs<Output>()
    return receive(input, into: &outputs)
  }

  @inlinable @inline(__always)
  internal func receive(
    _ input: Input, into outputs: inout PenstockCore.Outputs<Output>
  ) -> PenstockCore.Verdict<Output, Work.Failure> {
    Outputs.with(&outputs) { work.receive(input, into: &$0) }.forEngine
  }

  @inlinable
  internal func finish(
    _ completion: Subscribers.Completion<Work.UpstreamFailure>, into outputs: inout PenstockCore.Outputs<Output>
  ) -> Subscribers.Completion<Work.Failure> {
    Outputs.with(&outputs) { work.finish(completion, into: &$0) }
  }
}
