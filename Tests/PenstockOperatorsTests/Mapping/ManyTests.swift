// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import TestSupport
import Testing

@Suite struct ManyTests {
  @Test func `The elements of each value are transformed, and of any sequence`() {
    let (arrays, texts) = (Recorder<[Int], Never>(), Recorder<[Bool], Never>())
    [[1, 2], [], [3]].publisher.mapMany { $0 * 10 }.subscribe(arrays)
    ["aB", ""].publisher.mapMany(\.isUppercase).subscribe(texts)
    #expect(arrays.values == [[10, 20], [], [30]])
    #expect(texts.values == [[false, true], []])
  }

  @Test func `Elements are left out, and what is left of nothing is an empty array`() {
    let recorder = Recorder<[Int], Never>()
    [Set([1, 2, 3]), [5]].publisher.filterMany { $0.isMultiple(of: 2) }.subscribe(recorder)
    #expect(recorder.values == [[2], []])
    #expect(recorder.isFinished)
  }

  @Test func `Demand and the end pass, and no value is skipped`() {
    let recorder = Recorder<[Int], TestError>(demand: .max(1), answering: .max(2))
    let publisher = ManualPublisher<[Int], TestError>()
    publisher.filterMany { _ in false }.mapMany { $0 }.subscribe(recorder)
    #expect(publisher.send([1]) == .max(2))
    publisher.send(completion: .failure(.oops))
    #expect(recorder.values == [[]])
    #expect(recorder.completions == [.failure(.oops)])
    #expect(publisher.calls == [.requested(.max(1))])
  }
}
