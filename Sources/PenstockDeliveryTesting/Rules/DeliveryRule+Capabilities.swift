// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension DeliveryRule {
  /// What an engine keeps that has the capability.
  static let ofCapabilities = [
    DeliveryRule(
      .countsCredit, "The credit counts add up",
      rationale: "An operator of a service reads from them whether a consumer or the broker is slow.",
      remedy: "Count each message once when it arrives, and each settlement once, where the broker has accepted it."),
    DeliveryRule(
      .servesTheGuide, "A pipeline with retries and dead letters ends with the same counts on every engine",
      rationale: "A test with the queue in memory says what the broker will do only if both count alike.",
      remedy: "Compare the counts of the finding with those of DeliveryQueue, which keeps all rules."),
    DeliveryRule(
      .finishesWhenDrained, "Draining finishes the streams, and lets their deliveries be settled",
      rationale: "A process that stops wants to end its work, and to get no more of it.",
      remedy: "Stop fetching, settle what is being worked on, then send .finished: not before, and no failure."),
    DeliveryRule(
      .confirmsWhatIsWritten, "Publishing keeps to its limit in flight, and every message is confirmed",
      rationale: "The limit is the back pressure of a publisher, and the confirmation its only promise.",
      remedy: "Request maxInFlight values at first, and one more for each confirmation."),
    DeliveryRule(
      .keepsOncePerID, "A message that is published twice under one identifier is stored once",
      rationale: "A publisher that has not heard of a confirmation publishes again.",
      remedy: "Send the identifier with the message, and report as a duplicate what the broker already has."),
    DeliveryRule(
      .outlastsOutages, "A stream survives an outage that is shorter than its limit",
      rationale: "A server that restarts must not end the pipelines of its clients.",
      remedy: "Connect again, give the credit that was lost with the connection again, and continue."),
    DeliveryRule(
      .endsAfterOutages, "A stream fails with an outage that is longer than its limit",
      rationale: "A consumer that waits silently for a server that never returns looks idle.",
      remedy: "Fail the stream when the limit is over, with an error for which isOutage(_:) returns true."),
  ]
}
