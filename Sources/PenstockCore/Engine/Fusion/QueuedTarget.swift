// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension QueuedOperator {
  @inlinable @inline(__always)
  public static var _offer: _Offer { Upstream._offer == .elements && !Work.isExpanding ? .elements : .nothing }

  @_alwaysEmitIntoClient @inline(__always)
  public func _fuse<Target: _FusionTarget>(into target: Target) -> Target.Answer
  where Target.Input == Output, Target.Failure == Failure {
    if Self._offer == .nothing || !Target._traits.endsInSink { return target._subscribe(to: self) }
    return _withUnprotectedUnsafePointer(to: self) { upstream._fuse(into: QueuedTarget($0, target)) }
  }
}

/// A target upstream of an operator of the queued shape, which takes the elements of a sequence.
@usableFromInline
internal struct QueuedTarget<Operator: QueuedOperator, Target: _FusionTarget>: UnsettledTarget
where Operator.Output == Target.Input, Operator.Failure == Target.Failure {
  @usableFromInline internal typealias Input = Operator.Work.Input
  @usableFromInline internal typealias Failure = Operator.Work.Channel.Upstream
  @usableFromInline internal typealias Answer = Target.Answer

  /// The operator itself, by address; see ``TransparentTarget``.
  @usableFromInline internal let publisher: UnsafePointer<Operator>
  @usableFromInline internal let target: Target

  @inlinable
  internal init(_ publisher: UnsafePointer<Operator>, _ target: Target) {
    self.publisher = publisher
    self.target = target
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
  internal func _receive(only value: Input) -> Answer { target._subscribe(to: publisher.pointee) }

  @inlinable @inline(__always)
  internal func _receive<Elements: Sequence>(
    _ elements: Elements, ending: @autoclosure () -> Subscribers.Completion<Failure>
  ) -> Answer where Elements.Element == Input {
    let stage = publisher.pointee.makeStage()
    stage.demand.check()
    var end: Subscribers.Completion<Target.Failure>?
    return withUnsafeMutablePointer(to: &end) { end in
      withoutActuallyEscaping(ending) { ending in
        target._receive(
          QueuedOutputs(elements, stage, ending: ending, end: end), ending: end.pointee.unsafelyUnwrapped)
      }
    }
  }

  @inlinable @inline(__always)
  internal func _receive(completion: Subscribers.Completion<Failure>) -> Answer {
    target._subscribe(to: publisher.pointee)
  }

  @inlinable @inline(__always)
  internal func _subscribe<P: Publisher>(to publisher: P) -> Answer where P.Output == Input, P.Failure == Failure {
    target._subscribe(to: self.publisher.pointee)
  }
}
