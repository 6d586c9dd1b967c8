// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore

extension OperatorSpec {
  public static let debugging: [OperatorSpec] = [
    .init("print", .managed(.observing), shown: "Print") { $0.print(to: Nowhere()) },
    .init("handleEvents", .managed(.observing), shown: "HandleEvents") { $0.handleEvents(receiveOutput: { _ in }) },
    .init("breakpoint", .transparent, shown: "Breakpoint") {
      $0.breakpoint(
        receiveSubscription: { _ in false }, receiveOutput: { _ in false }, receiveCompletion: { _ in false })
    },
    .init(
      "assertNoFailure", .transparent, shown: "AssertNoFailure", children: ["file", "line", "prefix"],
      traits: [.forbidsFailure], number: { $0 }
    ) { $0.assertNoFailure() },
    .init("erased", traits: [.releasesSubscriber]) { $0.eraseToAnyPublisher() },
  ]
}
