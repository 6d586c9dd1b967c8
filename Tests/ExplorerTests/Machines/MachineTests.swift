// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import Testing

extension ExplorerTests {
  /// The machines of the library under all schedules within their bounds.
  @Suite(.serialized) struct MachineTests {
    /// The largest number of schedules for a machine; Utilities/soak/run raises it.
    private static let limit =
      ProcessInfo.processInfo.environment["EXPLORER_LIMIT"].flatMap { Int($0) } ?? 20_000

    @Test(arguments: Machine.all)
    func `No schedule within the bounds breaks a rule`(_ machine: Machine) {
      // States are merged only where the schedules are too many: what merging cannot see is on its page.
      for isMerging in [false, true] {
        let clock = ContinuousClock()
        let start = clock.now
        let findings = machine.explored(limit: Self.limit, merging: isMerging)
        let time = Int((clock.now - start) / .milliseconds(1))
        print(
          """
          explored \(machine), \(machine.preemptions) preemptions\(isMerging ? ", states merged" : ""): \
          \(findings.schedules) schedules\(findings.isExhausted ? "" : ", not all"), \(time) ms
          """)
        #expect(findings.fault == nil, "\(findings)")
        if findings.isExhausted { break }
      }
    }
  }
}
