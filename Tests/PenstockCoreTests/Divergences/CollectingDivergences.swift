// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import PenstockTesting
import TestSupport
import Testing

/// Deliberate differences between the collecting and replacing operators and Combine's.
///
/// Each test holds one difference, and gives its reason.
@Suite struct CollectingDivergences {
  /// Combine's still delivers it when it is requested, although no delivery may start after a cancel.
  @Test(arguments: OperatorSpec.collecting)
  func `A cancel drops a result that waits to be asked for`(_ spec: OperatorSpec) {
    let recorder = Recorder<String, TestError>(demand: nil)
    let publisher = spec.attach(recorder)
    spec.collected!.inputs.forEach { publisher.send($0) }
    publisher.send(completion: .finished)
    recorder.cancel()
    recorder.request(.max(1))
    #expect(recorder.events == [.subscription(spec.shown.description)])
    #expect(publisher.calls == [.requested(.unlimited)])
  }

  /// The same, for a result that was certain before upstream's end.
  @Test(arguments: OperatorSpec.deciding)
  func `A cancel drops a decision that waits to be asked for`(_ spec: OperatorSpec) throws {
    let recorder = Recorder<String, TestError>(demand: nil)
    let publisher = spec.attach(recorder)
    publisher.send(try #require(spec.collected?.decision).input)
    recorder.cancel()
    recorder.request(.max(1))
    #expect(recorder.events == [.subscription(spec.shown.description)])
    #expect(publisher.calls == [.requested(.unlimited), .cancelled])
  }

  /// Combine's delivers it without regard to demand.
  ///
  /// Operators that count demand cannot accept that: `values`, `retry`, `catch` and others trap, `merge` and `append`
  /// lose values, `flatMap` mixes up streams.
  @Test func `What collect has left at the end waits for demand`() {
    let scheduler = VirtualTimeScheduler()
    let (timed, counted) = (Recorder<[Int], Never>(demand: .max(1)), Recorder<[Int], Never>(demand: nil))
    let subject = PassthroughSubject<Int, Never>()
    subject.collect(.byTime(scheduler, 1)).subscribe(timed)
    let publisher = ManualPublisher<Int, Never>()
    publisher.collect(2).subscribe(counted)
    publisher.send(1)
    publisher.send(completion: .finished)
    for value in 1...2 {
      subject.send(value)
      if value == 2 { subject.send(completion: .finished) }
      scheduler.advance(by: 1)
    }
    #expect(timed.values == [[1]] && timed.completions.isEmpty)
    #expect(counted.values.isEmpty && counted.completions.isEmpty)
    for recorder in [timed, counted] { recorder.request(.max(1)) }
    scheduler.advance()
    #expect(timed.values == [[1], [2]] && timed.isFinished)
    #expect(counted.values == [[1]] && counted.isFinished)
  }

  /// Combine's requests everything, whatever downstream has requested, and forwards all of it: more than the demand.
  @Test func `Replacing an empty stream asks upstream for no more than was asked for`() {
    let publisher = ManualPublisher<Int, Never>()
    let recorder = Recorder<Int, Never>(demand: nil)
    publisher.replaceEmpty(with: 0).subscribe(recorder)
    #expect(publisher.calls.isEmpty)
    recorder.request(.max(2))
    #expect(publisher.calls == [.requested(.max(2))])

    let limited = Recorder<Int, Never>(demand: .max(2))
    (1...5).publisher.eraseToAnyPublisher().replaceEmpty(with: 0).subscribe(limited)
    #expect(limited.values == [1, 2])
  }
}
