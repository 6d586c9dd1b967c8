// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Rule {
  /// The events that a check of this rule has to have met before it may say that the rule holds: one of each group.
  var needs: [[Tally.Event]] { Self.needs[self] ?? [] }

  /// What a check has not met, in words; `nil` if it has met everything that the rule is about.
  func missing(in tally: Tally) -> String? {
    needs.first { group in group.allSatisfy { tally[$0] == 0 } }?.map(\.rawValue).joined(separator: ", no ")
  }

  private static let (ends, signals): ([Tally.Event], [Tally.Event]) = (
    [.completions, .failures], [.values, .completions, .failures]
  )

  private static let needs: [Rule: [[Tally.Event]]] = [
    .oneSubscription: [[.subscriptions], signals], .subscriptionFirst: [[.subscriptions], signals],
    .valuesWithinDemand: [[.values]], .bothRoadsCount: [[.values]], .keepsUnrequested: [[.values]],
    .silenceAfterCompletion: [ends], .endsWithoutDemand: [ends], .pausesWithoutEnd: [[.values]],
    .saysFailure: [[.failures]], .independentSubscriptions: [[.values]],
    .readyBeforeSubscription: [[.requestsInSubscription], [.cancelsInSubscription], signals],
    .demandPerSubscriber: [[.values]], .orderKept: [[.values]], .subscribesPromptly: [[.subscriptions]],
    .survivesSubscriber: [[.requests], [.cancels]],

    .callableInside: [[.requestsInSubscription], [.cancelsInSubscription], [.requestsInValues], [.cancelsInValues]],
    .flatStack: [[.requestsInValues]], .nestedRequestsCounted: [[.requestsInValues]],
    .silenceAfterCancel: [[.cancelsInValues]], .cancelInHandshake: [[.cancelsInSubscription]],
    .cancelIdempotent: [[.cancels]], .requestAfterEnd: [[.requestsAfterEnd]], .demandSaturates: [[.values]],
    .returnsPromptly: [[.requests], [.cancels]], .identityPerSubscription: [[.subscriptions]],

    .asksForSomething: [[.fed]], .copesWithEarlyEnd: [[.upstreamEnds]], .dropsSubscription: [[.upstreamEnds]],
    .cancelsWhenDone: [[.fed]], .survivesValueAfterCancel: [[.fed]], .receivesPromptly: [[.fed]],
    .survivesUpstream: [[.upstreamEnds]],

    .subscribesOnce: [[.subscriptions]], .oneSubscriptionDownstream: [[.upstreamEnds]],
    .asksUpstreamForNoMore: [[.requests]], .replacesSwallowed: [[.fed]], .cancelReachesUpstream: [[.cancels]],
    .failureAtOnce: [[.upstreamEnds]], .endBehindValues: [[.upstreamEnds]], .dropsBufferOnCancel: [[.fed]],
    .laterValuesWithinDemand: [[.fed], [.values]], .childLimit: [[.innerStreams]], .answersOncePerValue: [[.values]],
    .transparentChangesNothing: [[.values]],

    .replaysToLate: [[.subscriptions]], .ignoresSendsAfterEnd: [ends], .joinsWithoutGap: [[.values]],
    .toleratesComingAndGoing: [[.values], [.cancelsInValues]], .slowDelaysNobody: [[.values]],

    .noDrift: [[.values]], .ticksWithoutDemand: [[.values]],

    .freedAfterCancel: [[.freed]], .freedAfterCompletion: [[.freed]], .freedAtOnce: [[.freed]], .noCycle: [[.freed]],
    .releasesOutsideLocks: [[.freed]],

    .deliveriesDoNotOverlap: [[.heldCalls], [.values]], .cancelAtAnyInstant: [[.heldCalls]],
    .requestsLoseNothing: [[.values]], .oneEndOfMany: [ends], .noLockWhileCalling: [[.heldCalls]],
    .subjectIsAtomic: [[.values]],
  ]
}
