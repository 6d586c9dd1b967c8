// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// Expectations for values and failures that cannot be compared, or of which a test checks only a part.
extension Recording {
  /// Reads the next value, and passes it to a closure.
  ///
  /// A closure that returns a `Bool` is a predicate, and has to return `true`. Any other closure throws, or uses the
  /// expectations of a test framework; its result is ignored.
  ///
  /// ```swift
  /// let recording = ["gate", "sluice", "weir"].publisher.record()
  /// try recording.expectNext { $0.count == 4 }
  /// try recording.expectNext { word in
  ///   print(word.count)
  /// }
  /// do {
  ///   try recording.expectNext { $0.hasSuffix("gate") }
  /// } catch let failure as TestFailure {
  ///   print(failure.message.prefix { $0 != "." })
  /// }
  /// // Prints "6", "Expected the next value to satisfy the predicate, but there came: weir" on two lines.
  /// ```
  ///
  /// - Parameters:
  ///   - file: The file that the failure names.
  ///   - line: The line that the failure names.
  ///   - inspect: The closure; what it throws is thrown.
  /// - Returns: The value.
  @discardableResult
  public func expectNext<Result>(
    file: StaticString = #filePath, line: UInt = #line, _ inspect: (Input) throws -> Result
  ) throws -> Input {
    try readValue("", file, line, inspect)
  }

  /// Reads the next value, which has to satisfy a predicate.
  ///
  /// - Parameters:
  ///   - file: The file that the failure names.
  ///   - line: The line that the failure names.
  ///   - isExpected: The predicate; what it throws is thrown.
  /// - Returns: The value.
  @discardableResult
  @_disfavoredOverload
  public func expectNext(
    file: StaticString = #filePath, line: UInt = #line, where isExpected: (Input) throws -> Bool
  ) throws -> Input {
    // Disfavored by its attribute: a closure without a label would fit both forms.
    try readValue("", file, line, isExpected)
  }

  /// Reads a number of values, whatever they are.
  ///
  /// ``next(_:within:file:line:)`` waits for them.
  ///
  /// - Parameters:
  ///   - count: The number of values.
  ///   - file: The file that the failure names.
  ///   - line: The line that the failure names.
  /// - Returns: The values.
  @discardableResult
  public func expectNext(count: Int, file: StaticString = #filePath, line: UInt = #line) throws -> [Input] {
    try readCount(count, "", file, line)
  }

  /// Reads values that the test does not want to look at.
  ///
  /// ```swift
  /// let recording = (1...5).publisher.record()
  /// try recording.skip(2)
  /// try recording.expectNext(3)
  /// print(recording.skip { $0 < 9 })
  /// try recording.expectFinished()
  /// // Prints "2"
  /// ```
  ///
  /// - Parameters:
  ///   - count: The number of values, which have to have come.
  ///   - file: The file that the failure names.
  ///   - line: The line that the failure names.
  public func skip(_ count: Int = 1, file: StaticString = #filePath, line: UInt = #line) throws {
    _ = try readCount(count, " to skip", file, line)
  }

  /// Reads values as long as the next one satisfies a predicate; it may read none.
  ///
  /// - Parameter isSkipped: The predicate; what it throws is thrown.
  /// - Returns: The number of values.
  @discardableResult
  public func skip(while isSkipped: (Input) throws -> Bool) rethrows -> Int {
    var count = 0
    while case .value(let value)? = store.state.with({ $0.unread.first }), try isSkipped(value) {
      store.state.with { $0.read += 1 }
      count += 1
    }
    return count
  }

  /// Reads the completion, which has to be next, and a failure that satisfies a predicate.
  ///
  /// - Parameters:
  ///   - file: The file that the failure names.
  ///   - line: The line that the failure names.
  ///   - isExpected: The predicate; what it throws is thrown.
  /// - Returns: The failure.
  @discardableResult
  public func expectFailure(
    file: StaticString = #filePath, line: UInt = #line, where isExpected: (Failure) throws -> Bool
  ) throws -> Failure {
    try readFailure("", file, line, where: isExpected)
  }

  /// Reads the completion, which has to be next, and a failure of a type.
  ///
  /// ```swift
  /// struct Offline: Error { let seconds: Int }
  /// let recording = Fail<Int, any Error>(error: Offline(seconds: 30)).record()
  /// print(try recording.expectFailure(as: Offline.self).seconds)
  /// // Prints "30"
  /// ```
  ///
  /// - Parameters:
  ///   - type: The type.
  ///   - file: The file that the failure names.
  ///   - line: The line that the failure names.
  /// - Returns: The failure.
  @discardableResult
  public func expectFailure<E: Error>(
    as type: E.Type, file: StaticString = #filePath, line: UInt = #line
  ) throws -> E {
    let error = try readFailure("", file, line)
    if let error = error as? E { return error }
    throw failure("a failure of type \(type)", [.failure(error)], file, line)
  }
}
