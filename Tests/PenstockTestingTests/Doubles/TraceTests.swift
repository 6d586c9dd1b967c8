// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import PenstockTesting
import Testing

@Suite struct TraceTests {
  private static let longestLine = 100

  private func lines(_ trace: Trace) -> [String] { trace.description.split(separator: "\n").map(String.init) }

  /// What was called in a recording that has been read, whatever it breaks.
  private func trace(_ recording: Recording<some Any, some Any>) -> Trace {
    _ = (recording.values, recording.completion)
    try? recording.finish()
    return recording.trace
  }

  /// The calls of a publisher that serves each request of a delivery inside of it.
  private func deepTrace(_ depth: Int) -> Trace {
    let script = (1..<depth).reduce(DemandScript.max(1)) { $0.request(.max(1), after: $1) }
    return trace(MisbehavingPublisher(Array(1...depth), .recurses).record(demand: script))
  }

  @Test(arguments: [2, 14, 200])
  func `However deep the calls are, no line is longer than a hundred columns`(_ depth: Int) {
    let trace = deepTrace(depth)
    #expect(trace.events.contains { $0.depth == depth })
    for line in lines(trace) { #expect(line.count <= Self.longestLine, "\(line)") }
  }

  @Test func `Depth is indented up to twelve calls, and then said`() throws {
    let deepest = try #require(lines(deepTrace(200)).first { $0.contains("value 200") })
    #expect(deepest.contains("  0       " + String(repeating: " ", count: 24) + "… 187 deeper  → value 200  depth 200"))
    let shallow = lines(deepTrace(5))
    #expect(!shallow.contains { $0.contains("deeper") })
    #expect(shallow.contains { $0.contains("  0               → value 5  depth 5") }, "\(shallow)")
  }

  @Test func `A long text loses its middle`() {
    let value = "Module.Outer<" + String(repeating: "Swift.Array<", count: 40) + "Last>"
    let trace = self.trace(Just(value).record())
    let text = trace.description
    #expect(text.contains("→ value Module.Outer<Swift.Array<"))
    #expect(text.contains(/…[A-Za-z.<]*Swift.Array<Last>/))
    for line in lines(trace) { #expect(line.count <= Self.longestLine, "\(line)") }
  }

  @Test func `A text of several lines is one`() {
    let trace = self.trace(Just("one\ntwo").record())
    #expect(trace.description.contains("→ value one two"))
  }

  @Test func `What is wrong stands below the call, where it does not fit behind it`() throws {
    let values = [String(repeating: "a", count: 300), String(repeating: "b", count: 300)]
    let long = trace(MisbehavingPublisher(values, .overflows).record(demand: .max(1)))
    let all = lines(long)
    let mark = try #require(all.firstIndex { $0.hasSuffix("▲ 1 more than granted") }, "\(long)")
    #expect(all[mark - 1].contains("→ value bbb"))
    for line in all { #expect(line.count <= Self.longestLine, "\(line)") }
    let short = trace(MisbehavingPublisher(["a", "b"], .overflows).record(demand: .max(1)))
    #expect(short.description.contains("  2  ◀ 1 more than granted"), "\(short)")
  }

  @Test func `The columns of numbers are below their heads, for unlimited demand and great numbers as well`() {
    let trace = self.trace((1...2000).publisher.record())
    let all = lines(trace)
    let width = all[0].count
    for line in all where !line.contains(" more") { #expect(line.count == width, "\(trace)") }
  }

  @Test func `Of a long run, the beginning and what surrounds the mark are shown`() throws {
    let script = DemandScript.max(500)
    let trace = self.trace(MisbehavingPublisher(Array(1...600), .overflows).record(demand: script))
    let all = lines(trace)
    #expect(all.count < 40)
    #expect(all.contains { $0.contains("→ value 1 ") })
    #expect(all.contains { $0.contains("→ value 501") && $0.contains("◀ 1 more than granted") }, "\(trace)")
    #expect(all.count { $0.contains(" more") && $0.contains("      … ") } == 2)
  }
}
