// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// Nested operators of the same kind become parts of the outermost one. So a value passes one operator, however deep the
// nesting; and since the loop of that operator subscribes to all parts, the nesting does not grow the stack.
//
// A publisher that waits for its turn gets its subscriber only when the turn comes: if it kept one, the operator would
// keep itself alive.

extension SequentialPart {
  @_alwaysEmitIntoClient
  package func _join<Prefix: Publisher, Suffix: Publisher>(_ prefix: Prefix, followedBy suffix: Suffix) -> Bool
  where Prefix.Output == Input, Prefix.Failure == Failure, Suffix.Output == Input, Suffix.Failure == Failure {
    subscription.startNext(
      SequentialSubscriber<Rule>.startPart(prefix),
      before: SequentialSubscriber<Rule>.startPart(suffix))
  }
}

extension AnySubscriber {
  /// The subscriber in it may be a part, to which the publishers are added as to an erased one.
  @_alwaysEmitIntoClient
  public func _join<Prefix: Publisher, Suffix: Publisher>(_ prefix: Prefix, followedBy suffix: Suffix) -> Bool
  where Prefix.Output == Input, Prefix.Failure == Failure, Suffix.Output == Input, Suffix.Failure == Failure {
    guard let sequence = erasure.joinableSequence, let erasedMaker = sequence.erasedMaker else { return false }
    return sequence.startNext(
      SequentialSubscription.Start { prefix.subscribe(AnySubscriber(erasure: erasedMaker.perform($0))) },
      before: SequentialSubscription.Start { suffix.subscribe(AnySubscriber(erasure: erasedMaker.perform($0))) })
  }
}

/// A subscriber of an operator that nested operators of the same kind join.
private protocol Joinable {
  var sequence: SequentialSubscription { get }
}

extension SequentialPart: Joinable {
  internal var sequence: SequentialSubscription { subscription }
}

extension ErasedSubscriber {
  /// The operator of which the erased subscriber is a part.
  @usableFromInline
  internal var joinableSequence: SequentialSubscription? { (underlying as? any Joinable)?.sequence }
}
