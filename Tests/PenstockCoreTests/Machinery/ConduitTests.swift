// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

@Suite struct ConduitTests {
  @Test func `It can be looked into on one thread while another one cancels`() {
    for _ in 1...200 {
      let subject = PassthroughSubject<Int, Never>()
      let recorder = Recorder<Int, Never>()
      subject.subscribe(recorder)
      nonisolated(unsafe) let subscription = recorder.subscriptions[0]
      recorder.releaseSubscriptions()
      onThreads(2) { thread in
        if thread == 0 {
          subscription.cancel()
        } else {
          #expect(
            Mirror(reflecting: subscription).children.map(\.label) == ["parent", "downstream", "demand", "subject"])
        }
      }
    }
  }
}
