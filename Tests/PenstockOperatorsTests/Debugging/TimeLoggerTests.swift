// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import TestSupport
import Testing

@Suite struct TimeLoggerTests {
  /// A clock that is set by hand, and the written lines.
  private final class Bench {
    var time = Duration.seconds(100)
    var lines: [String] = []

    func logger(sinceOrigin: Bool) -> TimeLogger {
      TimeLogger(
        sinceOrigin: sinceOrigin, elapsed: { [unowned self] in time },
        output: { [unowned self] in lines.append($0) })
    }
  }

  @Test(arguments: [true, false])
  func `The time since the beginning, or since the last line`(_ sinceOrigin: Bool) {
    let bench = Bench()
    var logger = bench.logger(sinceOrigin: sinceOrigin)
    bench.time += .microseconds(1_026_680)
    print("one", to: &logger)
    bench.time += .microseconds(500_001)
    print("two", 2, to: &logger)
    bench.time += .seconds(60)
    print("three", to: &logger)
    #expect(
      bench.lines
        == (sinceOrigin
          ? ["+1.02668s: one", "+1.52668s: two 2", "+61.52668s: three"]
          : ["+1.02668s: one", "+0.50000s: two 2", "+60.00000s: three"]))
  }

  @Test func `Five decimals, rounded`() {
    let bench = Bench()
    let logger = bench.logger(sinceOrigin: true)
    for nanoseconds in [0, 4_999, 5_000, 999_995_000, 12_345_678_900] {
      bench.time = .seconds(100) + .nanoseconds(nanoseconds)
      logger.write("x\n")
    }
    #expect(bench.lines == ["+0.00000s: x", "+0.00000s: x", "+0.00001s: x", "+1.00000s: x", "+12.34568s: x"])
  }

  @Test func `Lines of white space pass through bare`() {
    let bench = Bench()
    let logger = bench.logger(sinceOrigin: false)
    bench.time += .seconds(1)
    logger.write("\n")
    logger.write("  \t\n")
    bench.time += .seconds(1)
    // Blank lines do not count as lines.
    logger.write("text\n\nmore\n")
    #expect(bench.lines == ["", "  \t", "+2.00000s: text", "", "+0.00000s: more"])
  }

  @Test func `A line that is written in pieces has the time of its first text, and comes out whole`() {
    let bench = Bench()
    let logger = bench.logger(sinceOrigin: true)
    logger.write("")
    logger.write("  ")
    bench.time += .seconds(1)
    logger.write("be")
    bench.time += .seconds(1)
    logger.write("gin")
    #expect(bench.lines.isEmpty)
    logger.write("\nnext")
    #expect(bench.lines == ["+1.00000s:   begin"])
    logger.write("\n")
    #expect(bench.lines == ["+1.00000s:   begin", "+2.00000s: next"])
  }

  @Test func `print writes to it`() {
    let bench = Bench()
    let logger = bench.logger(sinceOrigin: true)
    let subject = PassthroughSubject<Int, Never>()
    let cancellable = subject.print("numbers", to: logger).sink { _ in }
    bench.time += .milliseconds(1_500)
    subject.send(1)
    #expect(
      bench.lines == [
        "+0.00000s: numbers: receive subscription: (PassthroughSubject)",
        "+0.00000s: numbers: request unlimited",
        "+1.50000s: numbers: receive value: (1)",
      ])
    cancellable.cancel()
  }

  @Test func `A clock can be handed in`() {
    var lines: [String] = []
    let logger = TimeLogger(sinceOrigin: true, clock: ContinuousClock(), output: { lines.append($0) })
    logger.write("x\n")
    #expect(lines.count == 1)
    #expect(lines[0].wholeMatch(of: /\+\d+\.\d{5}s: x/) != nil)
  }

  @Test func `Lines of several threads stay whole`() {
    let lines = Locked<[String]>([])
    let logger = UncheckedBox(
      TimeLogger(sinceOrigin: true, elapsed: { .zero }, output: { line in lines.change { $0.append(line) } }))
    onThreads(4) { index in
      for turn in 0..<200 {
        for piece in ["", "\(index)", "-", "\(turn)", "\n"] { logger.value.write(piece) }
      }
    }
    let expected = (0..<4).flatMap { index in (0..<200).map { "+0.00000s: \(index)-\($0)" } }
    #expect(lines.value.sorted() == expected.sorted())
  }
}
