// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Penstock
import PenstockTesting

/// The verifications of the tutorial's publisher and of the repaired one.
public enum FibonacciVerification {
  /// At most 90, since an `Int` can hold no more.
  public static let tutorial = PublisherVerification("the tutorial's Fibonacci").finite(0...90) { count in
    TutorialFibonacciPublisher(configuration: FibonacciConfiguration(count: .max(count)))
  }

  public static let repaired = PublisherVerification("Fibonacci").finite(0...90) { count in
    Publishers.fibonacci(count: .max(count))
  }
}

extension Scenario {
  static let verification = Scenario(
    name: "verification", heading: "Verification: the tutorial's Fibonacci, rule by rule, and the repaired one"
  ) { page, _ in
    for verification in [FibonacciVerification.tutorial, FibonacciVerification.repaired] {
      let report = verification.report()
      // Each mistake once: a report shows its consequences after it.
      let mistakes = report.leading.filter(\.isFailure)
      page.print("\(report.subject): \(mistakes.count) mistakes")
      for mistake in mistakes { page.print("  \(mistake.rule)") }
    }
  }
}
