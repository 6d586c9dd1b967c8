// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

/// A transparent stage as the engine knows it.
@frozen
@usableFromInline
internal struct LiftedTransparent<Work: TransparentStage, Failure: Error>: Stage {
  @usableFromInline internal typealias Input = Work.Input
  @usableFromInline internal typealias Output = Work.Output
  @usableFromInline internal typealias Channel = PassingChannel<Failure>

  @usableFromInline internal let work: Work

  @inlinable
  internal init(_ work: Work) { self.work = work }

  @inlinable
  internal static var name: String { Work.name }

  @inlinable @inline(__always)
  internal func receive(_ input: Input) -> PenstockCore.Verdict<Output, Failure> {
    work.receive(input).map { .emit($0) } ?? .skip
  }
}
