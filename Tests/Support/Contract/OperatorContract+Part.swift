// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockTesting
import Testing

extension OperatorContract {
  /// A part of the whole contract, for an operator that is tested separately and is in no roster.
  public enum Part: CaseIterable, Sendable {
    case rules, values, demand, cancel, memory, stack, threads

    /// Tests the part for an operator that passes requests on.
    public func check(_ spec: OperatorSpec) {
      switch self {
      case .rules:
        let report = spec.verification.report()
        #expect(report.failures.isEmpty, "\(report.broken.map(\.description).joined(separator: "\n"))")
        #expect(report.unusedWaivers.isEmpty)
      case .values:
        for count in [0, 1, 7] { valuesDoNotDependOnRequests(spec, count: count) }
      case .demand:
        deliversWithinDemand(spec)
        requestsWhatIsRequested(spec)
      case .cancel:
        endsWithCancelDuringValue(spec)
        endsWithCancelDuringSubscription(spec)
      case .memory:
        for end in End.allCases { leavesNothingInMemory(spec, after: end) }
      case .stack:
        leavesStackAsItWas(spec)
      case .threads:
        letsOtherThreadsActDuringValue(spec)
        survivesRaces(spec)
      }
    }
  }
}
