// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Scenarios

/// Verifies the tutorial's Fibonacci and the repaired one, and prints the two reports.
///
///     swift run --package-path Examples Verify
@main
enum Verify {
  static func main() {
    print(FibonacciVerification.tutorial.report())
    print("")
    print(FibonacciVerification.repaired.report())
  }
}
