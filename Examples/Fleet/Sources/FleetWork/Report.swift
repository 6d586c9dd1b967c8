// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import PenstockConcurrency

/// A report of a worker or a producer, in one line.
///
/// A line is written before the server gets the confirmation of what it reports, so that it can't be missing if the
/// process is killed.
public enum Report: Sendable, Equatable {
  /// The server keeps the orders with these numbers.
  case confirmed(ClosedRange<Int>)
  /// An order has been worked on.
  case done(Int, attempt: Int)
  /// How many deliveries a worker has asked for, got, and settled since it began.
  case counts(WorkerCounts)
  /// A note for the reader.
  case note(String)

  /// The line, without its end.
  public var line: String {
    switch self {
    case .confirmed(let numbers): "confirmed \(numbers.lowerBound) \(numbers.upperBound)"
    case .done(let number, let attempt): "done \(number) \(attempt)"
    case .counts(let counts): "counts \(counts.asked) \(counts.fetched) \(counts.settled)"
    case .note(let text): "note \(text)"
    }
  }

  /// - Returns: `nil` for a line that is no report, such as one that was cut off.
  public init?(line: some StringProtocol) {
    let words = line.split(separator: " ")
    let numbers = words.dropFirst().compactMap { Int($0) }
    switch (words.first, numbers.count) {
    case ("confirmed", 2) where numbers[0] <= numbers[1]: self = .confirmed(numbers[0]...numbers[1])
    case ("done", 2): self = .done(numbers[0], attempt: numbers[1])
    case ("counts", 3): self = .counts(WorkerCounts(asked: numbers[0], fetched: numbers[1], settled: numbers[2]))
    case ("note", _): self = .note(line.dropFirst("note ".count).description)
    default: return nil
    }
  }
}

/// How many deliveries a worker has asked for, and what has happened to them.
public struct WorkerCounts: Sendable, Equatable {
  /// Requested.
  public var asked: Int
  /// Delivered.
  public var fetched: Int
  /// Acknowledged or given back.
  public var settled: Int

  public init(asked: Int = 0, fetched: Int = 0, settled: Int = 0) {
    (self.asked, self.fetched, self.settled) = (asked, fetched, settled)
  }

  /// Creates the counts of a worker from those of its deliveries; what has been asked for in vain does not count.
  internal init(_ counts: CreditCounts) {
    self.init(
      asked: counts.asked - counts.returnedCredit - counts.lostCredit, fetched: counts.fetched,
      settled: counts.fetched - counts.inFlight)
  }

  /// How many deliveries the worker has.
  public var inFlight: Int { fetched - settled }
}
