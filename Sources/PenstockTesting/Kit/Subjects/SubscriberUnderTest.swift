// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// `@unchecked`: the author's closures are `@Sendable`. Their wrappers are not, to the compiler, because the type of a
// publisher that is known as `some Publisher` could belong to an actor.

/// A subscriber under test, or an operator as upstream sees it.
struct SubscriberUnderTest: @unchecked Sendable {
  /// The subscriber or operator that has been attached to an upstream.
  struct Attachment {
    let control: UpstreamControl
    /// The probe to which an operator delivers; `nil` for a subscriber.
    let probe: Probe?
    /// Keeps the subscriber alive.
    let subscriber: Any
    let settle: () -> Void
    /// Cancels from the subscriber's side.
    let cancel: (() -> Void)?
  }

  /// Attaches it to an upstream, which may be one that breaks rules on purpose.
  var attach: (UpstreamControl, _ isRogue: Bool) -> Attachment
  /// The number of values after which a subscriber has enough.
  var enough: Int?

  func attached(introduces: Bool = true, isRogue: Bool = false) -> Attachment {
    let control = UpstreamControl()
    control.introduces = introduces
    return attach(control, isRogue)
  }
}

extension SubscriberUnderTest.Attachment {
  func link(_ place: Int = 0) throws -> UpstreamControl.Link {
    let links = control.links
    guard links.indices.contains(place) else { throw CheckEnd.inconclusive("it has not subscribed to its upstream") }
    return links[place]
  }

  /// Delivers values as long as they are requested.
  ///
  /// - Returns: The number of values delivered.
  @discardableResult
  func feed(_ count: Int, from first: Int = 0) throws -> Int {
    let link = try link()
    for number in 0..<count {
      if !link.deliver(first + number) {
        control.waitForDemand()
        guard link.deliver(first + number) else { return number }
      }
      settle()
    }
    return count
  }

  /// Whether a condition is met, or becomes met if the subscriber calls on threads of its own.
  func comesTrue(_ isMet: () -> Bool) -> Bool { isMet() || control.log?.comesTrue(isMet) == true }

  /// A break, with the calls that a subscriber has made, in words.
  func broken(_ text: String) -> CheckEnd {
    let calls = control.subscriptions.enumerated().map { place, subscription in
      "  subscription \(place): \(subscription.ledger); requests \(subscription.requests.map(\.words)); "
        + "cancelled \(subscription.cancels)×"
    }
    return .broken(text, trace: calls.joined(separator: "\n"))
  }
}
