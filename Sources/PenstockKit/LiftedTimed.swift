// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

/// A timed stage as the engine knows it: a steered one, whose signals are the deadlines that have come.
@usableFromInline
internal struct LiftedTimed<Work: TimedStage>: PenstockCore.SteeredStage {
  @usableFromInline internal typealias Input = Work.Input
  @usableFromInline internal typealias Output = Work.Output
  @usableFromInline internal typealias Failure = Work.Failure
  @usableFromInline internal typealias Signal = Work.Context.SchedulerTimeType
  @usableFromInline internal typealias SignalFailure = Never

  /// `nil` when the stream is over, so that what the stage keeps is freed then.
  @usableFromInline internal var work: Work?
  @usableFromInline internal let deadlines: Deadlines<Work.Context>
  /// The stage's deadline, as it was last read.
  @usableFromInline internal var deadline: Signal?
  /// Whether the stage has been called for that deadline.
  @usableFromInline internal var hasCome = false

  @inlinable
  internal init(_ work: Work) {
    deadline = work.deadline
    deadlines = Deadlines(work.scheduler, first: deadline)
    self.work = work
  }

  @inlinable
  internal static var name: String { Work.name }

  @inlinable
  internal static var rules: SteeredRules { Work.demand.rules }

  @inlinable @inline(__always)
  internal mutating func receive(_ input: Input) -> PenstockCore.Verdict<Output, Failure> {
    guard let verdict = work?.receive(input).forEngine else { return .absorb }
    follow()
    return verdict
  }

  @inlinable
  internal mutating func receive(signal due: Signal) -> PenstockCore.Verdict<Output, Failure> {
    // A value may have moved the deadline while the alarm went off.
    guard let deadline, !hasCome, deadline <= due else { return .absorb }
    hasCome = true
    guard let verdict = work?.receive(deadline: deadline).forEngine else { return .absorb }
    follow()
    return verdict
  }

  @inlinable
  internal func receive(signalCompletion: Subscribers.Completion<Never>) -> PenstockCore.Verdict<Output, Failure> {
    .absorb
  }

  /// Sets the timer to the stage's deadline, if that has changed.
  @inlinable
  internal mutating func follow() {
    let wanted = work?.deadline
    if wanted == deadline { return }
    deadline = wanted
    hasCome = false
    deadlines.set(wanted)
  }

  @inlinable
  internal mutating func takeRest() -> Output? { work?.takeRest() }

  @inlinable
  internal static func join(_ output: Output, to kept: inout Output) { Work.joining?(&kept, output) }

  @inlinable
  internal mutating func discard() { dispose(of: displace(&work, with: nil)) }
}

/// The publisher of `scheduled`, for a timed stage.
@usableFromInline
internal struct TimedPublisher<Upstream: Publisher, Work: TimedStage>: PortedPublisher
where Work.Input == Upstream.Output, Work.Failure == Upstream.Failure {
  @usableFromInline internal typealias Output = Work.Output
  @usableFromInline internal typealias Failure = Work.Failure

  @usableFromInline internal let upstream: Upstream
  @usableFromInline internal let makeStage: () -> Work

  @inlinable
  internal init(upstream: Upstream, makeStage: @escaping () -> Work) {
    self.upstream = upstream
    self.makeStage = makeStage
  }

  @_alwaysEmitIntoClient @inline(__always)
  internal func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
    let stage = LiftedTimed(makeStage())
    let deliveries = ReceiveOnStage<Output, Failure, Work.Context>(stage.deadlines.timer.scheduler, nil)
    upstream.steer(
      by: stage.deadlines, stage, to: ScheduledSubscriber(deliveries, name: Work.name, to: subscriber))
  }
}
