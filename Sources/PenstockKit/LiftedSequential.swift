// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

/// A rule as the engine knows it.
@frozen
@usableFromInline
internal struct LiftedSequential<Rule: SequentialRule>: PenstockCore.SequentialRule {
  @usableFromInline internal typealias Output = Rule.Output
  @usableFromInline internal typealias Upstream = Rule.Next.Failure
  @usableFromInline internal typealias Downstream = Rule.Failure
  @usableFromInline internal typealias Next = Rule.Next

  @usableFromInline internal let rule: Rule

  @inlinable
  internal init(_ rule: Rule) { self.rule = rule }

  @inlinable
  internal static var name: String { Rule.name }

  @inlinable
  internal static var traits: SequentialTraits {
    SequentialTraits(trapsUnrequested: true, isEndless: true, acceptsZeroDemand: false)
  }

  @inlinable
  internal func willDeliver() { rule.willDeliver() }

  @inlinable
  internal func next(
    after completion: Subscribers.Completion<Upstream>, number: UInt
  ) -> PenstockCore.SequentialStep<Next, Downstream> {
    switch rule.next(after: completion, number: Int(clamping: number)) {
    case .finish(let completion): .finish(completion)
    case .start(let next): .start(with: next)
    }
  }
}

/// The publisher of `followed`.
@usableFromInline
internal struct FollowedPublisher<Upstream: Publisher, Rule: SequentialRule>: PortedPublisher
where Rule.Output == Upstream.Output, Rule.Next.Failure == Upstream.Failure {
  @usableFromInline internal typealias Output = Upstream.Output
  @usableFromInline internal typealias Failure = Rule.Failure

  @usableFromInline internal let upstream: Upstream
  @usableFromInline internal let makeRule: () -> Rule

  @inlinable
  internal init(upstream: Upstream, makeRule: @escaping () -> Rule) {
    self.upstream = upstream
    self.makeRule = makeRule
  }

  @_alwaysEmitIntoClient @inline(__always)
  internal func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
    SequentialSubscriber(LiftedSequential(makeRule()), to: subscriber).begin(with: upstream, upstreamOf: S.self)
  }
}
