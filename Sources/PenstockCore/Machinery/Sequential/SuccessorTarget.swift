// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A publisher that follows in an operator of the sequential shape, and needs no subscription.
///
/// Its values are delivered like those of an upstream, of which the operator waits for the end.
@usableFromInline
internal protocol SuccessorTarget: UnsettledTarget where Answer == Void, Input == Rule.Output {
  associatedtype Rule: SequentialRule

  var subscription: SequentialSubscriber<Rule> { get }

  /// Handles the completion, as that of an upstream.
  func end(_ completion: Subscribers.Completion<Failure>)
}

extension SuccessorTarget {
  @inlinable @inline(__always)
  internal var _isReady: Bool { subscription.acceptsAll && isUnobserved }

  @inlinable @inline(__always)
  internal static var _takesElements: Bool { true }

  /// A closure that leaves elements out may cancel, and is not to be called for further ones.
  @inlinable @inline(__always)
  internal static var _takesOutputs: Bool { false }

  @inlinable
  internal func _receive(only value: Input) {
    guard subscription.beginHandingOver() else { return }
    deliver(value)
    end(.finished)
  }

  @inlinable
  internal func _receive<Elements: Sequence>(
    _ elements: Elements, ending: @autoclosure () -> Subscribers.Completion<Failure>
  ) where Elements.Element == Input {
    guard subscription.beginHandingOver() else { return }
    var iterator = elements.makeIterator()
    while !subscription.ledger.isClosed, let value = iterator.next() { deliver(value) }
    if !subscription.ledger.isClosed { end(ending()) }
  }

  @inlinable
  internal func _receive(completion: Subscribers.Completion<Failure>) {
    guard subscription.beginHandingOver() else { return }
    end(completion)
  }

  /// Delivers a value; what is requested in return is less than what has been requested.
  @inlinable @inline(__always)
  internal func deliver(_ value: Input) {
    // What has made the value may have cancelled.
    if subscription.ledger.isClosed { return }
    subscription.rule.willDeliver()
    _ = subscription.deliver(value: value)
  }
}

/// A publisher that follows in `append` and `prepend`.
@usableFromInline
internal struct SequentialPartTarget<Rule: SequentialRule>: SuccessorTarget {
  @usableFromInline internal typealias Input = Rule.Output
  @usableFromInline internal typealias Failure = Rule.Upstream

  @usableFromInline internal let subscription: SequentialSubscriber<Rule>

  @inlinable
  internal init(_ subscription: SequentialSubscriber<Rule>) { self.subscription = subscription }

  @inlinable @inline(never)
  internal func _subscribe<P: Publisher>(to publisher: P) where P.Output == Input, P.Failure == Failure {
    publisher._subscribe(inTurn: SequentialPart(subscription))
  }

  @inlinable
  internal func end(_ completion: Subscribers.Completion<Failure>) { subscription.follow(completion) }
}

/// A publisher that replaces one that has failed, in `catch`.
@usableFromInline
internal struct ReplacementTarget<Rule: ReplacementRule>: SuccessorTarget {
  @usableFromInline internal typealias Input = Rule.Output
  @usableFromInline internal typealias Failure = Rule.Channel.Upstream

  @usableFromInline internal let subscription: SequentialSubscriber<Rule>

  @inlinable
  internal init(_ subscription: SequentialSubscriber<Rule>) { self.subscription = subscription }

  @inlinable @inline(never)
  internal func _subscribe<P: Publisher>(to publisher: P) where P.Output == Input, P.Failure == Failure {
    publisher.subscribe(ReplacementSubscriber(subscription))
  }

  @inlinable
  internal func end(_ completion: Subscribers.Completion<Failure>) {
    guard subscription.detach() != nil else { return }
    subscription.finish(completion.mapError(Rule.Channel.forward))
  }
}
