// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension TransparentOperator {
  @inlinable @inline(__always)
  public static var _offer: _Offer { Upstream._offer }

  @_alwaysEmitIntoClient @inline(__always)
  public func _fuse<Target: _FusionTarget>(into target: Target) -> Target.Answer
  where Target.Input == Output, Target.Failure == Failure {
    if Upstream._offer == .nothing { return target._subscribe(to: self) }
    return _withUnprotectedUnsafePointer(to: self) { upstream._fuse(into: TransparentTarget(stage, of: $0, target)) }
  }
}

/// A target upstream of an operator of the transparent shape, whose stage runs before a value is handed over.
@usableFromInline
internal struct TransparentTarget<Work: Stage, Operator: Publisher, Target: _FusionTarget>: OperatorTarget
where
  Work.Channel.Thrown == Never, Work.Output == Target.Input, Work.Channel.Downstream == Target.Failure,
  Operator.Output == Target.Input, Operator.Failure == Target.Failure
{
  @usableFromInline internal typealias Input = Work.Input
  @usableFromInline internal typealias Failure = Work.Channel.Upstream
  @usableFromInline internal typealias Resident = TransparentSubscriber<Work, Target.Resident>

  @usableFromInline internal let stage: Work
  @usableFromInline internal let publisher: UnsafePointer<Operator>
  @usableFromInline internal let target: Target

  @inlinable
  internal init(_ stage: Work, of publisher: UnsafePointer<Operator>, _ target: Target) {
    self.stage = stage
    self.publisher = publisher
    self.target = target
  }

  @_alwaysEmitIntoClient @inline(__always)
  internal static var _traits: _FusionTraits {
    let traits = Target._traits
    // The target takes outputs.
    return _FusionTraits(
      resolvesPublishers: traits.resolvesPublishers, takesElements: traits.takesOutputs,
      takesOutputs: traits.takesOutputs, endsInSink: traits.endsInSink, endsItself: traits.endsItself)
  }

  @_alwaysEmitIntoClient @inline(__always)
  internal func _receive(only value: Input) -> Target.Answer {
    if case .emit(let output) = stage.receive(value) { return target._receive(only: output) }
    return _receive(completion: .finished)
  }

  @_alwaysEmitIntoClient @inline(__always)
  internal func _receive<Elements: Sequence, Ending: _Ending>(_ elements: Elements, ending: Ending) -> Target.Answer
  where Elements.Element == Input, Ending.Failure == Failure {
    target._receive(StagedSequence(elements, stage), ending: StagedEnding(ending, stage))
  }

  @_alwaysEmitIntoClient @inline(__always)
  internal func _receive(completion: Subscribers.Completion<Failure>) -> Target.Answer {
    target._receive(completion: stage.receive(completion: completion))
  }

  @_alwaysEmitIntoClient @inline(__always)
  internal var _resides: Bool { target._resides }

  @inlinable @inline(__always)
  internal __consuming func _makeResident(in subscription: Unmanaged<_CancellableObject>) -> Resident {
    TransparentSubscriber(stage, to: target._makeResident(in: subscription))
  }

  @_alwaysEmitIntoClient @inline(__always)
  internal static func _answer(_ subscription: __owned some Subscription & AnyObject) -> Target.Answer {
    Target._answer(subscription)
  }

  @_alwaysEmitIntoClient @inline(__always)
  internal func _subscribe<P: Publisher>(resolved publisher: P) -> Target.Answer
  where P.Output == Input, P.Failure == Failure {
    target._subscribe(resolved: TransparentPublisher(upstream: publisher, stage: stage))
  }
}

/// The outputs of a stage that does not end its stream for the elements of a sequence.
@usableFromInline
internal struct StagedSequence<Base: Sequence, Work: Stage>: Sequence, IteratorProtocol
where Work.Input == Base.Element {
  @usableFromInline internal var base: Base.Iterator
  @usableFromInline internal let stage: Work

  @inlinable
  internal init(_ base: Base, _ stage: Work) {
    self.base = base.makeIterator()
    self.stage = stage
  }

  @_alwaysEmitIntoClient @inline(__always)
  internal mutating func next() -> Work.Output? {
    while let element = base.next() {
      do throws(Work.Channel.Thrown) {
        if case .emit(let output) = try stage.receive(element) { return output }
      } catch {
        trap(.brokenInvariant("a stage that does not end its stream has thrown"))
      }
    }
    return nil
  }
}

/// The completion that a stage makes of the one that follows the elements of a sequence.
@usableFromInline
internal struct StagedEnding<Base: _Ending, Work: Stage>: _Ending where Work.Channel.Upstream == Base.Failure {
  @usableFromInline internal let base: Base
  @usableFromInline internal let stage: Work

  @_alwaysEmitIntoClient
  internal init(_ base: Base, _ stage: Work) {
    self.base = base
    self.stage = stage
  }

  @_alwaysEmitIntoClient @inline(__always)
  internal var _completion: Subscribers.Completion<Work.Channel.Downstream> {
    stage.receive(completion: base._completion)
  }
}

/// A publisher to which a stage is applied.
@usableFromInline
package struct TransparentPublisher<Upstream: Publisher, Work: Stage>: TransparentOperator
where Work.Channel.Thrown == Never, Work.Input == Upstream.Output, Work.Channel.Upstream == Upstream.Failure {
  @usableFromInline package typealias Output = Work.Output
  @usableFromInline package typealias Failure = Work.Channel.Downstream

  @usableFromInline internal let upstream: Upstream
  @usableFromInline internal let stage: Work

  @_alwaysEmitIntoClient
  package init(upstream: Upstream, stage: Work) {
    self.upstream = upstream
    self.stage = stage
  }

  @_alwaysEmitIntoClient @inline(__always)
  package func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
    attach(subscriber)
  }
}
