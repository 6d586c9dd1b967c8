// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The conditions that fail a test when a recording ends.
public struct EndChecks: OptionSet, Sendable {
  /// The set as a number.
  public let rawValue: Int

  /// Creates a set from a number.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Values that the test has not read.
  public static let values = EndChecks(rawValue: 1)

  /// A failure that the test has not read.
  public static let failures = EndChecks(rawValue: 2)

  /// A `.finished` that the test has not read.
  public static let finished = EndChecks(rawValue: 4)

  /// A subscription that has neither been cancelled nor completed.
  public static let subscriptions = EndChecks(rawValue: 8)

  /// A rule of streams that was broken.
  public static let rules = EndChecks(rawValue: 16)

  /// All but ``finished``: values and failures have to be read, the stream has to be over, and no rule may be broken.
  public static let `default`: EndChecks = [.values, .failures, .subscriptions, .rules]
}

extension Recording {
  /// Everything that is wrong at the end of the recording, as one failure.
  func failureAtEnd(file: StaticString, line: UInt) -> TestFailure? {
    var problems: [String] = []
    let unread = store.state.with { Array($0.unread) }
    let values = unread.compactMap { if case .value(let value) = $0 { String(describing: value) } else { nil } }
    if checks.contains(.values), !values.isEmpty {
      problems.append("\(values.count) unread value\(values.count == 1 ? "" : "s"): \(listed(values))")
    }
    if case .completion(let completion) = unread.last {
      switch completion {
      case .finished: if checks.contains(.finished) { problems.append("an unread completion: finished") }
      case .failure(let error): if checks.contains(.failures) { problems.append("an unread failure: \(error)") }
      }
    }
    if checks.contains(.subscriptions), isLive {
      problems.append("the subscription is still alive: cancel the recording, or complete the stream")
    }
    if checks.contains(.rules) { problems += brokenRules.prefix(3).map { "a broken rule: \($0)" } }
    guard !problems.isEmpty else { return nil }
    return failure("A recording ended with \(problems.joined(separator: "; "))", file, line)
  }
}

/// The first few of a list, in words.
func listed(_ texts: [String]) -> String {
  texts.prefix(10).joined(separator: ", ") + (texts.count > 10 ? ", … (\(texts.count) in all)" : "")
}
