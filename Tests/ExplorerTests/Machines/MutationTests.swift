// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore
import Testing

// The library itself has no faults to turn on: `Utilities/explore` puts them into a copy of it.
#if PENSTOCK_FAULTS
  extension ExplorerTests {
    /// Faults that are put back, one at a time: a test that finds none of them would prove nothing.
    @Suite(.serialized) struct MutationTests {
      /// The machine that finds a fault.
      private static let machines: [(Mutation, String)] = [
        (.numberKept, "two threads send two each"),
        (.memberLeavesUntold, "share(replay:): a subscriber comes and goes while another thread sends"),
        (.heldOutputWithoutDemand, "intersperse: more outputs than are requested"),
        (.endLeavesNoMark, "append: the first ends in its own delivery while the second sends"),
        (.listOnlyGrows, "subscribers come and go while another thread sends"),
        (.discardedTooEarly, "a value whose death cancels, while another thread sends"),
        (.bufferWithoutFences, "buffer: a value and a request, with outdated loads"),
        (.expandingWithoutFence, "intersperse: two threads request"),
        (.markBeforeSignal, "two threads send two each"),
        (.takenSignalsUnnoted, "two threads send, and a delivery sends as well"),
        (.enterRelaxed, "two threads send"),
        (.leaveRelaxed, "two threads send"),
        (.completionOvertakes, "complete while others send and attach"),
        (.demandTwice, "catch: a failure in a delivery while the replacement sends and another thread requests"),
        (.heldForNobody, "an introduction ends while two threads request"),
      ]

      @Test func `Each fault has a machine`() {
        #expect(Set(Self.machines.map(\.0)) == Set(Mutation.allCases))
      }

      @Test(arguments: machines, [false, true])
      func `A fault that is put back is found, whether or not states are merged`(
        _ place: (fault: Mutation, machine: String), _ isMerging: Bool
      ) throws {
        let (fault, name) = place
        let machine = try #require(Machine.all.first { $0.name == name })
        mutation = fault
        defer { mutation = nil }
        let findings = machine.explored(limit: 20_000, merging: isMerging)
        // The steps are printed on request: they are many.
        if ProcessInfo.processInfo.environment["EXPLORER_STEPS"] != nil { print(findings) }
        print("fault \(fault): \(findings.fault ?? "not found"), after \(findings.schedules) schedules")
        #expect(findings.fault != nil)
      }
    }
  }
#endif
