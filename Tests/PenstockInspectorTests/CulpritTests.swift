// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockInspector
import Testing

/// Each test in a process of its own: the inspector sees all streams of the process, and its counting is on or off for
/// all of them.
@Suite enum InspectorTests {}

extension InspectorTests {
  /// Tests that the inspector names the link that holds a stream up, and accuses no other, with pipelines that were
  /// written without regard to it.
  @Suite struct CulpritTests {
    /// Every third one is made before anything counts, as in a program that somebody looks into for the first time.
    @Test func `The link that holds a stream up is named`() async {
      #expect(StuckPipeline.all.count == 20)
      await #expect(processExitsWith: .success) {
        for (number, pipeline) in StuckPipeline.all.enumerated() {
          // An earlier pipeline may have left a task that ends, or a cancel that its scheduler has not run.
          let before = Set(Inspector.snapshot().streams.map(\.id))
          if number % 3 != 0 { Inspector.startCounting(number % 3 == 1 ? .values : .signals) }
          let running = await pipeline.make()
          Inspector.stopCounting()
          let snapshot = await Inspector.snapshot(watching: .milliseconds(20), looks: 4)
          let names = snapshot.heldUp.filter { !before.contains($0.id) }.map { $0.culprit!.name }
          #expect(!names.isEmpty && names.allSatisfy { $0 == pipeline.culprit }, "\(pipeline.name): \(snapshot)")
          running.stop()
        }
      }
    }

    @Test func `Nothing is accused in a pipeline that is idle, or slow`() async {
      #expect(HealthyPipeline.all.count == 20)
      await #expect(processExitsWith: .success) {
        for pipeline in HealthyPipeline.all {
          let before = Set(Inspector.snapshot().streams.map(\.id))
          let running = await pipeline.make()
          let snapshot = await Inspector.snapshot(watching: .zero, looks: 4) { _ in await running.step?() }
          #expect(snapshot.heldUp.allSatisfy { before.contains($0.id) }, "\(pipeline.name): \(snapshot)")
          running.stop()
        }
      }
    }
  }
}
