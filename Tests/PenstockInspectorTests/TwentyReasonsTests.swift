// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Penstock
import PenstockInspector
import PenstockOperators
import PenstockTesting
import TestSupport
import Testing

extension InspectorTests {
  /// Each pipeline on its own, behind `share` and inside a `flatMap`: what is between it and the end changes nothing in the
  /// reason.
  @Suite struct QuietPipelineTests {
    @Test func `The sentence names the link that nothing passes, in each form`() async {
      #expect(QuietPipeline.all.count == 20)
      await #expect(processExitsWith: .success) {
        for pipeline in QuietPipeline.all {
          for form in ["alone", "behind share", "inside flatMap"] {
            let label = "\(pipeline.name), \(form)"
            let kept = QuietPipeline.Kept()
            let publisher = pipeline.make(kept)
            let end =
              switch form {
              case "alone": publisher.inspected(label).sink { _ in }
              case "behind share": publisher.share().inspected(label).sink { _ in }
              default: Just(0).flatMap { _ in publisher }.inspected(label).sink { _ in }
              }
            kept.begin()
            let sentence = await Inspector.why(label, watching: .milliseconds(20))
            #expect(
              sentence.contains(pipeline.sentence), "\(label): \(sentence)\n\(Inspector.snapshot())")
            end.cancel()
          }
        }
      }
    }
  }
}
