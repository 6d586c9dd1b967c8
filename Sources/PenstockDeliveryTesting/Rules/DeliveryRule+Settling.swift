// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension DeliveryRule {
  /// What the methods of a delivery do.
  static let ofSettling = [
    DeliveryRule(
      .repeatsWhatExpires, "An unsettled message is redelivered after its deadline, and an acknowledged one is not",
      rationale: "The deadline is what saves the messages of a worker that has died.",
      remedy: "Configure the broker with the deadline, count the attempt, and refuse a delivery that has expired."),
    DeliveryRule(
      .extendsDeadlines, "A deadline that is extended does not expire",
      rationale: "Work that takes longer than the deadline would otherwise be done twice at the same time.",
      remedy: "Let extend() start the deadline of this delivery again at the broker, as often as it is called."),
    DeliveryRule(
      .repeatsWhatIsGivenBack, "A negative acknowledgement redelivers at once, as the second attempt",
      rationale: "Work that has failed is tried again, and the attempt says how often it has been.",
      remedy: "Let nak(after: nil) return the message to the broker, and take attempt from the broker's count."),
    DeliveryRule(
      .delaysWhatIsGivenBack, "A negative acknowledgement with a delay redelivers after the delay",
      rationale: "A backoff that is ignored calls a service that is down as often as it can.",
      remedy: "Pass the delay of nak(after:) to the broker, or keep the message due until then."),
    DeliveryRule(
      .forgetsWhatIsTerminated, "A terminated message is not redelivered",
      rationale: "What can't be done would otherwise come for ever, and stop the messages behind it.",
      remedy: "Let terminate() remove the message as ack() does, and not return it."),
    DeliveryRule(
      .settlesOnce, "A delivery is settled once",
      rationale: "A second settlement may belong to the delivery of another consumer by then.",
      remedy: "Keep a flag in the delivery, and throw DeliveryError(.settled) for each call after the first one."),
  ]
}
