// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

@Suite struct LineWriterTests {
  @Test func `A line written while another is being written comes behind it`() {
    let paper = Paper()
    let writer = LineWriter(paper)
    paper.onWrite = { text in
      if text == "first" {
        writer.write("second")
        writer.write("third")
      }
    }
    writer.write("first")
    writer.write("fourth")
    #expect(paper.text == "first\nsecond\nthird\nfourth\n")
  }

  @Test func `A stream that is a value keeps its state from line to line`() {
    struct Numbered: TextOutputStream {
      let paper: Paper
      var count = 0
      mutating func write(_ text: String) {
        count += 1
        paper.write("\(count)\(text)")
      }
    }
    let paper = Paper()
    let writer = LineWriter(Numbered(paper: paper))
    writer.write("a")
    writer.write("b")
    #expect(paper.text == "12a3\n45b6\n")
  }

  @Test func `Lines from many threads come whole, and none is lost`() {
    let paper = Paper()
    let writer = UncheckedBox(LineWriter(paper))
    onThreads(4) { thread in
      for number in 0..<500 { writer.value.write("\(thread) \(number)") }
    }
    #expect(paper.lines.count == 2000)
    for thread in 0..<4 {
      #expect(paper.lines.filter { $0.hasPrefix("\(thread) ") } == (0..<500).map { "\(thread) \($0)" })
    }
  }

  @Test func `A thread does not wait for another that is writing`() {
    let paper = Paper()
    let writer = UncheckedBox(LineWriter(paper))
    paper.onWrite = { text in
      if text == "slow" { elsewhere { writer.value.write("quick") } }
    }
    writer.value.write("slow")
    #expect(paper.text == "slow\nquick\n")
  }
}
