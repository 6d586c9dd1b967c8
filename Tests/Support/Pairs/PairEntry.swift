// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore
public import PenstockTesting

/// One operator for the tests of pairs: a function from streams of numbers to streams of numbers.
public struct PairEntry: Sendable, CustomStringConvertible {
  public typealias Stream = AnyPublisher<Int, TestError>
  public typealias Clock = VirtualTimeScheduler<VirtualTime, Never>

  public let name: String
  /// The reason why the output depends on the time of requests, and so is not compared; `nil` for an operator whose
  /// output does not depend on it.
  public let varies: String?
  /// Whether the operator uses up demand for values that it drops, as Combine's does: an operator downstream that
  /// requests a few values may get none, and wait for ever.
  public let starves: Bool
  public let apply: @Sendable (Stream, Clock) -> Stream

  public var description: String { name }

  public init<P: Publisher<Int, TestError> & SendableMetatype>(
    _ name: String, varies: String? = nil, starves: Bool = false, _ apply: @escaping @Sendable (Stream, Clock) -> P
  ) {
    self.name = name
    self.varies = varies
    self.starves = starves
    self.apply = { apply($0, $1).eraseToAnyPublisher() }
  }
}

/// The source of a pair's values.
public enum PairSource: String, CaseIterable, Sendable {
  /// Delivers during the request.
  case atOnce
  /// Delivers as time advances, within demand.
  case paced
  case failing

  fileprivate func make() -> (stream: PairEntry.Stream, step: () -> Void) {
    switch self {
    case .atOnce: return (Publishers.Sequence(sequence: 1...7).eraseToAnyPublisher(), {})
    case .paced, .failing:
      let publisher = PacedPublisher(7, completion: self == .failing ? .failure(.oops) : .finished)
      return (publisher.eraseToAnyPublisher(), publisher.step)
    }
  }
}

/// How a pair's values are requested, before unlimited demand.
public enum PairAsking: String, CaseIterable, Sendable {
  case everything
  /// Nothing until upstream may have ended, then one by one.
  case lateByOne
  case one, two
  /// By the demand that is returned for a value.
  case returned
  /// During the delivery of a value.
  case inside

  fileprivate func prepare(_ subscriber: ContractSubscriber) {
    switch self {
    case .everything: subscriber.onSubscription = { $0.request(.unlimited) }
    case .returned: subscriber.onValue = { _, _ in .max(1) }
    case .inside:
      subscriber.onValue = { subscriber, _ in
        subscriber.request(.max(1))
        return .none
      }
    case .lateByOne, .one, .two: break
    }
  }

  fileprivate func drive(_ subscriber: ContractSubscriber, _ pass: (Int) -> Void) {
    switch self {
    case .everything: break
    case .lateByOne:
      pass(10)
      for _ in 0..<4 {
        subscriber.request(.max(1))
        pass(1)
      }
    case .one, .two:
      for _ in 0..<9 where subscriber.completions.isEmpty {
        subscriber.request(.max(self == .one ? 1 : 2))
        pass(1)
      }
    case .returned, .inside:
      subscriber.request(.max(1))
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

  public init(_ first: PairEntry, _ second: PairEntry, _ source: PairSource, _ asking: PairAsking) {
    let clock = VirtualTimeScheduler()
    let (stream, step) = source.make()
    let subscriber = ContractSubscriber()
    asking.prepare(subscriber)
    second.apply(first.apply(stream, clock), clock).subscribe(subscriber)
    asking.drive(subscriber) { count in
      for _ in 0..<count {
        step()
        clock.advance(by: 0.4)
      }
    }
    if asking != .everything { subscriber.request(.unlimited) }
    // Enough for the attempts of one retry after another.
    for _ in 0..<200 where subscriber.completions.isEmpty {
      step()
      clock.advance(by: 3)
    }
    values = subscriber.values
    completions = subscriber.completions
    complaints = subscriber.complaints
    subscriber.cancel()
  }

  /// Runs a pair in every way, and compares the outputs.
  ///
  /// - Returns: The problems, one line for each way.
  public static func check(_ first: PairEntry, _ second: PairEntry) -> [String] {
    var faults: [String] = []
    for source in PairSource.allCases {
      // A failure does not wait, so the values before it depend on timing.
      let varies = source == .failing || first.varies != nil || second.varies != nil
      var expected: PairRun?
      for asking in PairAsking.allCases {
        let run = PairRun(first, second, source, asking)
        let way = "\(first.name) | \(second.name), \(source), asked for \(asking)"
        if let complaint = run.complaints.first { faults.append("\(way): \(complaint)") }
        if run.completions.count > 1 || (run.completions.isEmpty && !first.starves) {
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
