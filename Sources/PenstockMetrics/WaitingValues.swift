// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if Metrics
  internal import PenstockCore

  /// Returns how many values a link and the links upstream of it keep, as far as links report it.
  ///
  /// Links upstream of a publisher with several subscribers do not count: values that wait there wait for others, too.
  internal func waitingValues(in link: BaseSubscription?) -> Int {
    guard let link else { return 0 }
    var sum = 0
    var links: [AnyObject] = [link]
    var seen = Set<ObjectIdentifier>()
    while let object = links.popLast() {
      guard let link = object as? any InspectableLink, seen.insert(ObjectIdentifier(object)).inserted else { continue }
      var state = LinkState()
      link.show(in: &state)
      sum += state.waiting ?? 0
      links += state.upstreams.map(\.object)
    }
    return sum
  }
#endif
