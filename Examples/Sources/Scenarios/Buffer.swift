// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Penstock

/// The failure of the buffers.
private struct Full: Error, CustomStringConvertible {
  let description = "full"
}

extension Scenario {
  static let buffer = Scenario(
    name: "buffer", heading: "buffer(size:prefetch:whenFull:): five values, room for two, in all combinations"
  ) { page, _ in
    let strategies: [(name: String, strategy: Publishers.BufferingStrategy<Full>)] = [
      (".dropNewest", .dropNewest), (".dropOldest", .dropOldest), (".customError", .customError { Full() }),
    ]
    for prefetch in [Publishers.PrefetchStrategy.keepFull, .byRequest] {
      for (name, strategy) in strategies {
        var subscription: (any Subscription)?
        var (asked, received): ([String], [String]) = ([], [])
        (1...5).publisher
          .setFailureType(to: Full.self)
          .handleEvents(receiveRequest: { asked.append("\($0)") })
          .buffer(size: 2, prefetch: prefetch, whenFull: strategy)
          .subscribe(
            AnySubscriber(
              receiveSubscription: { subscription = $0 },
              receiveValue: { value in
                received.append("\(value)")
                return .none
              },
              receiveCompletion: { received.append("\($0)") }))
        subscription?.request(.max(1))
        subscription?.request(.unlimited)
        page.print("prefetch: .\(prefetch), whenFull: \(name)")
        page.print("  asks upstream for \(asked.joined(separator: ", "))")
        page.print("  delivers \(received.joined(separator: " "))")
      }
    }
  }
}
