// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension ManagedOperator {
  @inlinable @inline(__always)
  public static var _offer: _Offer {
    // A throwing stage that takes late values would be called by a subject when its closure has thrown.
    let admitsSubjects = Work.Channel.Thrown.self == Never.self || Work.rules.lateValue != .pass
    if Upstream._offer == .chain, admitsSubjects { return .chain }
    return Upstream._offer == .elements ? .elements : .nothing
  }

  @_alwaysEmitIntoClient @inline(__always)
  public func _fuse<Target: _FusionTarget>(into target: Target) -> Target.Answer
  where Target.Input == Output, Target.Failure == Failure {
    if Self._offer == .nothing || !Target._traits.endsInSink { return target._subscribe(to: self) }
    return _withUnprotectedUnsafePointer(to: self) { upstream._fuse(into: ManagedTarget($0, target)) }
  }
}

/// A target upstream of an operator of the managed shape, which resides together with its subscriber, or takes the elements of
/// a sequence.
///
/// Nobody else has access to the operator, and everything has been requested. So it needs neither a subscription of its own
/// nor demand, and its source's subscription knows whether the stream is over.
@usableFromInline
internal struct ManagedTarget<Operator: ManagedOperator, Target: _FusionTarget>: OperatorTarget
where Operator.Output == Target.Input, Operator.Failure == Target.Failure {
  @usableFromInline internal typealias Input = Operator.Upstream.Output
  @usableFromInline internal typealias Failure = Operator.Upstream.Failure
  @usableFromInline internal typealias Work = Operator.Work
  @usableFromInline internal typealias Resident = ManagedResident<Work, Target.Resident>

  @usableFromInline internal let publisher: UnsafePointer<Operator>
  @usableFromInline internal let target: Target

  @_alwaysEmitIntoClient
  internal init(_ publisher: UnsafePointer<Operator>, _ target: Target) {
    self.publisher = publisher
    self.target = target
  }

  @_alwaysEmitIntoClient @inline(__always)
  internal static var _traits: _FusionTraits {
    let traits = Target._traits
    return _FusionTraits(
      takesElements: traits.takesOutputs, takesOutputs: traits.takesOutputs, endsInSink: traits.endsInSink,
      endsItself: true)
  }

  @_alwaysEmitIntoClient @inline(__always)
  internal func _receive<Elements: Sequence, Ending: _Ending>(_ elements: Elements, ending: Ending) -> Target.Answer
  where Elements.Element == Input, Ending.Failure == Failure {
    let stage = publisher.pointee.makeStage()
    let ending = StagedEnding(ending, stage)
    guard Work.endsItself else { return target._receive(StagedSequence(elements, stage), ending: ending) }
    var end: Subscribers.Completion<Target.Failure>?
    return withUnsafeMutablePointer(to: &end) { end in
      target._receive(ManagedOutputs(elements, stage, end: end), ending: OwnEnding(end, or: ending))
    }
  }

  @_alwaysEmitIntoClient @inline(__always)
  internal var _resides: Bool { target._resides }

  @inlinable @inline(__always)
  internal __consuming func _makeResident(in subscription: Unmanaged<_CancellableObject>) -> Resident {
    // Only a subject keeps a subscriber that may end its own stream.
    ManagedResident(
      publisher.pointee.makeStage(), to: target._makeResident(in: subscription),
      in: .fromOpaque(subscription.toOpaque()))
  }

  @_alwaysEmitIntoClient @inline(__always)
  internal static func _answer(_ subscription: __owned some Subscription & AnyObject) -> Target.Answer {
    Target._answer(subscription)
  }
}

/// An operator of the managed shape that is kept in a subject's subscription, together with its downstream.
///
/// The stage's rules do not matter, since they are about publishers that break the rules of Combine.
@usableFromInline
internal struct ManagedResident<Work: ManagedStage, Downstream: Subscriber>: Subscriber
where Work.Output == Downstream.Input, Work.Channel.Downstream == Downstream.Failure {
  @usableFromInline internal typealias Input = Work.Input
  @usableFromInline internal typealias Failure = Work.Channel.Upstream

  @usableFromInline internal let stage: Work
  @usableFromInline internal let downstream: Downstream
  /// The subscription that keeps this subscriber.
  @usableFromInline internal let member: Unmanaged<FanOutMember>

  @inlinable @inline(__always)
  internal init(_ stage: Work, to downstream: Downstream, in member: Unmanaged<FanOutMember>) {
    self.stage = stage
    self.downstream = downstream
    self.member = member
  }

  @usableFromInline
  internal var combineIdentifier: CombineIdentifier { CombineIdentifier() }

  @usableFromInline
  internal func receive(subscription: any Subscription) { subscription.request(.unlimited) }

  // The answers are `.none` throughout, since everything has been requested.

  @_alwaysEmitIntoClient @inline(__always)
  internal func receive(_ input: Work.Input) -> Subscribers.Demand {
    // A closure between the source and here may have ended the stream, or cancelled it.
    if member._withUnsafeGuaranteedRef({ $0.closing != .none }), Work.rules.lateValue != .pass { return .none }
    do throws(Work.Channel.Thrown) {
      switch try stage.receive(input) {
      case .emit(let output):
        _ = downstream.receive(output)
      case .skip, .absorb:
        break
      case .finish:
        end(.finished)
      case .emitAndFinish(let output):
        _ = downstream.receive(output)
        end(.finished)
      case .fail(let failure):
        end(.failure(failure))
      }
    } catch {
      end(.failure(Work.Channel.raise(error)))
    }
    return .none
  }

  /// Ends the stream where the stage has decided so: once, and so in a function of its own.
  @inlinable @inline(never)
  internal func end(_ completion: Subscribers.Completion<Downstream.Failure>) {
    if member._withUnsafeGuaranteedRef({ $0.leave() }) { downstream.receive(completion: completion) }
  }

  @_alwaysEmitIntoClient @inline(never)
  internal func receive(completion: Subscribers.Completion<Work.Channel.Upstream>) {
    downstream.receive(completion: stage.receive(completion: completion))
  }
}

extension ManagedResident: LinkSubscriber {}
