// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Rule {
  /// What a subscriber owes its publisher.
  public static let ofSubscribers: [Rule] = [
    asksForSomething, refusesSecondSubscription, copesWithEarlyEnd, dropsSubscription, cancelsWhenDone,
    survivesValueAfterCancel, callsDoNotOverlap, receivesPromptly, survivesUpstream,
  ]

  static let asksForSomething = Rule(
    "R-01", .error, [.deterministic], "Values are asked for, and never .none of them",
    cause: "A remainder of zero is requested, or nothing is requested at all.")
  static let refusesSecondSubscription = Rule(
    "R-02", .error, [.deterministic], "A second subscription is cancelled, and the first one kept",
    cause: "receive(subscription:) overwrites the stored subscription.")
  static let copesWithEarlyEnd = Rule(
    "R-03", .error, [.deterministic, .childProcess], "A completion straight after the subscription is no problem",
    cause: "A value is expected to have come before the completion.")
  static let dropsSubscription = Rule(
    "R-04", .warning, [.deterministic, .weakReference], "After the completion the subscription is dropped, not called",
    cause: "The stored subscription is not set to nil in receive(completion:).")
  static let cancelsWhenDone = Rule(
    "R-05", .error, [.deterministic], "Who has enough cancels",
    cause: "Further values are ignored instead, and the source works on.")
  static let survivesValueAfterCancel = Rule(
    "R-06", .error, [.deterministic, .childProcess],
    "A value that is under way when the subscriber cancels is no problem",
    cause: "State that cancel has cleared is unwrapped by force.")
  static let callsDoNotOverlap = Rule(
    "R-07", .warning, [.stress], "Calls of one subscription do not overlap",
    cause: "Two threads request by a counter that neither of them locks.")
  static let receivesPromptly = Rule(
    "R-08", .warning, [.deterministic], "receive(_:) returns promptly",
    cause: "It waits for something else inside the callback.")
  static let survivesUpstream = Rule(
    "R-09", .fatal, [.deterministic, .childProcess], "No call of an upstream stops the process",
    cause: "A value or a completion is taken to be impossible.")

  /// What an operator owes, beyond what it owes as a publisher downstream and as a subscriber upstream.
  public static let ofOperators: [Rule] = [
    subscribesOnce, oneSubscriptionDownstream, asksUpstreamForNoMore, replacesSwallowed, cancelReachesUpstream,
    earlyEndCancelsUpstream, failureAtOnce, endBehindValues, dropsBufferOnCancel, laterValuesWithinDemand,
    resubscribesInLoop, switchCarriesDemand, throwingCancelsUpstream, stopsRogueSignals, childLimit,
    answersOncePerValue,
    transparentChangesNothing,
  ]

  static let subscribesOnce = Rule(
    "O-01", .error, [.deterministic], "One subscription upstream for one downstream",
    cause: "Upstream is subscribed to in init and in receive(subscriber:), or once too often when trying again.")
  static let oneSubscriptionDownstream = Rule(
    "O-02", .error, [.deterministic], "Downstream gets one subscription, also when upstream is subscribed to again",
    cause: "The subscription of the second upstream is passed on.")
  static let asksUpstreamForNoMore = Rule(
    "O-03", .error, [.deterministic], "Upstream is asked for no more than downstream asks, and the documented prefetch",
    cause: "The operator requests unlimited values whatever downstream requests, and drops or keeps them.")
  static let replacesSwallowed = Rule(
    "O-04", .error, [.deterministic], "A swallowed value is replaced in demand",
    cause: "receive(_:) returns .none for a value that does not reach downstream: the stream stalls.")
  static let cancelReachesUpstream = Rule(
    "O-05", .error, [.deterministic], "A cancel reaches every live upstream, once",
    cause: "cancel() does not forward, or forgets an inner stream.")
  static let earlyEndCancelsUpstream = Rule(
    "O-06", .error, [.deterministic], "Finishing early cancels upstream",
    cause: "The completion is sent downstream, and upstream is left running.")
  static let failureAtOnce = Rule(
    "O-07", .warning, [.deterministic], "A failure is forwarded at once, without demand",
    cause: "The failure waits behind values that nobody requests.")
  static let endBehindValues = Rule(
    "O-08", .error, [.deterministic], "The completion does not overtake accepted values",
    cause: "What is kept for want of demand is cleared when upstream completes.")
  static let dropsBufferOnCancel = Rule(
    "O-09", .error, [.deterministic, .weakReference], "Kept values are released when the subscriber cancels",
    cause: "The buffer, or the latest value, is kept until the operator itself goes.")
  static let laterValuesWithinDemand = Rule(
    "O-10", .fatal, [.deterministic, .virtualTime], "Values released later are taken from the demand of that moment",
    cause: "A timer or a gate forwards on its tick, whatever is requested.")
  static let resubscribesInLoop = Rule(
    "O-11", .fatal, [.deterministic, .childProcess], "Subscribing again loops, it does not recurse",
    cause: "Upstream is subscribed to inside receive(completion:), one level deeper each time.")
  static let switchCarriesDemand = Rule(
    "O-12", .error, [.deterministic], "A new upstream gets the outstanding demand, and the old one is left behind",
    cause: "The demand that the old upstream has not met is forgotten, or its late values are passed on.")
  static let throwingCancelsUpstream = Rule(
    "O-13", .error, [.deterministic], "A closure that throws cancels upstream and fails once",
    cause: "The failure is sent, and upstream continues.")
  static let stopsRogueSignals = Rule(
    "O-14", .warning, [.deterministic, .childProcess], "What upstream sends out of order is not passed on",
    cause: "Each signal is forwarded without a look at what came before.")
  static let childLimit = Rule(
    "O-15", .error, [.deterministic], "No more inner streams at a time than the limit",
    cause: "The next inner stream is subscribed to before the last one has ended.")
  static let answersOncePerValue = Rule(
    "O-16", .fatal, [.deterministic], "Demand returned for a value does not repeat it",
    cause: "Each grant delivers the latest value once more.")
  static let transparentChangesNothing = Rule(
    "O-17", .error, [.deterministic], "An operator that only looks changes neither events nor demand",
    cause: "It makes requests of its own, or answers for downstream.")

  /// What a subject or a shared publisher owes.
  public static let ofSubjects: [Rule] = [
    replaysToLate, ignoresSendsAfterEnd, joinsWithoutGap, toleratesComingAndGoing, slowDelaysNobody, connectsOnce,
  ]

  static let replaysToLate = Rule(
    "J-01", .error, [.deterministic], "A late subscriber gets the subscription, the replay, and the stored completion",
    cause: "The completion is not kept, or forgotten with the last subscriber.")
  static let ignoresSendsAfterEnd = Rule(
    "J-02", .error, [.deterministic], "What is sent after the end is ignored, by the replay as well",
    cause: "send(_:) fills the buffer without a look at the completion.")
  static let joinsWithoutGap = Rule(
    "J-03", .error, [.deterministic, .gated], "Subscribing during a send leaves no gap, and repeats nothing",
    cause: "The replay is read at one moment, and the subscriber joins at another.")
  static let toleratesComingAndGoing = Rule(
    "J-04", .fatal, [.deterministic, .childProcess], "Subscribers may come and go inside a callback",
    cause: "The collection of subscribers is changed while it is gone through.")
  static let slowDelaysNobody = Rule(
    "J-05", .error, [.deterministic], "A subscriber without demand delays no other",
    cause: "One demand, or one queue, serves all subscribers.")
  static let connectsOnce = Rule(
    "J-06", .error, [.deterministic], "Upstream is connected once, and left with the last subscriber as documented",
    cause: "Each subscriber connects, or the last cancel does not disconnect.")
}
