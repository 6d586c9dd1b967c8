// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import PenstockTesting
import TestSupport
import Testing

@Suite struct TryMapSkippingFailuresTests {
  private struct Odd: Error, Equatable {}

  private func half(_ number: Int) throws -> Int {
    guard number.isMultiple(of: 2) else { throw Odd() }
    return number / 2
  }

  @Test func `A value for which the closure throws is left out, and told of before the next`() {
    var log: [String] = []
    let cancellable = [2, 3, 4].publisher
      .tryMap(skippingFailures: { error, value in log.append("\(value): \(error is Odd)") }) { try half($0) }
      .sink { log.append("\($0)") }
    #expect(log == ["1", "3: true", "2"])
    withExtendedLifetime(cancellable) {}
  }

  @Test func `One more value is requested in place of the one that is left out`() {
    let source = ManualPublisher<Int, TestError>()
    let recorder = Recorder<Int, TestError>(demand: .max(1))
    source.tryMap(skippingFailures: { _, _ in }) { try half($0) }.subscribe(recorder)
    #expect(source.calls == [.requested(.max(1))])
    #expect(source.send(1) == .max(1))
    #expect(source.send(2) == .none)
    #expect(recorder.values == [1])
  }

  @Test func `A value that becomes nil is a value`() {
    let recorder = Recorder<Int?, Never>()
    [1, 2].publisher.tryMap(skippingFailures: { _, _ in }) { (value: Int) throws -> Int? in value == 1 ? nil : value }
      .subscribe(recorder)
    #expect(recorder.values == [nil, 2])
  }

  // The published mistake of operators that continue after an error: they change what others do.
  @Test func `A failure of upstream, and what other closures throw, end the stream`() {
    let recorder = Recorder<Int, any Error>()
    let source = ManualPublisher<Int, TestError>()
    var told = 0
    source
      .tryMap { value in
        if value == 5 { throw TestError("before") }
        return value
      }
      .tryMap(skippingFailures: { _, _ in told += 1 }) { try half($0) }
      .subscribe(recorder)
    source.send(1)
    source.send(5)
    #expect(told == 1)
    #expect(recorder.completions.count == 1)
    #expect(recorder.values.isEmpty)
  }

  @Test func `A cancel in the closure that is told is the last that happens`() {
    let subject = PassthroughSubject<Int, TestError>()
    let recorder = Recorder<Int, TestError>()
    subject.tryMap(skippingFailures: { _, _ in recorder.cancel() }) { try half($0) }.subscribe(recorder)
    subject.send(2)
    subject.send(1)
    subject.send(4)
    #expect(recorder.values == [1])
  }

  @Test func `Many failures one after the other need no stack`() {
    onSmallStack {
      let recorder = Recorder<Int, Never>(demand: .max(1))
      (0..<100_000).publisher.tryMap(skippingFailures: { _, _ in }) { (_: Int) throws -> Int in throw Odd() }
        .subscribe(recorder)
      #expect(recorder.isFinished)
    }
  }
}
