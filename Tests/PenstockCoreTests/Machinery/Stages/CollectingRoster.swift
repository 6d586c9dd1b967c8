// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// One operator of the collecting shape, for the rules that all of them follow.
///
/// `@unchecked`: the closure captures nothing.
struct CollectingCase: CustomTestStringConvertible, @unchecked Sendable {
  let operation: String
  /// The text that `print()` prints for it.
  let text: String
  let children: [String]
  /// Values that do not determine the result on their own, and the result at the end; `nil` for no value at all.
  let inputs: [Int]
  let result: String?
  /// The result of a stream without values.
  let emptyResult: String?
  /// A value that determines the result at once, and that result.
  let decision: (input: Int, result: String)?
  let make: (AnyPublisher<Int, TestError>) -> AnyPublisher<String, TestError>

  var testDescription: String { operation }

  init<P: Publisher>(
    _ operation: String, text: String, children: [String] = ["downstream", "result", "initial", "status"],
    inputs: [Int] = [2, 3, 1], result: String?, emptyResult: String? = nil,
    decision: (input: Int, result: String)? = nil, _ apply: @escaping (AnyPublisher<Int, TestError>) -> P
  ) {
    self.operation = operation
    self.text = text
    self.children = children
    self.inputs = inputs
    self.result = result
    self.emptyResult = emptyResult
    self.decision = decision
    // Neither `map` nor `mapError` has a subscription of its own: downstream sees the operator's.
    make = { upstream in
      apply(upstream).map { String(describing: $0) }.mapError { $0 as? TestError ?? TestError("another error") }
        .eraseToAnyPublisher()
    }
  }

  /// The events after the subscription, when a result is delivered.
  func outcome(_ result: String?) -> [Event<String, TestError>] {
    (result.map { [.value($0)] } ?? []) + [.completion(.finished)]
  }

  /// The events of a whole stream.
  func story(_ result: String?) -> [Event<String, TestError>] {
    [.subscription(text)] + outcome(result)
  }

  /// Attaches a recorder through the operator to a publisher that is driven by hand.
  func attach(
    _ recorder: Recorder<String, TestError>, subscription: ManualSubscription? = ManualSubscription()
  ) -> ManualPublisher<Int, TestError> {
    let publisher = ManualPublisher<Int, TestError>(subscription: subscription)
    make(publisher.eraseToAnyPublisher()).subscribe(recorder)
    return publisher
  }

  /// A value at which the closures of the throwing operators throw.
  static let poison = 13

  static func check(_ value: Int) throws {
    if value == poison { throw TestError.oops }
  }
}

extension CollectingCase {
  static let all: [CollectingCase] = reducing + matching + prefixing

  static let deciding = all.filter { $0.decision != nil }

  static let throwing = all.filter { $0.operation.hasPrefix("try") }

  private static let reducing: [CollectingCase] = [
    CollectingCase("reduce", text: "Reduce", result: "16", emptyResult: "10") { $0.reduce(10, +) },
    CollectingCase("tryReduce", text: "TryReduce", result: "16", emptyResult: "10") {
      $0.tryReduce(10) { sum, value in
        try check(value)
        return sum + value
      }
    },
    CollectingCase(
      "collect", text: "Collect", children: ["count"], result: "[2, 3, 1]", emptyResult: "[]"
    ) { $0.collect() },
    CollectingCase("count", text: "Count", result: "3", emptyResult: "0") { $0.count() },
    CollectingCase("min", text: "Comparison", result: "1") { $0.min() },
    CollectingCase("max", text: "Comparison", result: "3") { $0.max() },
    CollectingCase("min(by:)", text: "Comparison", result: "3") { $0.min(by: >) },
    CollectingCase("max(by:)", text: "Comparison", result: "1") { $0.max(by: >) },
    CollectingCase("tryMin(by:)", text: "TryComparison", result: "1") {
      $0.tryMin { a, b in
        try check(a)
        try check(b)
        return a < b
      }
    },
    CollectingCase("tryMax(by:)", text: "TryComparison", result: "3") {
      $0.tryMax { a, b in
        try check(a)
        try check(b)
        return a < b
      }
    },
  ]

  private static let matching: [CollectingCase] = [
    CollectingCase(
      "contains", text: "Contains", result: "false", emptyResult: "false", decision: (7, "true")
    ) { $0.contains(7) },
    CollectingCase(
      "contains(where:)", text: "ContainsWhere", result: "false", emptyResult: "false", decision: (7, "true")
    ) { $0.contains { $0 > 5 } },
    CollectingCase(
      "tryContains(where:)", text: "TryContainsWhere", result: "false", emptyResult: "false", decision: (7, "true")
    ) {
      $0.tryContains { value in
        try check(value)
        return value > 5
      }
    },
    CollectingCase(
      "allSatisfy", text: "AllSatisfy", result: "true", emptyResult: "true", decision: (7, "false")
    ) { $0.allSatisfy { $0 < 5 } },
    CollectingCase(
      "tryAllSatisfy", text: "TryAllSatisfy", result: "true", emptyResult: "true", decision: (7, "false")
    ) {
      $0.tryAllSatisfy { value in
        try check(value)
        return value < 5
      }
    },
  ]

  private static let prefixing: [CollectingCase] = [
    CollectingCase("first", text: "First", inputs: [], result: nil, decision: (7, "7")) { $0.first() },
    CollectingCase("first(where:)", text: "TryFirst", result: nil, decision: (7, "7")) { $0.first { $0 > 5 } },
    CollectingCase("tryFirst(where:)", text: "TryFirstWhere", result: nil, decision: (7, "7")) {
      $0.tryFirst { value in
        try check(value)
        return value > 5
      }
    },
    CollectingCase("last", text: "Last", result: "1") { $0.last() },
    CollectingCase("last(where:)", text: "LastWhere", result: "3") { $0.last { $0 > 1 } },
    CollectingCase("tryLast(where:)", text: "TryLastWhere", result: "3") {
      $0.tryLast { value in
        try check(value)
        return value > 1
      }
    },
  ]
}
