// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

@Suite struct FanOutMemberTests {
  @Test(arguments: [false, true], SubjectKind.allCases)
  func `Its mirror keeps the demand it had when it ended`(_ cancels: Bool, _ kind: SubjectKind) {
    let subject = kind.make()
    let recorder = Recorder<Int, TestError>(demand: .max(5))
    subject.subscribe(recorder)
    subject.send(1)
    let demand = { recorder.subscriptions[0].mirrored[2] }
    let before = demand()
    #expect(before == (kind == .passthrough ? "max(4)" : "max(3)"))
    if cancels { recorder.cancel() } else { subject.send(completion: .finished) }
    #expect(demand() == before)
  }

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
