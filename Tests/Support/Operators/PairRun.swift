// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore
import PenstockTesting

/// The source of a pair's values.
public enum PairSource: String, CaseIterable, Sendable {
  /// Delivers during the request.
  case atOnce
  /// Delivers as time advances, within demand.
  case paced
  case failing

  fileprivate func make() -> (stream: OperatorSpec.Stream, step: () -> Void) {
    switch self {
    case .atOnce: return (Publishers.Sequence(sequence: 1...7).eraseToAnyPublisher(), {})
    case .paced, .failing:
      let publisher = PacedPublisher(7, completion: self == .failing ? .failure(.oops) : .finished)
      return (publisher.eraseToAnyPublisher(), publisher.step)
    }
  }
}

/// How a pair's values are requested, before unlimited demand.
public enum PairRequesting: String, CaseIterable, Sendable {
  case everything
  /// Nothing until upstream may have ended, then one by one.
  case lateByOne
  case one, two
  /// With the demand that is returned for a value.
  case returned
  /// During the delivery of a value.
  case duringValue

  fileprivate func makeRecorder() -> Recorder<Int, TestError> {
    let recorder = Recorder<Int, TestError>(demand: self == .everything ? .unlimited : nil)
    if self == .returned { recorder.onValue = { _ in .max(1) } }
    if self == .duringValue {
      recorder.onValue = { [unowned recorder] _ in
        recorder.request(.max(1))
        return .none
      }
    }
    return recorder
  }

  fileprivate func drive(_ recorder: Recorder<Int, TestError>, _ pass: (Int) -> Void) {
    switch self {
    case .everything: break
    case .lateByOne:
      pass(10)
      for _ in 0..<4 {
        recorder.request(.max(1))
        pass(1)
      }
    case .one, .two:
      for _ in 0..<9 where recorder.completions.isEmpty {
        recorder.request(.max(self == .one ? 1 : 2))
        pass(1)
      }
    case .returned, .duringValue:
      recorder.request(.max(1))
      pass(6)
    }
  }
}

/// The output of two operators, one after the other.
public struct PairRun: Equatable {
  public let values: [Int]
  public let completions: [Subscribers.Completion<TestError>]
  /// The rules that have been broken.
  public let complaints: [String]

  public init(_ first: OperatorSpec, _ second: OperatorSpec, _ source: PairSource, _ requesting: PairRequesting) {
    let clock = VirtualTimeScheduler()
    let (stream, step) = source.make()
    let recorder = requesting.makeRecorder()
    second.apply(first.apply(stream, clock: clock), clock: clock).subscribe(recorder)
    requesting.drive(recorder) { count in
      for _ in 0..<count {
        step()
        clock.advance(by: 0.4)
      }
    }
    if requesting != .everything { recorder.request(.unlimited) }
    // Enough for the attempts of one retry after another.
    for _ in 0..<200 where recorder.completions.isEmpty {
      step()
      clock.advance(by: 3)
    }
    values = recorder.values
    completions = recorder.completions
    complaints = recorder.complaints
    recorder.dismiss()
  }

  /// Runs a pair in every way, and compares the outputs.
  ///
  /// - Returns: The problems, one line for each way.
  public static func check(_ first: OperatorSpec, _ second: OperatorSpec) -> [String] {
    var faults: [String] = []
    for source in PairSource.allCases {
      // A failure does not wait, so the values before it depend on timing.
      let varies = source == .failing || first.varies != nil || second.varies != nil
      var expected: PairRun?
      for requesting in PairRequesting.allCases {
        let run = PairRun(first, second, source, requesting)
        let way = "\(first.name) | \(second.name), \(source), requested: \(requesting)"
        if let complaint = run.complaints.first { faults.append("\(way): \(complaint)") }
        if run.completions.count > 1 || (run.completions.isEmpty && !first.traits.contains(.usesUpDemand)) {
          faults.append("\(way): \(run.completions.count) completions")
        }
        if let expected, !varies, run.values != expected.values || run.completions != expected.completions {
          faults.append(
            "\(way): \(run.values) \(run.completions), not \(expected.values) \(expected.completions)")
        }
        expected = expected ?? run
      }
    }
    return faults
  }
}
