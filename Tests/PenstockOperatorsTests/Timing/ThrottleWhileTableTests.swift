// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import PenstockTesting
import TestSupport
import Testing

/// Condition, values, demand and completion in every order that matters, with the outputs.
///
/// `v1` is a value, `T` and `F` are the condition, `c` is its end, `r1` is a request, `u` an unlimited one, `e` is
/// upstream's end, `x` its failure, `X` a cancel. The outputs are values, `|` for the end and `!` for the failure.
@Suite struct ThrottleWhileTableTests {
  struct Row: CustomTestStringConvertible, Sendable {
    let initial: Bool
    let steps: String
    let expected: String

    init(_ initial: Bool, _ steps: String, _ expected: String) {
      self.initial = initial
      self.steps = steps
      self.expected = expected
    }

    var testDescription: String { "\(initial ? "throttled" : "open"): \(steps) -> \(expected)" }
  }

  static let rows = [
    // The condition.
    Row(false, "u v1 v2", "1 2"),
    Row(true, "u v1 v2", ""),
    Row(true, "u v1 v2 F v3", "2 3"),
    Row(true, "u F v1", "1"),
    Row(false, "u v1 T v2 v3 F v4", "1 3 4"),
    Row(false, "u F v1 F v2", "1 2"),
    Row(false, "u T T v1 T v2 T F", "2"),
    Row(false, "u T v1 F F T F T F", "1"),
    Row(false, "u T F T F", ""),
    Row(false, "u T v1 F T v2 F", "1 2"),
    Row(false, "u T v1 F T F v2", "1 2"),
    // The condition's end.
    Row(true, "u c v1 v2", ""),
    Row(false, "u c v1 v2", "1 2"),
    Row(false, "u T c v1 F v2", ""),
    Row(false, "u T v1 c e", "|"),
    Row(false, "u T F c v1 e", "1 |"),
    // Upstream's end.
    Row(false, "e", "|"),
    Row(true, "x", "!"),
    Row(false, "u v1 e", "1 |"),
    Row(false, "u v1 x", "1 !"),
    Row(false, "u T v1 e F", "|"),
    Row(false, "u T v1 x F", "!"),
    Row(false, "u T v1 F e", "1 |"),
    Row(false, "u v1 e v2 e x T F", "1 |"),
    // Demand.
    Row(false, "v1", ""),
    Row(false, "v1 v2 r1", "2"),
    Row(false, "v1 v2 r5 v3", "2 3"),
    Row(false, "r1 v1 v2 v3 r1", "1 3"),
    Row(false, "r2 v1 v2 v3", "1 2"),
    Row(false, "r1 r1 v1 v2 v3", "1 2"),
    // Demand and the condition: a value that may pass but has no demand is delivered at the next request, whatever the
    // condition is by then.
    Row(false, "r1 v1 v2 T r1", "1 2"),
    Row(false, "r1 v1 v2 T v3 r1", "1 2"),
    Row(false, "r1 v1 v2 T v3 r1 F", "1 2"),
    Row(false, "r1 v1 v2 T v3 r1 F r1", "1 2 3"),
    Row(false, "v1 T v2 F r2", "2"),
    Row(false, "r1 T v1 v2 F v3", "2"),
    Row(false, "r1 T v1 v2 F v3 r1", "2 3"),
    Row(true, "v1 r1", ""),
    Row(true, "v1 r1 F", "1"),
    Row(true, "v1 F r1", "1"),
    Row(true, "v1 F r1 v2 T v3 F", "1"),
    // Demand and the end: the end waits for a value without demand, and drops a throttled one.
    Row(false, "v1 e", ""),
    Row(false, "v1 e r1", "1 |"),
    Row(false, "v1 x r1", "1 !"),
    Row(false, "v1 v2 e r1 r1", "2 |"),
    Row(false, "v1 T v2 e r5", "1 |"),
    Row(true, "v1 e r1", "|"),
    Row(true, "v1 F e r1", "1 |"),
    Row(false, "v1 e v2 T F x r1", "1 |"),
    Row(false, "r1 v1 e", "1 |"),
    Row(false, "r1 v1 v2 e r1", "1 2 |"),
    // Cancels.
    Row(false, "u v1 X v2 T F e", "1"),
    Row(false, "u T v1 X F", ""),
    Row(false, "v1 X r1", ""),
    Row(false, "v1 e X r1", ""),
    Row(true, "X F", ""),
  ]

  /// When the scheduler runs its work.
  enum Running: CaseIterable, Sendable { case atOnce, afterEachStep, atTheEnd }

  @Test(arguments: rows, Running.allCases)
  func `The table`(_ row: Row, _ running: Running) {
    // A value in flight at the cancel is not delivered.
    if running == .atTheEnd, row.steps.contains("X") { return }
    let upstream = PassthroughSubject<Int, TestError>()
    let condition = PassthroughSubject<Bool, Never>()
    let recorder = Recorder<Int, TestError>(demand: nil)
    let scheduler = VirtualTimeScheduler()
    if running == .atOnce {
      upstream.throttle(while: condition, initialThrottle: row.initial, on: ImmediateScheduler.shared)
        .subscribe(recorder)
    } else {
      upstream.throttle(while: condition, initialThrottle: row.initial, on: scheduler).subscribe(recorder)
    }
    for step in row.steps.split(separator: " ") {
      switch step {
      case "T": condition.send(true)
      case "F": condition.send(false)
      case "c": condition.send(completion: .finished)
      case "u": recorder.request(.unlimited)
      case "e": upstream.send(completion: .finished)
      case "x": upstream.send(completion: .failure(.oops))
      case "X": recorder.cancel()
      case let request where request.hasPrefix("r"): recorder.request(.max(Int(request.dropFirst())!))
      case let value: upstream.send(Int(value.dropFirst())!)
      }
      if running == .afterEachStep { scheduler.advance() }
    }
    scheduler.advance()
    let out = recorder.events.compactMap { event -> String? in
      switch event {
      case .subscription: nil
      case .value(let value): "\(value)"
      case .completion(.finished): "|"
      case .completion(.failure): "!"
      }
    }
    #expect(out.joined(separator: " ") == row.expected)
  }
}
