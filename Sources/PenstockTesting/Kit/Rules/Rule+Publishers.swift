// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Rule {
  /// What a publisher owes its subscribers.
  public static let ofPublishers: [Rule] = [
    oneSubscription, subscriptionFirst, valuesWithinDemand, bothRoadsCount, keepsUnrequested, silenceAfterCompletion,
    endsWithoutDemand, pausesWithoutEnd, saysFailure, independentSubscriptions, readyBeforeSubscription,
    demandPerSubscriber, orderKept, subscribesPromptly, survivesSubscriber,
  ]

  static let oneSubscription = Rule(
    "P-01", .error, [.deterministic], "One subscription, then values, then at most one completion",
    cause: "The publisher calls its subscriber without making a subscription for it, or passes on a second one.")
  static let subscriptionFirst = Rule(
    "P-02", .fatal, [.deterministic], "Nothing comes before receive(subscription:)",
    cause: "The source is started in the subscription's init, and delivers before the subscription is handed over.")
  static let valuesWithinDemand = Rule(
    "P-03", .fatal, [.deterministic], "No more values than were requested, at any moment",
    cause: "request(_:) does not store the demand, or a value is delivered without taking one from it.")
  static let bothRoadsCount = Rule(
    "P-04", .error, [.deterministic], "Demand by request(_:) and by receive(_:)'s result add up",
    cause:
      "The demand that receive(_:) returns is thrown away, or a request replaces what was left instead of adding to it."
  )
  static let keepsUnrequested = Rule(
    "P-05", .error, [.deterministic], "A cold publisher keeps its values until they are requested",
    cause: "It begins to deliver, or to drop, as soon as it is subscribed to, whatever has been requested.")
  static let silenceAfterCompletion = Rule(
    "P-06", .error, [.deterministic], "Nothing follows the completion",
    cause: "Each request checks whether all values have been sent, and completes once more.")
  static let endsWithoutDemand = Rule(
    "P-07", .error, [.deterministic], "The end needs no demand of its own",
    cause:
      "The end is looked for at the next request only: a subscriber that has requested exactly all values waits forever."
  )
  static let pausesWithoutEnd = Rule(
    "P-08", .error, [.deterministic], "Running out of demand is not an end",
    cause: "The stream is finished when the demand has been used up.")
  static let saysFailure = Rule(
    "P-09", .error, [.deterministic, .childProcess], "A source that fails sends the failure",
    cause: "An error is forced with `try!`, or swallowed, and the stream falls silent.")
  static let independentSubscriptions = Rule(
    "P-10", .error, [.deterministic], "The subscriptions of a cold publisher are independent",
    cause: "The iterator, or the counter, is kept in the publisher instead of in the subscription.")
  static let readyBeforeSubscription = Rule(
    "P-11", .fatal, [.deterministic], "Requests and cancels inside receive(subscription:) work",
    cause: "The subscription gets ready, or registers itself, after it has been handed over.")
  static let demandPerSubscriber = Rule(
    "P-12", .error, [.deterministic], "Demand is counted per subscriber",
    cause: "One counter is shared by all subscribers.")
  static let orderKept = Rule(
    "P-13", .error, [.deterministic], "Values are delivered in the order in which they are made",
    cause: "A request inside a delivery, or unlimited demand, takes a shorter way past what still waits.")
  static let subscribesPromptly = Rule(
    "P-14", .warning, [.deterministic], "receive(subscriber:) returns promptly",
    cause: "It waits for its source, on a semaphore or a lock.")
  static let survivesSubscriber = Rule(
    "P-15", .fatal, [.deterministic, .childProcess], "No call of a subscriber stops the process",
    cause: "Something that a subscriber decides is taken for granted, or for impossible.")

  /// What a subscription owes its subscriber.
  public static let ofSubscriptions: [Rule] = [
    callableInside, flatStack, nestedRequestsCounted, silenceAfterCancel, cancelInHandshake, cancelIdempotent,
    requestAfterEnd, demandSaturates, requestNone, returnsPromptly, freesSource, identityPerSubscription,
  ]

  static let callableInside = Rule(
    "S-01", .fatal, [.deterministic, .childProcess], "request and cancel may be called inside every callback",
    cause: "A lock that is not recursive is held while the subscriber is called.")
  static let flatStack = Rule(
    "S-02", .fatal, [.deterministic, .childProcess], "A request during a value does not deepen the stack",
    cause: "request(_:) delivers at once instead of leaving it to the loop that is delivering.")
  static let nestedRequestsCounted = Rule(
    "S-03", .error, [.deterministic], "A value is taken from the demand before it is delivered",
    cause: "The counter is changed after the downstream call has returned, so a nested request sees the old one.")
  static let silenceAfterCancel = Rule(
    "S-04", .error, [.deterministic], "Nothing is delivered after cancel(), not even from the middle of a loop",
    cause: "The loop that delivers does not look at the cancel again after each value; or cancel() sends a completion.")
  static let cancelInHandshake = Rule(
    "S-05", .error, [.deterministic], "A cancel inside receive(subscription:) means no value and no completion",
    cause: "After the subscription has been handed over, something is delivered without a look at the cancel.")
  static let cancelIdempotent = Rule(
    "S-06", .error, [.deterministic, .childProcess], "A second cancel, and one after the completion, do nothing",
    cause: "cancel() takes it that what it removes is still there.")
  static let requestAfterEnd = Rule(
    "S-07", .error, [.deterministic], "A request after a cancel or the completion does nothing",
    cause: "cancel() stops the source only; a queue of the subscription's still drains when something is requested.")
  static let demandSaturates = Rule(
    "S-08", .fatal, [.deterministic, .childProcess], "Unlimited demand stays unlimited, and sums do not overflow",
    cause: "Demand is kept as an Int: unlimited becomes a number that is counted down, or a sum traps.")
  static let requestNone = Rule(
    "S-09", .warning, [.deterministic, .childProcess], "request(.none) delivers nothing",
    cause: "Any call of request(_:) is taken as the signal to start.")
  static let returnsPromptly = Rule(
    "S-10", .warning, [.deterministic], "request and cancel return promptly",
    cause: "They wait for the source, or for a thread to end.")
  static let freesSource = Rule(
    "S-11", .error, [.deterministic], "A cancel stops the source",
    cause: "The timer, observer or upstream subscription is not removed in cancel().")
  static let identityPerSubscription = Rule(
    "S-12", .error, [.deterministic], "Identifiers are stable, and two attachments of one subscriber are two",
    cause: "Subscriptions are kept by their subscriber's identifier, so one cancel removes both.")
}
