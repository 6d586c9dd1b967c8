// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// Each expectation reads events in order, and throws a `TestFailure` that says what was expected, what came, and everything
// that had come before: both test frameworks show a thrown error.
extension Recording {
  /// Reads the next values, which have to be equal to these.
  public func expectNext(_ expected: Input..., file: StaticString = #filePath, line: UInt = #line) throws
  where Input: Equatable {
    try readNext(expected, "", file, line)
  }

  /// Reads the completion, which has to be next, and `.finished`.
  public func expectFinished(file: StaticString = #filePath, line: UInt = #line) throws {
    try readFinished("", file, line)
  }

  /// Reads the completion, which has to be next, and a failure.
  ///
  /// - Returns: The failure.
  @discardableResult
  public func expectFailure(file: StaticString = #filePath, line: UInt = #line) throws -> Failure {
    try readFailure("", file, line)
  }

  /// Reads the completion, which has to be next, and a failure equal to this one.
  public func expectFailure(_ expected: Failure, file: StaticString = #filePath, line: UInt = #line) throws
  where Failure: Equatable {
    let error = try readFailure("", file, line)
    guard error != expected else { return }
    throw failure("the failure \(expected)", [.failure(error)], file, line)
  }

  /// Expects that there is nothing to read.
  public func expectNothing(file: StaticString = #filePath, line: UInt = #line) throws {
    let unread = store.state.with { Array($0.unread) }
    if !unread.isEmpty { throw failure("nothing", unread, file, line) }
  }

  /// Expects the demand that has been granted by both roads, and the number of values that have been delivered.
  public func expect(
    demand: Subscribers.Demand, delivered: Int, file: StaticString = #filePath, line: UInt = #line
  ) throws {
    let ledger = ledger
    guard ledger.granted != demand || ledger.delivered != delivered else { return }
    throw failure("Expected granted \(demand.words), delivered \(delivered); it was \(ledger)", file, line)
  }

  /// Expects that no rule of streams has been broken so far.
  public func expectRulesKept(file: StaticString = #filePath, line: UInt = #line) throws {
    guard let first = brokenRules.first else { return }
    throw failure("A broken rule: \(first)", file, line)
  }
}

extension Recording {
  /// Waits for the next values, and reads them.
  ///
  /// ```swift
  /// let subject = PassthroughSubject<Int, Never>()
  /// let recording = subject.record()
  /// let sender = Task { for number in 1...3 { subject.send(number) } }
  /// print(try await recording.next(3))
  /// recording.cancel()
  /// await sender.value
  /// // Prints "[1, 2, 3]"
  /// ```
  ///
  /// The wait ends with the event that it waits for: nothing is polled and no time passes. It fails when the stream
  /// ends before, when the task is cancelled, and at its cap; the failure shows everything that came.
  ///
  /// - Parameters:
  ///   - count: The number of values.
  ///   - limit: The cap, for a stream that never delivers them.
  ///   - file: The file that failures name.
  ///   - line: The line that failures name.
  public func next(
    _ count: Int = 1, within limit: Duration = .seconds(60), file: StaticString = #filePath, line: UInt = #line
  ) async throws -> [Input] {
    let reason = await store.wait(within: limit) { $0.unread.count >= count || $0.hasEnded }
    let (values, next) = store.state.with { state -> ([Input], [Event]) in
      let next = Array(state.unread.prefix(count))
      let values = next.compactMap { if case .value(let value) = $0 { value } else { nil } }
      if values.count == count { state.read += count }
      return (values, next)
    }
    if values.count == count { return values }
    let expected = "\(count) value\(count == 1 ? "" : "s")\(reason.words(limit))"
    throw failure(expected, next, file, line)
  }

  /// Waits for the completion; everything before it counts as read.
  public func end(
    within limit: Duration = .seconds(60), file: StaticString = #filePath, line: UInt = #line
  ) async throws -> Subscribers.Completion<Failure> {
    let reason = await store.wait(within: limit) { $0.hasEnded }
    if let completion { return completion }
    throw failure("a completion\(reason.words(limit))", store.state.with { Array($0.unread) }, file, line)
  }
}

extension Waiter.Reason {
  /// The words that a wait adds to the text of a failure.
  func words(_ limit: Duration) -> String {
    switch self {
    case .arrived: ""
    case .cancelled: " (the task was cancelled)"
    case .capReached: " within \(limit)"
    }
  }
}
