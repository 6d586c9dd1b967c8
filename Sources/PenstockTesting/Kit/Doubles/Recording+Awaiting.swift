// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// The expectations that wait. Each waits until its events have arrived or the stream is over, and then reads them as
// the form without `within:` does; the cap is for a stream that never delivers them. They run on the caller's actor,
// and so do their closures.
extension Recording {
  /// Waits for the next values, which have to be equal to these, and reads them.
  ///
  /// ```swift
  /// let subject = PassthroughSubject<Int, Never>()
  /// let recording = subject.record()
  /// let sender = Task { for number in 1...4 { subject.send(number) } }
  /// try await recording.expectNext(1, 2, within: .seconds(60))
  /// try await recording.expectNext(within: .seconds(60)) { $0 == 3 }
  /// try await recording.skip(1, within: .seconds(60))
  /// recording.cancel()
  /// await sender.value
  /// print(recording.ledger.delivered)
  /// // Prints "4"
  /// ```
  ///
  /// The wait ends with the event that it waits for, as it does in ``next(_:within:file:line:)``.
  ///
  /// - Parameters:
  ///   - expected: The values.
  ///   - limit: The cap.
  ///   - file: The file that the failure names.
  ///   - line: The line that the failure names.
  public nonisolated(nonsending) func expectNext(
    _ expected: Input..., within limit: Duration, file: StaticString = #filePath, line: UInt = #line
  ) async throws where Input: Equatable {
    try readNext(expected, await arrival(of: expected.count, within: limit), file, line)
  }

  /// Waits for the next value, reads it, and passes it to a closure.
  ///
  /// A closure that returns a `Bool` is a predicate, and has to return `true`.
  ///
  /// - Parameters:
  ///   - limit: The cap.
  ///   - file: The file that the failure names.
  ///   - line: The line that the failure names.
  ///   - inspect: The closure; what it throws is thrown.
  /// - Returns: The value.
  @discardableResult
  public nonisolated(nonsending) func expectNext<Result>(
    within limit: Duration, file: StaticString = #filePath, line: UInt = #line,
    _ inspect: (Input) throws -> Result
  ) async throws -> Input {
    try readValue(await arrival(within: limit), file, line, inspect)
  }

  /// Waits for the next value, which has to satisfy a predicate, and reads it.
  ///
  /// - Parameters:
  ///   - limit: The cap.
  ///   - file: The file that the failure names.
  ///   - line: The line that the failure names.
  ///   - isExpected: The predicate; what it throws is thrown.
  /// - Returns: The value.
  @discardableResult
  @_disfavoredOverload
  public nonisolated(nonsending) func expectNext(
    within limit: Duration, file: StaticString = #filePath, line: UInt = #line,
    where isExpected: (Input) throws -> Bool
  ) async throws -> Input {
    try readValue(await arrival(within: limit), file, line, isExpected)
  }

  /// Waits for values that the test does not want to look at, and reads them.
  ///
  /// - Parameters:
  ///   - count: The number of values.
  ///   - limit: The cap.
  ///   - file: The file that the failure names.
  ///   - line: The line that the failure names.
  public nonisolated(nonsending) func skip(
    _ count: Int = 1, within limit: Duration, file: StaticString = #filePath, line: UInt = #line
  ) async throws {
    _ = try readCount(count, " to skip" + (await arrival(of: count, within: limit)), file, line)
  }

  /// Waits for the completion, which has to be next, and `.finished`, and reads it.
  ///
  /// - Parameters:
  ///   - limit: The cap.
  ///   - file: The file that the failure names.
  ///   - line: The line that the failure names.
  public nonisolated(nonsending) func expectFinished(
    within limit: Duration, file: StaticString = #filePath, line: UInt = #line
  ) async throws {
    try readFinished(await arrival(within: limit), file, line)
  }

  /// Waits for the completion, which has to be next, and a failure, and reads it.
  ///
  /// - Parameters:
  ///   - limit: The cap.
  ///   - file: The file that the failure names.
  ///   - line: The line that the failure names.
  /// - Returns: The failure.
  @discardableResult
  public nonisolated(nonsending) func expectFailure(
    within limit: Duration, file: StaticString = #filePath, line: UInt = #line
  ) async throws -> Failure {
    try readFailure(await arrival(within: limit), file, line)
  }

  /// Waits for the completion, which has to be next, and a failure that satisfies a predicate, and reads it.
  ///
  /// - Parameters:
  ///   - limit: The cap.
  ///   - file: The file that the failure names.
  ///   - line: The line that the failure names.
  ///   - isExpected: The predicate; what it throws is thrown.
  /// - Returns: The failure.
  @discardableResult
  public nonisolated(nonsending) func expectFailure(
    within limit: Duration, file: StaticString = #filePath, line: UInt = #line,
    where isExpected: (Failure) throws -> Bool
  ) async throws -> Failure {
    try readFailure(await arrival(within: limit), file, line, where: isExpected)
  }

  /// Waits until a number of events can be read, or the stream is over.
  ///
  /// - The words that the wait adds to the text of a failure.
  private nonisolated(nonsending) func arrival(of count: Int = 1, within limit: Duration) async -> String {
    await store.wait(within: limit) { $0.unread.count >= count || $0.hasEnded }.words(limit)
  }
}
