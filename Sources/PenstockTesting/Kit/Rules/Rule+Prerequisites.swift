// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Rule {
  /// The rules without which a break of this one says nothing: where one of them is broken, too, that is the finding, and
  /// this rule is inconclusive.
  var prerequisites: [Rule] {
    let first: [Rule] = self == .oneSubscription ? [] : [.oneSubscription, .subscriptionFirst].filter { $0 != self }
    let ofOperator: [Rule] = Self.ofOperators.contains(self) && self != .subscribesOnce ? [.subscribesOnce] : []
    return first + ofOperator + (Self.further[self] ?? []) + gates
  }

  private static let further: [Rule: [Rule]] = [
    .bothRoadsCount: [
      .answersOncePerValue, .valuesWithinDemand, .keepsUnrequested, .pausesWithoutEnd, .orderKept,
    ],
    .noLockWhileCalling: [.cancelAtAnyInstant, .silenceAfterCompletion],
    .requestsLoseNothing: [.bothRoadsCount, .deliveriesDoNotOverlap, .orderKept], .joinsWithoutGap: [.replaysToLate],
    .subjectIsAtomic: [.deliveriesDoNotOverlap, .toleratesComingAndGoing], .ignoresSendsAfterEnd: [.replaysToLate],
    .oneEndOfMany: [.deliveriesDoNotOverlap],
    .cancelIdempotent: [.copesWithEarlyEnd],
    .resubscribesInLoop: [.copesWithEarlyEnd],
    .independentSubscriptions: [.pausesWithoutEnd],
    .readyBeforeSubscription: [.keepsUnrequested],
    .demandPerSubscriber: [.valuesWithinDemand],
    .orderKept: [.valuesWithinDemand],
    .endsWithoutDemand: [.valuesWithinDemand],
    .callableInside: [.silenceAfterCompletion, .answersOncePerValue], .keepsUnrequested: [.endBehindValues],
    .flatStack: [.nestedRequestsCounted],
    .nestedRequestsCounted: [.valuesWithinDemand],
    .cancelInHandshake: [.silenceAfterCancel],
    .requestAfterEnd: [.silenceAfterCancel, .silenceAfterCompletion],
    .silenceAfterCancel: [.silenceAfterCompletion, .cancelSuppressesScheduled],
    .demandSaturates: [.bothRoadsCount, .keepsUnrequested, .pausesWithoutEnd, .orderAcrossScheduler],
    .freedAfterCompletion: [.freedAfterCancel],
    // Who acts after the end needs its subscriber for it.
    .freedAtOnce: [
      .freedAfterCancel, .freedAfterCompletion, .silenceAfterCompletion, .silenceAfterCancel, .cancelInHandshake,
      .requestAfterEnd, .stopsRogueSignals, .cancelSuppressesScheduled,
    ],
    .refusesSecondSubscription: [.cancelReachesUpstream], .pausesWithoutEnd: [.answersOncePerValue],
    .deliveriesDoNotOverlap: [.valuesWithinDemand], .cancelAtAnyInstant: [.silenceAfterCancel],
    .laterValuesWithinDemand: [.valuesWithinDemand],
    .endBehindValues: [.failureAtOnce],
    .stopsRogueSignals: [.refusesSecondSubscription],
    // Work that is left on the scheduler keeps what it works for.
    .noCycle: [.nothingPending],
    .orderAcrossScheduler: [.silenceAfterCompletion],
    .switchCarriesDemand: [.replacesSwallowed],
    // Who calls back as it is freed calls after a cancel.
    .releasesOutsideLocks: [.cancelIdempotent, .requestAfterEnd],
  ]

  /// The rules whose breaks crash or hang.
  static let ofStops: [Rule] =
    all.filter { $0.detection.contains(.childProcess) && $0 != .requestNone && $0 != .saysFailure }
    + [
      .returnsPromptly, .subscribesPromptly, .receivesPromptly, .answersOncePerValue, .noLockWhileCalling,
      .cancelAtAnyInstant,
    ]

  /// The rules whose break would let this check hang as well: they are looked at before, so that the check need not run.
  var gates: [Rule] {
    if Self.ofSubscribers.contains(self) { return self == .receivesPromptly ? [] : [.receivesPromptly] }
    if self == .subscribesPromptly || Self.ofOperators.contains(self) { return [] }
    if self == .returnsPromptly { return [.subscribesPromptly] }
    return [.subscribesPromptly, .returnsPromptly] + (Self.nested.contains(self) ? [.callableInside] : [])
  }

  /// The rules whose checks call from inside a callback.
  private static let nested: Set<Rule> = [
    .bothRoadsCount, .orderKept, .readyBeforeSubscription, .flatStack, .nestedRequestsCounted, .silenceAfterCancel,
    .cancelInHandshake, .keepsUnrequested, .demandSaturates, .toleratesComingAndGoing,
    .releasesOutsideLocks, .deliveriesDoNotOverlap, .cancelAtAnyInstant, .noLockWhileCalling, .requestsLoseNothing,
  ]
}
