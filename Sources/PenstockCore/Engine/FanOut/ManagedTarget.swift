// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Hands over to the target of an operator of the managed shape, if a subject or a sequence is upstream and a `sink`
  /// downstream.
  ///
  /// - Parameters:
  ///   - publisher: The operator, whose upstream this publisher is.
  ///   - target: The operator's target.
  ///   - makeStage: A closure that creates the operator's stage. It captures nothing: it is kept in the target.
  @inlinable @inline(__always)
  internal func fuse<Work: ManagedStage, Operator: Publisher, Target: _FusionTarget>(
    _ publisher: Operator, into target: Target, by makeStage: @escaping (Operator) -> Work
  ) -> Target.Answer
  where
    Work.Input == Output, Work.Channel.Upstream == Failure, Work.Output == Target.Input,
    Work.Channel.Downstream == Target.Failure, Operator.Output == Target.Input, Operator.Failure == Target.Failure
  {
    if !Self._offer.admitsManaged || !Target._traits.endsInSink { return target._subscribe(to: publisher) }
    return _withUnprotectedUnsafePointer(to: publisher) { _fuse(into: ManagedTarget($0, target, makeStage)) }
  }
}

extension ManagedOperator {
  @inlinable @inline(__always)
  public static var _offer: _Offer { Upstream._offer.admitsManaged ? Upstream._offer : .nothing }

  @_alwaysEmitIntoClient @inline(__always)
  public func _fuse<Target: _FusionTarget>(into target: Target) -> Target.Answer
  where Target.Input == Output, Target.Failure == Failure {
    upstream.fuse(self, into: target) { $0.makeStage() }
  }
}

/// A target upstream of an operator of the managed shape, which resides together with its subscriber, or takes the elements of
/// a sequence.
///
/// Nobody else has access to the operator, and everything has been requested. So it needs neither a subscription of its own
/// nor demand, and its source's subscription knows whether the stream is over.
@usableFromInline
internal struct ManagedTarget<Work: ManagedStage, Operator: Publisher, Target: _FusionTarget>: _FusionTarget
where
  Work.Output == Target.Input, Work.Channel.Downstream == Target.Failure, Operator.Output == Target.Input,
  Operator.Failure == Target.Failure
{
  @usableFromInline internal typealias Input = Work.Input
  @usableFromInline internal typealias Failure = Work.Channel.Upstream
  @usableFromInline internal typealias Resident = ManagedResident<Work, Target.Resident>

  /// The operator itself, by address; see ``TransparentTarget``.
  @usableFromInline internal let publisher: UnsafePointer<Operator>
  @usableFromInline internal let target: Target
  @usableFromInline internal let makeStage: (Operator) -> Work

  @inlinable
  internal init(
    _ publisher: UnsafePointer<Operator>, _ target: Target, _ makeStage: @escaping (Operator) -> Work
  ) {
    self.publisher = publisher
    self.target = target
    self.makeStage = makeStage
  }

  @inlinable @inline(__always)
  internal var _isReady: Bool { target._isReady }

  @inlinable @inline(__always)
  internal static var _traits: _FusionTraits {
    let traits = Target._traits
    return _FusionTraits(
      takesElements: traits.takesOutputs, takesOutputs: traits.takesOutputs, endsInSink: traits.endsInSink,
      endsItself: true)
  }

  @inlinable @inline(__always)
  internal func _receive(only value: Input) -> Target.Answer { target._subscribe(to: publisher.pointee) }

  @inlinable @inline(__always)
  internal func _receive<Elements: Sequence, Ending: _Ending>(_ elements: Elements, ending: Ending) -> Target.Answer
  where Elements.Element == Input, Ending.Failure == Failure {
    let stage = makeStage(publisher.pointee)
    let ending = StagedEnding(ending, stage)
    guard Work.endsItself else { return target._receive(StagedSequence(elements, stage), ending: ending) }
    var end: Subscribers.Completion<Target.Failure>?
    return withUnsafeMutablePointer(to: &end) { end in
      target._receive(ManagedOutputs(elements, stage, end: end), ending: OwnEnding(end, or: ending))
    }
  }

  @inlinable @inline(__always)
  internal func _receive(completion: Subscribers.Completion<Failure>) -> Target.Answer {
    target._subscribe(to: publisher.pointee)
  }

  @inlinable @inline(__always)
  internal var _resides: Bool { target._resides }

  @inlinable @inline(__always)
  internal __consuming func _makeResident(in subscription: Unmanaged<_CancellableObject>) -> Resident {
    // Only a subject keeps a subscriber that may end its own stream.
    ManagedResident(
      makeStage(publisher.pointee), to: target._makeResident(in: subscription),
      in: .fromOpaque(subscription.toOpaque()))
  }

  @inlinable @inline(__always)
  internal static func _answer(_ subscription: __owned some Subscription & AnyObject) -> Target.Answer {
    Target._answer(subscription)
  }

  @inlinable @inline(__always)
  internal func _subscribe<P: Publisher>(to publisher: P) -> Target.Answer
  where P.Output == Input, P.Failure == Failure {
    target._subscribe(to: self.publisher.pointee)
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

  @inlinable @inline(__always)
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

  @inlinable @inline(never)
  internal func receive(completion: Subscribers.Completion<Work.Channel.Upstream>) {
    downstream.receive(completion: stage.receive(completion: completion))
  }
}

extension ManagedResident: LinkSubscriber {}
