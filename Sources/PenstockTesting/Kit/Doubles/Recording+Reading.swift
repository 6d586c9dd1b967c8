// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// The parts from which the expectations of a recording are made. `wait` is the text that a wait adds to a failure, such
// as " within 1.0 seconds"; it is empty if nothing was awaited, or if the event came.
extension Recording {
  func readNext(_ expected: [Input], _ wait: String, _ file: StaticString, _ line: UInt) throws
  where Input: Equatable {
    let (values, next) = readValues(expected.count)
    guard values != expected else { return }
    let texts = expected.map { String(describing: $0) }
    throw failure("the next values to be \(listed(texts))\(wait)", next, file, line)
  }

  func readCount(_ count: Int, _ purpose: String, _ file: StaticString, _ line: UInt) throws -> [Input] {
    let (values, next) = readValues(count)
    if values.count == count { return values }
    throw failure("\(count) value\(count == 1 ? "" : "s")\(purpose)", next, file, line)
  }

  func readValue(_ wait: String, _ file: StaticString, _ line: UInt) throws -> Input {
    let next = readOne()
    if case .value(let value) = next { return value }
    throw failure("a value\(wait)", next.map { [$0] } ?? [], file, line)
  }

  /// - Parameter inspect: A closure that inspects the value. `false` is a failure, and any other result is not: a
  ///   closure that is meant as a predicate must not be taken for one whose result says nothing.
  func readValue<Result>(
    _ wait: String, _ file: StaticString, _ line: UInt, _ inspect: (Input) throws -> Result
  ) throws -> Input {
    let value = try readValue(wait, file, line)
    guard try inspect(value) as? Bool == false else { return value }
    throw failure("the next value to satisfy the predicate", [.value(value)], file, line)
  }

  func readFinished(_ wait: String, _ file: StaticString, _ line: UInt) throws {
    let next = readOne()
    if case .completion(.finished) = next { return }
    throw failure("the stream to have finished\(wait)", next.map { [$0] } ?? [], file, line)
  }

  func readFailure(_ wait: String, _ file: StaticString, _ line: UInt) throws -> Failure {
    let next = readOne()
    if case .completion(.failure(let error)) = next { return error }
    throw failure("the stream to have failed\(wait)", next.map { [$0] } ?? [], file, line)
  }

  func readFailure(
    _ wait: String, _ file: StaticString, _ line: UInt, where isExpected: (Failure) throws -> Bool
  ) throws -> Failure {
    let error = try readFailure(wait, file, line)
    if try isExpected(error) { return error }
    throw failure("the failure to satisfy the predicate", [.failure(error)], file, line)
  }

  private func readOne() -> Event? { readEvents(1).first }

  /// Reads the next events, up to a number of them.
  private func readEvents(_ count: Int) -> [Event] {
    store.state.with { state in
      let next = Array(state.unread.prefix(count))
      state.read += next.count
      return next
    }
  }

  private func readValues(_ count: Int) -> ([Input], [Event]) {
    let next = readEvents(count)
    return (next.compactMap { if case .value(let value) = $0 { value } else { nil } }, next)
  }

  func failure(_ expected: String, _ came: [Event], _ file: StaticString, _ line: UInt) -> TestFailure {
    let texts = came.map { event in
      switch event {
      case .value(let value): "\(value)"
      case .completion(.finished): "finished"
      case .completion(.failure(let error)): "failure \(error)"
      }
    }
    return failure(
      "Expected \(expected), but \(texts.isEmpty ? "nothing more came" : "there came: " + listed(texts))", file, line)
  }

  /// A failure with the name of the recording and its trace.
  func failure(_ text: String, _ file: StaticString, _ line: UInt) -> TestFailure {
    TestFailure("\(said(text)).\n\(trace)", file: file, line: line)
  }

  /// A text after the name of the recording, if it has one.
  func said(_ text: String) -> String { name.isEmpty ? text : "\(name): \(text)" }
}
