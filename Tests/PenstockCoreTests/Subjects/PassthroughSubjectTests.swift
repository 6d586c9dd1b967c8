// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

@Suite struct PassthroughSubjectTests {
  @Test func `A value that was not asked for is dropped`() {
    let subject = PassthroughSubject<Int, Never>()
    let recorder = Recorder<Int, Never>(demand: nil)
    subject.subscribe(recorder)
    subject.send(1)
    recorder.request(.max(1))
    #expect(recorder.values.isEmpty)
    subject.send(2)
    subject.send(3)
    #expect(recorder.values == [2])
  }

  @Test func `A subject of nothing has a send without arguments`() {
    let subject = PassthroughSubject<Void, Never>()
    let recorder = Recorder<Void, Never>()
    subject.subscribe(recorder)
    subject.send()
    #expect(recorder.values.count == 1)
  }

  @Test func `Upstream is asked for everything with the first demand, and once`() {
    let subject = PassthroughSubject<Int, Never>()
    let (early, late) = (ManualSubscription(), ManualSubscription())
    subject.send(subscription: early)
    #expect(early.calls.isEmpty)
    let recorder = Recorder<Int, Never>(demand: nil)
    subject.subscribe(recorder)
    #expect(early.calls.isEmpty)
    recorder.request(.max(1))
    recorder.request(.max(1))
    #expect(early.calls == [.requested(.unlimited)])
    recorder.cancel()
    subject.send(subscription: late)
    #expect(late.calls == [.requested(.unlimited)])
    #expect(early.calls == [.requested(.unlimited)])
  }

  @Test func `Each upstream subscription is asked, whatever their number`() {
    let subject = PassthroughSubject<Int, Never>()
    let upstreams = (0..<3).map { _ in ManualSubscription() }
    for upstream in upstreams { subject.send(subscription: upstream) }
    subject.subscribe(Recorder<Int, Never>(demand: .max(1)))
    #expect(upstreams.map(\.calls) == Array(repeating: [.requested(.unlimited)], count: 3))
  }
}
