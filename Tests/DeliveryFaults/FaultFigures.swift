// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation

/// The number and the length of the faults, from the environment, since a thorough run takes long.
public enum FaultSettings {
  /// The number of times that each fault happens, by `PENSTOCK_FAULT_ROUNDS`.
  public static let rounds = number("PENSTOCK_FAULT_ROUNDS") ?? 1
  /// How long a part is down, by `PENSTOCK_FAULT_SECONDS`.
  public static let length = Duration.seconds(number("PENSTOCK_FAULT_SECONDS") ?? 2)

  private static func number(_ name: String) -> Int? { ProcessInfo.processInfo.environment[name].flatMap { Int($0) } }
}

/// The cost of the rounds of a fault.
public struct FaultFigures: CustomStringConvertible {
  /// One time that a part was taken down.
  public struct Round: Sendable {
    /// How long it took until the client noticed; `nil` if it continued before that.
    public var noticed: Duration?
    /// How long it took after the end until something new came; `nil` if it came before the end.
    public var recovered: Duration?
    /// The longest time in which nothing new came.
    public var silence: Duration

    public init(noticed: Duration?, recovered: Duration?, silence: Duration) {
      (self.noticed, self.recovered, self.silence) = (noticed, recovered, silence)
    }
  }

  /// The deliveries of all rounds.
  public struct Sums: Sendable {
    /// Publications that the server has confirmed; each has been delivered.
    public var confirmed: Int
    /// Deliveries that were not acknowledged on purpose; each has come again.
    public var forgotten: Int
    /// Other deliveries of values that had been delivered before.
    public var again: Int
    /// The number of these that had been acknowledged, as far as the client knew.
    public var doneAgain: Int

    public init(confirmed: Int, forgotten: Int = 0, again: Int, doneAgain: Int = 0) {
      (self.confirmed, self.forgotten, self.again, self.doneAgain) = (confirmed, forgotten, again, doneAgain)
    }
  }

  private let name: String
  private let rounds: [Round]
  private let sums: Sums

  public init(_ name: String, _ rounds: [Round], _ sums: Sums) {
    (self.name, self.rounds, self.sums) = (name, rounds, sums)
  }

  /// A line for the person who runs the tests.
  public var description: String {
    let parts = [
      ("noticed after", rounds.compactMap(\.noticed)), ("goes on after", rounds.compactMap(\.recovered)),
      ("longest silence", rounds.map(\.silence)),
    ].filter { !$0.1.isEmpty }.map { "\($0) \(Self.words(for: $1))" }
    return """
      fault: \(name), \(rounds.count) \(rounds.count == 1 ? "round" : "rounds"): \(parts.joined(separator: ", ")); \
      \(sums.confirmed) confirmed, 0 missing, \(sums.forgotten) not acknowledged came again, \
      \(sums.again) others came again, \(sums.doneAgain) of them acknowledged before
      """
  }

  /// The least, the middle and the greatest of the durations, in words.
  private static func words(for durations: [Duration]) -> String {
    let sorted = durations.map { $0 / .seconds(1) }.sorted()
    func words(_ value: Double) -> String { String(format: "%.2f", value) }
    if sorted.count == 1 { return words(sorted[0]) + " s" }
    return "\(words(sorted[0]))/\(words(sorted[sorted.count / 2]))/\(words(sorted[sorted.count - 1])) s"
  }
}
