// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import TestSupport
import Testing

@Suite struct UnwrapTests {
  @Test func `What is there passes`() {
    var lines: [String] = []
    let cancellable = [1, 2, nil, 3, nil, 4].publisher.unwrap().sink { lines.append("Received value: \($0)") }
    cancellable.cancel()
    #expect(lines == (1...4).map { "Received value: \($0)" })
  }

  @Test func `One layer of optionals is taken off`() {
    let recorder = Recorder<Int?, Never>()
    let values: [Int??] = [.some(1), .some(nil), nil]
    values.publisher.map { $0 }.unwrap().subscribe(recorder)
    #expect(recorder.values == [1, nil])
  }

  @Test func `For each nil one more is asked for`() {
    let publisher = ManualPublisher<Int?, TestError>()
    let recorder = Recorder<Int, TestError>(demand: .max(1))
    publisher.unwrap().subscribe(recorder)
    #expect(publisher.calls == [.requested(.max(1))])
    #expect(publisher.send(nil) == .max(1))
    #expect(publisher.send(1) == .none)
    publisher.send(completion: .failure(.oops))
    #expect(recorder.values == [1])
    #expect(recorder.completions == [.failure(.oops)])
  }
}
