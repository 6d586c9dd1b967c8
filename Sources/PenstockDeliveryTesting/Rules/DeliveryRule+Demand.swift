// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension DeliveryRule {
  /// What is fetched, and how it arrives.
  static let ofDemand = [
    DeliveryRule(
      .takesNothingUnasked, "Nothing is fetched without demand",
      rationale: "A message that waits in a consumer that is busy can't go to one that is idle.",
      remedy: "Fetch as many messages as the closure of fetching is asked for, and prefetch only below the low mark."),
    DeliveryRule(
      .takesWhatIsAsked, "As many messages are fetched as are requested",
      rationale: "One more than was requested is a message that nobody works on while its deadline runs.",
      remedy: "Pass the number that the closure of fetching gets to the broker, and return no more messages."),
    DeliveryRule(
      .servesOneByOne, "Messages come in the order of publication, one at a time, each as its first attempt",
      rationale: "A consumer that requests one message at a time relies on the order that the broker promises.",
      remedy: "Return a batch in the broker's order, and take attempt from the broker's count: it begins with 1."),
    DeliveryRule(
      .servesEverything, "Unlimited demand gets every message, and nothing is left when all are acknowledged",
      rationale: "A message that is never delivered, or an acknowledgement that is not sent, fills the broker.",
      remedy: "Deliver the last message of a batch as well, and send each ack() to the broker before it returns."),
    DeliveryRule(
      .boundsWhatIsReadAhead, "No more than one batch is prefetched",
      rationale: "What is prefetched occupies memory, and is missing for other consumers.",
      remedy: "Pass batch and refillAt on to fetching, and keep no messages elsewhere in the adapter."),
    DeliveryRule(
      .servesWaiters, "A consumer that waits gets what is published later",
      rationale: "A consumer is idle most of its life; one that looks once and gives up never works again.",
      remedy: "Wait for messages inside the closure of fetching, and return an empty array when the wait is over."),
    DeliveryRule(
      .keepsTextsAndHeaders, "Payloads and headers arrive as they were published",
      rationale: "A payload is bytes that only its consumer understands: empty, with line ends, or large.",
      remedy: "Encode and decode without trimming, escape what the protocol reserves, and keep all headers."),
  ]
}
