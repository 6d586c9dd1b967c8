// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

@Suite struct JoiningDivergences {
  @Test(arguments: SubjectKind.allCases)
  func `A nested send goes behind what another thread has sent before`(_ kind: SubjectKind) {
    let subject = UncheckedBox(kind.make())
    let recorder = Recorder<Int, TestError>()
    recorder.onValue = { value in
      guard value == 1 else { return .none }
      elsewhere { subject.value.send(2) }
      subject.value.send(3)
      return .none
    }
    subject.value.subscribe(recorder)
    subject.value.send(1)
    #expect(recorder.sent == [1, 2, 3])
  }

  @Test func `What a subscriber sends while it is introduced goes behind what is delivered to it meanwhile`() {
    let subject = PassthroughSubject<Int, Never>()
    let (busy, joining) = (Recorder<Int, Never>(), Recorder<Int, Never>(demand: nil))
    joining.onSubscription = { subscription in
      subscription.request(.unlimited)
      elsewhere { subject.send(2) }
      subject.send(3)
      #expect(joining.values.isEmpty)
    }
    busy.onValue = { value in
      if value == 1 { elsewhere { subject.subscribe(joining) } }
      return .none
    }
    subject.subscribe(busy)
    subject.send(1)
    #expect(joining.values == [2, 3])
    #expect(busy.values == [1, 2, 3])
  }

  @Test func `While an operator subscribes to several upstreams, other threads' values wait`() {
    let subject = PassthroughSubject<Int, Never>()
    let recorder = Recorder<Int, Never>()
    let second = Deferred {
      elsewhere { subject.send(1) }
      #expect(recorder.values.isEmpty)
      return Empty<Int, Never>()
    }
    subject.merge(with: second).subscribe(recorder)
    #expect(recorder.values == [1])
  }
}
