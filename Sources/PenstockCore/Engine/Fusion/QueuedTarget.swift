// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension QueuedOperator {
  @inlinable @inline(__always)
  public static var _offer: _Offer { Upstream._offer == .elements ? .elements : .nothing }

  @_alwaysEmitIntoClient @inline(__always)
  public func _fuse<Target: _FusionTarget>(into target: Target) -> Target.Answer
  where Target.Input == Output, Target.Failure == Failure {
    if Self._offer == .nothing || !Target._traits.endsInSink { return target._subscribe(to: self) }
    return _withUnprotectedUnsafePointer(to: self) { upstream._fuse(into: QueuedTarget($0, target)) }
  }
}

/// A target upstream of an operator of the queued shape, which takes the elements of a sequence.
@usableFromInline
internal struct QueuedTarget<Operator: QueuedOperator, Target: _FusionTarget>: UnsettledTarget, OperatorTarget
where Operator.Output == Target.Input, Operator.Failure == Target.Failure {
  @usableFromInline internal typealias Input = Operator.Upstream.Output
  @usableFromInline internal typealias Failure = Operator.Upstream.Failure

  @usableFromInline internal let publisher: UnsafePointer<Operator>
  @usableFromInline internal let target: Target

  @_alwaysEmitIntoClient
  internal init(_ publisher: UnsafePointer<Operator>, _ target: Target) {
    self.publisher = publisher
    self.target = target
  }

  @_alwaysEmitIntoClient @inline(__always)
  internal static var _traits: _FusionTraits {
    let takesOutputs = Target._traits.takesOutputs
    return _FusionTraits(takesElements: takesOutputs, takesOutputs: takesOutputs, endsInSink: true, endsItself: true)
  }

  @_alwaysEmitIntoClient @inline(__always)
  internal func _receive<Elements: Sequence, Ending: _Ending>(_ elements: Elements, ending: Ending) -> Target.Answer
  where Elements.Element == Input, Ending.Failure == Failure {
    let stage = publisher.pointee.makeStage()
    stage.demand.check()
    var end: QueuedEnd<Operator.Work>?
    return withUnsafeMutablePointer(to: &end) { end in
      target._receive(QueuedOutputs(elements, ending, stage, end: end), ending: QueuedEnding(end))
    }
  }
}
