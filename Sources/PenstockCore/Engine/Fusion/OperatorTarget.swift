// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A target upstream of an operator: if its upstream hands nothing over, the operator itself is subscribed to.
///
/// So a chain is compiled once, however far it was asked.
@usableFromInline
internal protocol OperatorTarget: _FusionTarget where Answer == Target.Answer {
  associatedtype Target: _FusionTarget
  associatedtype Operator: Publisher where Operator.Output == Target.Input, Operator.Failure == Target.Failure

  /// The operator, by address, since copies of it and of what is upstream of it would count references.
  var publisher: UnsafePointer<Operator> { get }

  /// The operator's own target.
  var target: Target { get }
}

extension OperatorTarget {
  @inlinable @inline(__always)
  internal var _isReady: Bool { target._isReady }

  // An operator with state takes what is handed over as a sequence only.

  @_alwaysEmitIntoClient @inline(__always)
  internal func _receive(only value: Input) -> Target.Answer { target._subscribe(to: publisher.pointee) }

  @_alwaysEmitIntoClient @inline(__always)
  internal func _receive(completion: Subscribers.Completion<Failure>) -> Target.Answer {
    target._subscribe(to: publisher.pointee)
  }

  @inlinable @inline(__always)
  internal func _subscribe<P: Publisher>(to publisher: P) -> Target.Answer
  where P.Output == Input, P.Failure == Failure {
    target._subscribe(to: self.publisher.pointee)
  }
}
