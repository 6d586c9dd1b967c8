// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// Deliberate differences between operators with several upstreams and Combine's.
///
/// Each test holds one difference, and gives its reason.
@Suite struct CombiningDivergences {
  /// Combine returns it to the one upstream whose value completed the tuple.
  ///
  /// If that upstream has finished, the stream stalls although there is demand.
  @Test func `What a combined tuple is answered with is asked from all upstreams`() {
    let recorder = RowRecorder(demand: .max(1), answering: .max(1))
    let upstreams = FanInCase.combineLatests[0].attach(recorder)
    upstreams[0].send(1)
    #expect(upstreams[1].send(2) == .max(1))
    #expect(upstreams[0].calls == [.requested(.max(1)), .requested(.max(1))])
    #expect(upstreams[1].calls == [.requested(.max(1))])
  }

  /// Combine requests during the delivery, and keeps other threads out until an upstream that delivers during the
  /// request has delivered its last value.
  @Test func `Several upstreams are asked for more only when the delivery has returned`() {
    let recorder = RowRecorder(demand: .max(1))
    let upstreams = FanInCase.combineLatests[0].attach(recorder)
    var inside: [Int] = []
    recorder.onValue = { _ in
      recorder.request(.max(1))
      inside = upstreams.map { $0.calls.count }
      return .none
    }
    for upstream in upstreams { upstream.send(1) }
    #expect(inside == [1, 1])
    #expect(upstreams.map { $0.calls.count } == [2, 2])
  }

  /// Combine blocks the second sender until the first delivery is over.
  @Test func `A value for a combining operator that is delivering on another thread is queued`() {
    let (first, second) = (PassthroughSubject<Int, TestError>(), PassthroughSubject<Int, TestError>())
    var values: [Int] = []
    var inside: [Int] = []
    let cancellable = first.map { $0 }.merge(with: second).sink(
      receiveCompletion: { _ in },
      receiveValue: { value in
        values.append(value)
        guard value == 1 else { return }
        // It returns before the delivery is over.
        elsewhere { second.send(2) }
        inside = values
      })
    first.send(1)
    #expect(inside == [1])
    #expect(values == [1, 2])
    cancellable.cancel()
  }
}
