// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import Testing

extension ExplorerTests {
  /// The machines of the library under all schedules within their bounds.
  @Suite(.serialized) struct MachineTests {
    /// The largest number of schedules for a machine; Utilities/soak/run raises it.
    private static let limit =
      ProcessInfo.processInfo.environment["EXPLORER_LIMIT"].flatMap { Int($0) } ?? 4_000

    /// All machines, or those whose names contain the value of `EXPLORER_MACHINE`.
    private static let machines =
      ProcessInfo.processInfo.environment["EXPLORER_MACHINE"].map { wanted in
        Machine.all.filter { $0.name.contains(wanted) }
      } ?? Machine.all

    @Test(arguments: machines)
    func `No schedule within the bounds breaks a rule`(_ machine: Machine) {
      // States are merged if there are too many schedules. Some schedules are also run without merging, since merging
      // does not show which thread releases an object last; see VisitedStates.
      for isMerging in [false, true] {
        let clock = ContinuousClock()
        let start = clock.now
        let findings = machine.explored(limit: isMerging ? Self.limit : Self.limit / 2, merging: isMerging)
        let time = Int((clock.now - start) / .milliseconds(1))
        print(
          """
          explored \(machine), \(findings.threads) threads, \(machine.preemptions) preemptions\
          \(machine.staleLoads > 0 ? ", \(machine.staleLoads) outdated" : "")\(isMerging ? ", states merged" : ""): \
          \(findings.schedules) schedules\(findings.isExhausted ? "" : ", not all"), \(time) ms
          """)
        #expect(findings.fault == nil, "\(findings)")
        if findings.isExhausted { break }
      }
    }
  }
}
