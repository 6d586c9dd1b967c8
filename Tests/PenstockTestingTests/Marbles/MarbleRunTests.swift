// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import PenstockTesting
import TestSupport
import Testing

@Suite struct MarbleRunTests {
  private func mismatch(_ text: String, _ build: (MarbleBench<VirtualTime, Never>) throws -> some Publisher) throws
    -> MarbleMismatch
  {
    try #require(throws: MarbleMismatch.self) { try MarbleDiagram(text).verify(build) }
  }

  // MARK: Sources

  @Test func `A source sends at its steps, and the subscriber receives`() throws {
    try MarbleDiagram("source a-b|\nexpected a-b|").verify { $0.source() }
    try MarbleDiagram("source a-#\nexpected a-#").verify { $0.source() }
    try MarbleDiagram("source a-#'x'\nexpected a-#'x'").verify { $0.source() }
  }

  @Test func `A source without subscriptions drops what is not requested, one with them waits`() throws {
    try MarbleDiagram("source a-b-c-d-|\ndemand 2-----*\nexpected a-b---d-|").verify { $0.source() }
    try MarbleDiagram("source ^a-b-c-d-|\ndemand 2------*\nexpected -a-b---[cd]-|").verify { $0.source() }
    try MarbleDiagram("source ^ab|\ndemand 1---1\nexpected -a--[b|]").verify { $0.source() }
  }

  @Test func `A late subscriber gets the end of a source that is over, and misses what was before`() throws {
    try MarbleDiagram("source ab|--\nexpected ---[^|]").verify { $0.source() }
    try MarbleDiagram("source ab-c|\nexpected --^c|").verify { $0.source() }
  }

  @Test func `Each run of a source is what the line shows behind its subscription`() throws {
    try MarbleDiagram("source ^a-[#^]-b|\nexpected -a---b|").verify { bench in
      bench.source().catch { _ in Empty<String, MarbleFailure>().append(bench.source()) }
    }
  }

  @Test func `Values and failures are typed`() throws {
    enum Problem: Error { case offline }
    try MarbleDiagram("source a-b-#\nexpected x-y-#'offline'").verify(values: ["x": 10, "y": 20]) {
      $0.source(values: ["a": 1, "b": 2], failures: MarbleFailures(Problem.offline)).map { $0 * 10 }
    }
    try MarbleDiagram("source 1-2|\nexpected 1-'3'|").verify {
      $0.source(values: .numbers, failures: .none).scan(0, +).assertNoFailure()
    }
    try MarbleDiagram("source 1-2|\nexpected '<1>'-'<2>'|").verify(values: .shown { "<\($0)>" }) {
      $0.source(values: .numbers)
    }
  }

  @Test func `Two symbols of one value are the same value`() throws {
    try MarbleDiagram("source ab\nexpected ba").verify(values: ["a": 1, "b": 1]) {
      $0.source(values: ["a": 1, "b": 1])
    }
  }

  // MARK: Subscribers

  @Test func `Subscribers come and go where the lines say`() throws {
    try MarbleDiagram(
      """
      source         a-b-c-d-e-|
      expected       a-b-c-!
      expected.late  ---^c-d-e-|
      """
    ).verify { $0.source().share() }
  }

  @Test func `A cancel behind a value in a step comes behind the value`() throws {
    try MarbleDiagram("source a-[bc]-d\nexpected a-[b!]").verify { $0.source() }
    try MarbleDiagram("source a-b-d\nexpected a-!").verify { $0.source() }
    try MarbleDiagram("source a-b-d\ndemand *-!\nexpected a").verify { $0.source() }
  }

  @Test func `Another publisher can have its own subscriber`() throws {
    try MarbleDiagram("source a-b\nexpected a-b\nexpected.upper A-B").verify { bench in
      bench.subscribe("upper", to: bench.source().map { $0.uppercased() })
      return bench.source()
    }
  }

  @Test func `Demand that comes before the subscription arrives with it`() throws {
    try MarbleDiagram("source.demand --3\nsource ---abcd\ndemand 12^\nexpected ---abc").verify { $0.source() }
  }

  // MARK: What happens at a source

  @Test func `Requests, subscriptions and cancels at a source are compared`() throws {
    try MarbleDiagram(
      "source a-b-c-d\nsource.demand [^2]-1-!\ndemand 2---!\nexpected a"
    ).verify { $0.source().filter { $0 != "b" } }
  }

  @Test func `The requests that return from a delivery count`() throws {
    try MarbleDiagram("source 1234\nsource.demand [11]---\ndemand 1---\nexpected -2--").verify {
      $0.source(values: .numbers).filter { $0.isMultiple(of: 2) }
    }
  }

  @Test func `A cancel that is not shown is a difference, if the line shows any`() throws {
    try MarbleDiagram("source a-[b!]-c-|\nexpected a-[b|]").verify { $0.source().prefix(2) }
    let error = try mismatch("source a-b-!\nexpected a-[b|]") { $0.source().prefix(2) }
    #expect(error.lane == "source" && error.step == 2)
  }

  @Test func `A subscription at another step is a difference`() throws {
    let error = try mismatch("source ^a|\nother ---^b|\nexpected -a--b|") { $0.source().append($0.source("other")) }
    #expect(error.lane == "other" && error.step == 2)
    try MarbleDiagram("source ^a|\nother --^b|\nexpected -a-b|").verify { $0.source().append($0.source("other")) }
  }

