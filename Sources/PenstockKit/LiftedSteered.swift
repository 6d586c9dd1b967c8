// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

/// A steered stage as the engine knows it.
@frozen
@usableFromInline
internal struct LiftedSteered<Work: SteeredStage>: PenstockCore.SteeredStage {
  @usableFromInline internal typealias Input = Work.Input
  @usableFromInline internal typealias Output = Work.Output
  @usableFromInline internal typealias Failure = Work.Failure
  @usableFromInline internal typealias Signal = Work.Signal
  @usableFromInline internal typealias SignalFailure = Work.SignalFailure

  /// `nil` when the stream is over, so that what the stage keeps is freed then.
  @usableFromInline internal var work: Work?

  @inlinable
  internal init(_ work: Work) { self.work = work }

  @inlinable
  internal static var name: String { Work.name }

  @inlinable
  internal static var rules: SteeredRules { Work.demand.rules }

  @inlinable @inline(__always)
  internal mutating func receive(_ input: Input) -> PenstockCore.Verdict<Output, Failure> {
    work?.receive(input).forEngine ?? .absorb
  }

  @inlinable
  internal mutating func receive(signal: Signal) -> PenstockCore.Verdict<Output, Failure> {
    work?.receive(signal: signal).forEngine ?? .absorb
  }

  @inlinable
  internal mutating func receive(
    signalCompletion: Subscribers.Completion<SignalFailure>
  ) -> PenstockCore.Verdict<Output, Failure> {
    work?.receive(signalCompletion: signalCompletion).forEngine ?? .absorb
  }

  @inlinable
  internal mutating func takeRest() -> Output? { work?.takeRest() }

  @inlinable
  internal static func join(_ output: Output, to kept: inout Output) { Work.joining?(&kept, output) }

  @inlinable
  internal mutating func discard() { dispose(of: displace(&work, with: nil)) }
}
