// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension DeliveryRule {
  /// What consumers have in common, and the operators that settle for them.
  static let ofConsumers = [
    DeliveryRule(
      .sharesWork, "Competing consumers share the messages, and each message is delivered to one of them",
      rationale: "Two workers of one queue must not send the same letter.",
      remedy: "Give each subscriber its own consumer of one group, and let the broker decide who gets a message."),
    DeliveryRule(
      .givesBackOnCancel, "A cancel gives prefetched messages back at once, as not tried",
      rationale: "Otherwise they are missing until their deadline has passed, and nearer to the dead letters.",
      remedy: "Give back in onDrop of fetching, and take the attempt back, as giveBack() does."),
    DeliveryRule(
      .acknowledgesWork, "acknowledged(maxTasks:) acknowledges work that is done, and redelivers work that has failed",
      rationale: "It is the operator with which nearly every consumer settles.",
      remedy: "Let ack() and nak(after:) be callable in any task, and several of them at the same time."),
    DeliveryRule(
      .givesBackCancelledWork, "Work that a cancel interrupts is redelivered, and a cancelled task can settle",
      rationale: "A worker that is stopped for an update must not keep its messages until their deadlines.",
      remedy:
        "Let nak(after:) and giveBack() work in a cancelled task: a call to the broker must not be cancelled with it."),
    DeliveryRule(
      .setsPoisonAside, "deadLetter(after:to:) sets a poison message aside after its attempts",
      rationale: "A message that fails each time would otherwise occupy its consumer for ever.",
      remedy: "Let attempt grow by one with each redelivery, also after nak(after: nil)."),
    DeliveryRule(
      .worksAtOnce, "acknowledged(maxTasks:) has no more unsettled messages than tasks",
      rationale: "What is fetched before a task is free waits while its deadline runs.",
      remedy: "Request from the broker what downstream requests, and prefetch nothing with a low mark of nil."),
  ]
}
