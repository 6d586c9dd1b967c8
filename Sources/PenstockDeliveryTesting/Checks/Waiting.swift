// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockTesting

/// The times of a check.
package struct Patience: Sendable {
  @TaskLocal package static var current = Patience()

  /// A limit for an event that never comes: every other wait ends with its event.
  package var cap = Duration.seconds(300)

  /// The deadline of the engine's deliveries.
  package var deadline = Duration.seconds(3)

  /// The delay with which a check gives a delivery back: long enough to distinguish the delivery from one that comes at
  /// once.
  package var delay = Duration.milliseconds(300)

  package init() {}

  package static var cap: Duration { current.cap }
}

/// What a check has seen.
package struct BrokenRule: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}

/// Asks until a condition holds: an engine's own counts follow what it has sent, and it has no event for that.
package func eventually(_ what: String, _ condition: () async throws -> Bool) async throws {
  let end = ContinuousClock.now + Patience.cap
  while try await !condition() {
    if ContinuousClock.now > end || Task.isCancelled { throw BrokenRule("not within \(Patience.cap): \(what)") }
    // Tasks have few threads, and other tasks need them.
    try? await ContinuousClock().sleep(for: .milliseconds(2))
  }
}

/// Does something again and again until it is cancelled, an interval after the last time.
func regularly(every interval: Duration, _ body: () async throws -> Void) async throws {
  while !Task.isCancelled {
    try await body()
    try? await ContinuousClock().sleep(for: interval)
  }
}

/// Returns what a body returns, or `nil` if it has not returned within a limit, or the caller has been cancelled.
///
/// A call of an engine may never return, so the body is cancelled then, and not waited for.
func ended<Result: Sendable>(
  within limit: Duration, _ body: @escaping @Sendable () async -> Result
) async -> Result? {
  let (results, continuation) = AsyncStream<Result?>.makeStream()
  let work = Task { continuation.yield(await body()) }
  let alarm = Task {
    try? await ContinuousClock().sleep(for: limit)
    continuation.yield(nil)
  }
  defer {
    work.cancel()
    alarm.cancel()
  }
  for await result in results { return result }
  return nil
}

func expect(_ condition: Bool, _ words: @autoclosure () -> String) throws {
  if !condition { throw BrokenRule(words()) }
}

func expectEqual<Value: Equatable>(_ found: Value, _ wanted: Value, _ what: String) throws {
  try expect(found == wanted, "\(what): \(found); wanted: \(wanted)")
}

/// What an error says that a check has ended with.
func finding(_ error: any Error) -> String {
  switch error {
  case let error as BrokenRule: error.description
  case let error as TestFailure: error.message
  default: "a call of the engine has thrown \(error)"
  }
}
