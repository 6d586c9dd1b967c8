// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import TestSupport

/// A decision that a schedule consists of.
enum Decision {
  /// Which of these threads continues; if the first one is the running thread, it continues without interruption.
  case next([Int], from: Int?)
  /// Which message a load returns; 0 is the latest.
  case message
}

/// Makes the decisions of a schedule.
protocol Strategy: AnyObject {
  /// - Parameter count: The number of possibilities, at least two.
  func decide(_ count: Int, _ decision: Decision) -> Int

  /// Whether the next decision is one that no schedule before this one has made after the same decisions.
  var isExtending: Bool { get }

  /// The decisions so far.
  var text: String { get }
}

extension Strategy {
  var isExtending: Bool { false }
}

/// Makes all decisions, one list after the other, depth first.
final class Exhaustive: Strategy {
  private var path: [(choice: Int, count: Int)] = []
  private var position = 0

  func decide(_ count: Int, _ decision: Decision) -> Int {
    defer { position += 1 }
    if position == path.count { path.append((0, count)) }
    precondition(
      path[position].count == count,
      "The script does not run the same way twice: \(path[position].count) and \(count) possibilities at decision \(position), after \(text)"
    )
    return path[position].choice
  }

  var isExtending: Bool { position == path.count }

  /// Moves to the next list.
  ///
  /// - Returns: Whether there is one.
  func advance() -> Bool {
    position = 0
    while let (choice, count) = path.popLast() {
      if choice + 1 < count {
        path.append((choice + 1, count))
        return true
      }
    }
    return false
  }

  var text: String { ScheduleText.text(of: path.prefix(position).map(\.choice)) }
}

/// Makes the decisions of a list, and the first possibility after its end.
final class Replay: Strategy {
  private let choices: [Int: Int]
  private(set) var made: [Int] = []

  init(_ choices: [Int: Int]) { self.choices = choices }

  func decide(_ count: Int, _ decision: Decision) -> Int {
    let choice = min(choices[made.count] ?? 0, count - 1)
    made.append(choice)
    return choice
  }

  var text: String { ScheduleText.text(of: made) }
}

/// Gives the threads random priorities, and lowers that of the running one at a few random points.
///
/// After Burckhardt, Kothari, Musuvathi and Nagarakatte, *A Randomized Scheduler with Probabilistic Guarantees of Finding
/// Bugs* (ASPLOS 2010): a fault that takes `depth` steps in a certain order is found with a known probability.
final class Priorities: Strategy {
  private var random: SeededGenerator
  private let changes: Set<Int>
  private var priorities: [Int: Int] = [:]
  private var lowest = 0
  private var made: [Int] = []

  init(seed: UInt64, depth: Int, points: Int) {
    random = SeededGenerator(seed: seed)
    var changes: Set<Int> = []
    for _ in 1..<max(2, depth) { changes.insert(Int.random(in: 0..<max(1, points), using: &random)) }
    self.changes = changes
  }

  private func priority(of thread: Int) -> Int {
    if let known = priorities[thread] { return known }
    let drawn = Int.random(in: 1...(1 << 30), using: &random)
    priorities[thread] = drawn
    return drawn
  }

  func decide(_ count: Int, _ decision: Decision) -> Int {
    let choice: Int
    switch decision {
    case .message:
      choice = Int.random(in: 0..<count, using: &random)
    case .next(let threads, let running):
      if let running, changes.contains(made.count) {
        lowest -= 1
        priorities[running] = lowest
      }
      choice = threads.indices.max { priority(of: threads[$0]) < priority(of: threads[$1]) }!
    }
    made.append(choice)
    return choice
  }

  var text: String { ScheduleText.text(of: made) }
}

/// The form in which a schedule is printed: those decisions that are not the first possibility, as `place:choice`.
enum ScheduleText {
  static func text(of choices: [Int]) -> String {
    let marks = choices.enumerated().filter { $0.element != 0 }.map { "\($0.offset):\($0.element)" }
    return marks.isEmpty ? "-" : marks.joined(separator: " ")
  }

  static func choices(_ text: String) -> [Int: Int] {
    var choices: [Int: Int] = [:]
    for mark in text.split(separator: " ") {
      let parts = mark.split(separator: ":").compactMap { Int($0) }
      if parts.count == 2 { choices[parts[0]] = parts[1] }
    }
    return choices
  }
}
