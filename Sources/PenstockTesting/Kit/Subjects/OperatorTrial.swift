// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// An operator between an upstream driven by a check and a probe.
final class OperatorTrial {
  let control = UpstreamControl()
  let run: Trial
  private let label: String

  init(
    _ make: (UpstreamControl) -> ErasedPublisher, _ rule: Rule, _ label: String, _ own: Set<Rule>,
    _ demand: Subscribers.Demand, _ set: (OperatorTrial) -> Void
  ) {
    self.label = label
    run = Trial(make(control), rule, label, also: own, isFed: true)
    set(self)
    run.subscribe()
    if demand > .none { run.request(demand) }
  }

  var probe: Probe { run.probe }
  func settle() { run.settle() }

  func link(_ place: Int = 0) throws -> UpstreamControl.Link {
    let links = control.links
    guard links.indices.contains(place) else { throw CheckEnd.inconclusive("it has not subscribed to its upstream") }
    return links[place]
  }

  /// Delivers numbers to all links, as long as they are requested.
  ///
  /// - Returns: How many were delivered.
  @discardableResult
  func feed(_ count: Int, from first: Int = 0) -> Int {
    for number in 0..<count {
      if !deliver(first + number) {
        if probe.ledger.outstanding > .none { control.waitForDemand() }
        guard deliver(first + number) else {
          run.passTime()
          return number
        }
      }
      settle()
    }
    return count
  }

  private func deliver(_ number: Int) -> Bool {
    var isDelivered = false
    for link in control.links where link.deliver(number) { isDelivered = true }
    return isDelivered
  }

  func end(fails: Bool = false) {
    var isHeard = false
    for link in control.links where link.end(fails: fails) { isHeard = true }
    if isHeard { settle() } else { run.passTime() }
  }

  /// From now on, the check itself breaks rules, as upstream.
  func turnRogue() { probe.isRogue = true }

  func expect(_ isMet: @autoclosure () -> Bool, _ text: @autoclosure () -> String) throws {
    try run.expect(isMet, orElse: { broken(text()) })
  }

  /// A break, with the calls on both sides of the operator.
  func broken(_ text: String) -> CheckEnd {
    let upstream = control.subscriptions.enumerated().map { place, subscription in
      "  upstream \(place): \(subscription.ledger); cancelled \(subscription.cancels)×"
    }
    return .broken(
      "\(label): \(text)", trace: (upstream + [Trace(probe.events).description]).joined(separator: "\n"))
  }
}