  // MARK: Time

  @Test func `Operators of time run in the time of the diagram`() throws {
    try MarbleDiagram("step 100ms\nsource a-b----c|\nexpected ----b---|").verify {
      $0.source().debounce(for: .milliseconds(200), scheduler: $0.scheduler)
    }
    try MarbleDiagram("source a{5min}b|\nexpected --a{5min}b|").verify {
      $0.source().delay(for: 2, scheduler: $0.scheduler)
    }
  }

  @Test func `A scheduler of another time can be used`() throws {
    let scheduler = VirtualTimeScheduler<VirtualTime, String>(now: 100)
    try MarbleDiagram("step 10ms\nsource a-b-|\nexpected --a-b-|").verify(on: scheduler) {
      $0.source().delay(for: .milliseconds(20), scheduler: $0.scheduler)
    }
    #expect(scheduler.now == VirtualTime(nanoseconds: 100_060_000_000))
  }

  @Test func `What happens between two steps is a mistake of the step`() throws {
    let error = try #require(throws: MarbleUsageError.self) {
      try MarbleDiagram("source a---\nexpected -a--").verify { $0.source().delay(for: 0.5, scheduler: $0.scheduler) }
    }
    #expect(error.description.contains("at 0.5s") && error.description.contains("“step”"))
  }

  @Test func `A closure can act at a step`() throws {
    try MarbleDiagram("source ab-c\nsource.demand --[^*]\nexpected ---c").verify { bench in
      let connectable = bench.source(failures: .none).makeConnectable()
      var connection: (any Cancellable)?
      bench.at(2) { connection = connectable.connect() }
      bench.at(4) { connection?.cancel() }
      return connectable
    }
  }

  @Test func `What happens on another thread is a mistake`() throws {
    /// A scheduler that runs everything on a thread of its own, and waits for it.
    struct Elsewhere: Scheduler {
      var now: VirtualTime { .zero }
      var minimumTolerance: VirtualTime.Stride { 0 }
      func schedule(options: Never?, _ action: @escaping () -> Void) {
        nonisolated(unsafe) let action = action
        elsewhere { action() }
      }
      func schedule(
        after date: VirtualTime, tolerance: VirtualTime.Stride, options: Never?, _ action: @escaping () -> Void
      ) { schedule(options: options, action) }
      func schedule(
        after date: VirtualTime, interval: VirtualTime.Stride, tolerance: VirtualTime.Stride, options: Never?,
        _ action: @escaping () -> Void
      ) -> any Cancellable { AnyCancellable {} }
    }
    let error = try #require(throws: MarbleUsageError.self) {
      try MarbleDiagram("source a\nexpected a").verify { $0.source().receive(on: Elsewhere()) }
    }
    #expect(error.description.contains("“expected” on another thread"))
  }

  // MARK: Mistakes

  @Test func `A line that is not used is a mistake, and so is one that is missing`() throws {
    let unused = try #require(throws: MarbleUsageError.self) {
      try MarbleDiagram("source a\nother b\nexpected a").verify { $0.source() }
    }
    #expect(unused.description.contains("“other” is not used") && unused.description.contains("called “expected”"))
    let missing = try #require(throws: MarbleUsageError.self) {
      try MarbleDiagram("source a\nexpected a").verify { $0.source("sauce") }
    }
    #expect(missing.description == "No line is called “sauce”. The sources are “source”.")
    let untyped = try #require(throws: MarbleUsageError.self) {
      try MarbleDiagram("source 1\nexpected 1").verify {
        $0.source(values: .numbers).map { "\($0)" }.merge(with: $0.source())
      }
    }
    #expect(untyped.description.contains("two types"))
  }

  @Test func `A symbol without a value is shown in the text`() throws {
    let error = try #require(throws: MarbleSyntaxError.self) {
      try MarbleDiagram("source 1-x\nexpected 1").verify { $0.source(values: .numbers) }
    }
    #expect(error.problem == "“x” stands for no value" && error.column == 10)
    let failure = try #require(throws: MarbleSyntaxError.self) {
      try MarbleDiagram("source 1-#\nexpected 1").verify { $0.source(failures: .none) }
    }
    #expect(failure.problem == "“#” stands for no failure" && failure.allowed.contains("Never"))
  }

  @Test func `An error of the closure is thrown`() throws {
    #expect(throws: CancellationError.self) {
      try MarbleDiagram("source a\nexpected a").verify { bench -> Empty<Int, Never> in throw CancellationError() }
    }
  }

  @Test func `A diagram without an expectation says what it would be`() throws {
    let error = try #require(throws: MarbleUsageError.self) {
      try MarbleDiagram("source a-b-|").verify { $0.source().map { $0.uppercased() } }
    }
    #expect(error.description.hasSuffix("\"\"\"\nsource    a-b-|\nexpected  A-B-|\n\"\"\""))
  }

  @Test func `Nothing is kept when the run is over`() throws {
    final class Token {}
    weak var token: Token?
    try MarbleDiagram("source a-b-\nexpected a-b-").verify { bench in
      let kept = Token()
      token = kept
      return bench.source().flatMap { value in
        withExtendedLifetime((kept, bench.source())) { Just(value).setFailureType(to: MarbleFailure.self) }
      }
    }
    #expect(token == nil)
  }
}
