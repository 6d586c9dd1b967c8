// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// How an operator of the sequential shape reacts to signals that break the rules.
///
/// Combine's operators differ here, and users can observe it.
@usableFromInline
package struct SequentialTraits: Sendable {
  /// Whether a request before the subscription, `request(.none)` and a late failure trap, and a cancel before the
  /// subscription is forgotten.
  ///
  /// Otherwise all of them take effect.
  @usableFromInline internal var isStrict: Bool
  /// Whether a value without demand traps; otherwise it is dropped.
  @usableFromInline internal var trapsUnrequested: Bool
  /// Whether no upstream is the last one.
  ///
  /// If so, a completion counts even before its subscription, and demand that downstream returns is requested from
  /// upstream instead of being returned to it.
  @usableFromInline internal var isEndless: Bool
  /// Whether nested operators of the same kind join this one, instead of being its upstreams.
  @usableFromInline internal var isJoined: Bool
  /// Whether `request(.none)` is forwarded, if the operator is not strict; otherwise it traps.
  @usableFromInline internal var acceptsZeroDemand: Bool

  @_alwaysEmitIntoClient
  package init(
    isStrict: Bool = false, trapsUnrequested: Bool = false, isEndless: Bool = false, isJoined: Bool = false,
    acceptsZeroDemand: Bool = true
  ) {
    self.isStrict = isStrict
    self.trapsUnrequested = trapsUnrequested
    self.isEndless = isEndless
    self.isJoined = isJoined
    self.acceptsZeroDemand = acceptsZeroDemand && !isStrict
  }
}

/// The decision after an upstream has completed.
@frozen
@usableFromInline
package enum SequentialStep<Next, Failure: Error> {
  /// The stream completes.
  case finish(Subscribers.Completion<Failure>)
  /// The next of the publishers that the shape was given follows; if there is none, the stream finishes.
  case nextInLine
  /// This publisher follows.
  case start(with: Next)
}

/// The part that is particular to an operator of the sequential shape: which publisher follows the one that has
/// completed.
@usableFromInline
package protocol SequentialRule {
  /// The type of the values.
  associatedtype Output
  /// The type of upstream's failures.
  associatedtype Upstream: Error
  /// The type of the failures that downstream receives.
  associatedtype Downstream: Error
  /// The type of the publisher that may follow.
  associatedtype Next

  /// The text that `print()` prints for the operator.
  static var name: String { get }

  static var traits: SequentialTraits { get }

  /// Called before each value is delivered; does nothing, unless the decision depends on whether a value has been
  /// delivered.
  func willDeliver()

  /// Decides how the stream continues.
  ///
  /// - Parameters:
  ///   - completion: The completion of the current upstream.
  ///   - number: The number of upstreams that have completed, this one included.
  func next(
    after completion: Subscribers.Completion<Upstream>, number: UInt
  ) -> SequentialStep<Next, Downstream>

  /// Subscribes to the publisher that follows.
  ///
  /// The shape implements this for publishers.
  func subscribe(_ subscriber: SequentialSubscriber<Self>, to next: Next)
}

extension SequentialRule {
  @_alwaysEmitIntoClient
  package func willDeliver() {}
}

extension SequentialRule where Next: Publisher, Next.Output == Output, Next.Failure == Upstream {
  @_alwaysEmitIntoClient
  package func subscribe(_ subscriber: SequentialSubscriber<Self>, to next: Next) {
    next.subscribe(subscriber)
  }
}

/// A rule with a last publisher whose failures differ in type from those of upstream.
@usableFromInline
package protocol ReplacementRule: SequentialRule where Next: Publisher, Next.Output == Output {
  /// Converts the failures of the last publisher.
  associatedtype Channel: ForwardingChannel where Channel.Upstream == Next.Failure, Channel.Downstream == Downstream
}

extension ReplacementRule {
  @_alwaysEmitIntoClient
  package func subscribe(_ subscriber: SequentialSubscriber<Self>, to next: Next) {
    next.subscribe(ReplacementSubscriber(subscriber))
  }
}
