// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Rule {
  /// The rules whose breaks cause a break of this one.
  ///
  /// If one of them is broken, too, it is shown first, and this one after it. They do not decide whether something
  /// fails.
  var prerequisites: [Rule] {
    if Self.gates.contains(self) { return gates }
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
    .oneEndOfMany: [.deliveriesDoNotOverlap], .cancelIdempotent: [.copesWithEarlyEnd],
    .resubscribesInLoop: [.copesWithEarlyEnd], .survivesUpstream: [.copesWithEarlyEnd, .survivesSubscriber],
    .independentSubscriptions: [.pausesWithoutEnd, .keepsUnrequested, .endBehindValues],
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
    .freedAfterCompletion: [.freedAfterCancel, .replaysToLate, .toleratesComingAndGoing],
    // A stream that acts after the end needs its subscriber for it.
    .freedAtOnce: [
      .freedAfterCancel, .freedAfterCompletion, .silenceAfterCompletion, .silenceAfterCancel, .cancelInHandshake,
      .requestAfterEnd, .stopsRogueSignals, .cancelSuppressesScheduled,
    ],
    .refusesSecondSubscription: [.cancelReachesUpstream], .pausesWithoutEnd: [.answersOncePerValue],
    .deliveriesDoNotOverlap: [.valuesWithinDemand, .silenceAfterCancel, .silenceAfterCompletion],
    .cancelAtAnyInstant: [.silenceAfterCancel],
    .laterValuesWithinDemand: [.valuesWithinDemand],
    .endBehindValues: [.failureAtOnce],
    .stopsRogueSignals: [.refusesSecondSubscription],
    // Work that is left on the scheduler keeps its subscriber alive.
    .noCycle: [.nothingPending],
    .orderAcrossScheduler: [.silenceAfterCompletion],
    .switchCarriesDemand: [.replacesSwallowed],
    // An object that calls back as it is freed calls after a cancel.
    .releasesOutsideLocks: [.cancelIdempotent, .requestAfterEnd],
  ]

  /// The rules that are about a break of this one in one situation: a break of this one seen elsewhere is shown after
  /// theirs.
  var particular: [Rule] { Self.particular[self] ?? [] }

  private static let particular: [Rule: [Rule]] = [
    .oneSubscription: [.oneSubscriptionDownstream],
    .valuesWithinDemand: [.nestedRequestsCounted, .demandPerSubscriber, .laterValuesWithinDemand],
    .silenceAfterCancel: [.cancelInHandshake, .requestAfterEnd, .cancelSuppressesScheduled, .cancelAtAnyInstant],
    .deliveriesDoNotOverlap: [.oneEndOfMany],
    .silenceAfterCompletion: [.oneEndOfMany, .stopsRogueSignals, .orderAcrossScheduler],
  ]

  /// The rules whose checks look for a particular crash or hang: a stop in any other check counts under one of
  /// ``ofAnyStop``.
  static let ofStops: [Rule] =
    all.filter { $0.detection.contains(.childProcess) && $0 != .requestNone && $0 != .saysFailure }
    + [
      .returnsPromptly, .subscribesPromptly, .receivesPromptly, .answersOncePerValue, .noLockWhileCalling,
      .cancelAtAnyInstant,
    ]

  /// The rules under which an unexpected stop counts.
  static let ofAnyStop: [Rule] = [
    .survivesSubscriber, .survivesUpstream, .subscribesPromptly, .returnsPromptly, .receivesPromptly,
  ]

  /// Returns the rule that is broken by a stop in the check of this one.
  ///
  /// - Parameter call: The call that was under way.
  func broken(by stop: Outcome.Stop, in call: String) -> Rule {
    // The rules about hangs are not about a crash.
    let isOwn = Self.ofStops.contains(self) && (stop == .hang || !Self.gates.contains(self))
    if isOwn || [.schedulerContract, .saysFailure].contains(self) { return self }
    let isOfUpstream = Self.ofSubscribers.contains(self) || call.hasPrefix("receive(_") || call.hasPrefix("receive(c")
    switch stop {
    case .crash: return isOfUpstream ? .survivesUpstream : .survivesSubscriber
    case .hang:
      if isOfUpstream { return .receivesPromptly }
      return call == "receive(subscriber:)" ? .subscribesPromptly : .returnsPromptly
    }
  }

  /// The rules that are checked first: if the subject hangs there, this check would hang as well, and is not run.
  var gates: [Rule] {
    if Self.gates.contains(self) { return Array(Self.gates.prefix { $0 != self }) }
    return Self.gates + (Self.nested.contains(self) ? [.callableInside] : [])
  }

  static let gates: [Rule] = [.receivesPromptly, .subscribesPromptly, .returnsPromptly]

  /// The rules whose checks call from inside a callback.
  private static let nested: Set<Rule> = [
    .bothRoadsCount, .orderKept, .readyBeforeSubscription, .flatStack, .nestedRequestsCounted, .silenceAfterCancel,
    .cancelInHandshake, .keepsUnrequested, .demandSaturates, .toleratesComingAndGoing,
    .releasesOutsideLocks, .deliveriesDoNotOverlap, .cancelAtAnyInstant, .noLockWhileCalling, .requestsLoseNothing,
  ]
}
