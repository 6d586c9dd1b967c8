// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

@Suite struct CompactMapTests {
  private typealias Source = ManualPublisher<String, TestError>
  private let source = Source()

  @Test func `Only what is not nil goes down`() {
    let recorder = Recorder<Int, Never>()
    Publishers.CompactMap(upstream: ["1", "x", "3"].publisher) { Int($0) }.subscribe(recorder)
    #expect(recorder.values == [1, 3])
    #expect(recorder.isFinished)
  }

  @Test func `A value left out is answered with a request for another`() {
    let recorder = Recorder<Int, TestError>(demand: .max(1), answering: .max(7))
    source.compactMap { Int($0) }.subscribe(recorder)
    #expect(source.send("x") == .max(1))
    #expect(source.send("1") == .max(7))
  }

  @Test func `A value that tryCompactMap leaves out is answered the same way`() {
    let recorder = Recorder<Int, any Error>(demand: .max(1), answering: .max(7))
    source.tryCompactMap { Int($0) }.subscribe(recorder)
    #expect(source.send("x") == .max(1))
    #expect(source.send("1") == .max(7))
    #expect(recorder.values == [1])
  }

  @Test func `Only the outer of two optionals is taken away`() {
    let recorder = Recorder<Int?, TestError>()
    source.compactMap { text -> Int?? in text.isEmpty ? nil : .some(Int(text)) }.subscribe(recorder)
    source.send("")
    source.send("x")
    source.send("1")
    #expect(recorder.values == [nil, 1])
  }

  @Test func `Two are one`() {
    let fused: Publishers.CompactMap<Source, Int> = source.compactMap { Int($0) }.compactMap { $0 > 0 ? $0 * 2 : nil }
    #expect(fused.upstream === source)
    #expect(["x", "-1", "2"].map(fused.transform) == [nil, nil, 4])
  }

  @Test func `One and a map are one`() {
    let fused: Publishers.CompactMap<Source, String> = source.compactMap { Int($0) }.map { "<\($0)>" }
    #expect(fused.upstream === source)
    #expect(["x", "2"].map(fused.transform) == [nil, "<2>"])
  }

  @Test func `Two throwing ones are one, and the second is spared a nil`() throws {
    let fused: Publishers.TryCompactMap<Source, Int> = source.tryCompactMap { Int($0) }.compactMap { number in
      if number < 0 { throw TestError.oops }
      return number == 0 ? nil : number
    }
    #expect(fused.upstream === source)
    #expect(try ["x", "0", "2"].map(fused.transform) == [nil, nil, 2])
    #expect(throws: TestError.oops) { try fused.transform("-1") }
  }
}
