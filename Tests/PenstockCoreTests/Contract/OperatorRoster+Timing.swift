// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import PenstockTesting

extension RosterEntry {
  /// Timed operators that deliver at once on an immediate scheduler, and keep the rules of every operator.
  static let timing: [RosterEntry] = [
    .init("receive(on:)") { $0.receive(on: ImmediateScheduler.shared) },
    .init("subscribe(on:)") { $0.subscribe(on: ImmediateScheduler.shared) },
    .init("delay") { $0.delay(for: 1, scheduler: ImmediateScheduler.shared) },
    .init("measureInterval") { $0.measureInterval(using: VirtualTimeScheduler()).map { _ in 1 } },
  ]
}
