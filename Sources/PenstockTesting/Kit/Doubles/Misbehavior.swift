// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A way to break one rule of streams, for a ``MisbehavingPublisher``.
public enum Misbehavior: String, CaseIterable, Sendable {
  /// Delivers without a subscription.
  case noSubscription
  /// Hands over a second subscription.
  case secondSubscription
  /// Delivers the first value before the subscription.
  case earlyValue
  /// Delivers everything at the first request, whatever it asks for.
  case overflows
  /// Throws away the demand that the subscriber returns.
  case ignoresReturnedDemand
  /// A request replaces what is left of the one before.
  case replacesDemand
  /// Drops the first values when nothing has been requested by the end of the subscription.
  case dropsUnrequested
  /// Completes once more at each later request.
  case endsTwice
  /// Delivers a value after the completion.
  case valueAfterCompletion
  /// Looks for its end only at a request.
  case endNeedsDemand
  /// Finishes when the demand is used up.
  case endsWithDemand
  /// Falls silent instead of sending its failure.
  case swallowsFailure
  /// Keeps its place in the publisher, for all subscribers.
  case sharesPlace
  /// Does nothing for a request inside `receive(subscription:)`.
  case startsLate
  /// Counts the demand of all subscribers together.
  case sharesDemand
  /// Exchanges the next two values at a request inside a delivery.
  case overtakes
  /// Holds a lock that is not recursive while it delivers.
  case locksWhileDelivering
  /// Delivers at once in a request inside a delivery.
  case recurses
  /// Takes a value from the demand after it has been delivered.
  case countsLate
  /// Continues to deliver after a cancel inside a delivery.
  case ignoresCancel
  /// Sends `.finished` to a subscriber that cancels.
  case finishesOnCancel
  /// Completes although it was cancelled in `receive(subscription:)`.
  case endsAfterEarlyCancel
  /// Stops the process at a second cancel.
  case trapsAtSecondCancel
  /// Serves a request after a cancel.
  case servesAfterCancel
  /// Counts unlimited demand down, as a great number.
  case countsUnlimited
  /// Takes a request for nothing as the signal to deliver one value.
  case startsAtNone
  /// Changes its identifier.
  case changesIdentity
  /// Keeps its subscribers forever.
  case keepsSubscribers
  /// Releases a subscriber only with its subscription.
  case releasesLate
  /// Serves a request of another thread while it delivers.
  case overlaps

  /// The rule that it breaks.
  public var rule: Rule {
    switch self {
    case .noSubscription, .secondSubscription: .oneSubscription
    case .earlyValue: .subscriptionFirst
    case .overflows: .valuesWithinDemand
    case .ignoresReturnedDemand, .replacesDemand: .bothRoadsCount
    case .dropsUnrequested: .keepsUnrequested
    case .endsTwice, .valueAfterCompletion: .silenceAfterCompletion
    case .endNeedsDemand: .endsWithoutDemand
    case .endsWithDemand: .pausesWithoutEnd
    case .swallowsFailure: .saysFailure
    case .sharesPlace: .independentSubscriptions
    case .startsLate: .readyBeforeSubscription
    case .sharesDemand: .demandPerSubscriber
    case .overtakes: .orderKept
    case .locksWhileDelivering: .callableInside
    case .recurses: .flatStack
    case .countsLate: .nestedRequestsCounted
    case .ignoresCancel, .finishesOnCancel: .silenceAfterCancel
    case .endsAfterEarlyCancel: .cancelInHandshake
    case .trapsAtSecondCancel: .cancelIdempotent
    case .servesAfterCancel: .requestAfterEnd
    case .countsUnlimited: .demandSaturates
    case .startsAtNone: .requestNone
    case .changesIdentity: .identityPerSubscription
    case .keepsSubscribers: .freedAfterCancel
    case .releasesLate: .freedAtOnce
    case .overlaps: .deliveriesDoNotOverlap
    }
  }
}
