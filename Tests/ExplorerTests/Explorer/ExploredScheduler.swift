// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import PenstockTesting

/// A serial queue that is a logical thread: it performs scheduled actions whenever the exploration lets it.
///
/// The schedule decides about time: an action for later may be performed at any moment after it has been scheduled, and
/// the clock then shows its date.
final class ExploredScheduler: Scheduler, @unchecked Sendable {
  // `@unchecked`: one logical thread runs at a time.

  typealias SchedulerTimeType = VirtualTime
  typealias SchedulerOptions = Never

  private struct Work {
    let date: SchedulerTimeType
    let number: Int
    let action: () -> Void
  }

  private let exploration: Exploration
  private var works: [Work] = []
  private var count = 0
  /// The number of times that a repeated action is performed.
  private let turns: Int
  private(set) var now: SchedulerTimeType

  init(_ exploration: Exploration, turns: Int = 3) {
    self.exploration = exploration
    self.turns = turns
    now = VirtualTimeScheduler<VirtualTime, Never>().now
  }

  var minimumTolerance: SchedulerTimeType.Stride { .zero }

  /// The thread, to be among those that serve the others.
  var thread: Script.Thread {
    Script.Thread(name: "queue") { [self] in
      while true {
        exploration.wait { [self] in !works.isEmpty || exploration.areOver(but: ["queue"]) }
        if !performNext() { return }
      }
    }
  }

  /// - Returns: Whether there was an action.
  private func performNext() -> Bool {
    guard
      let place = works.indices.min(by: { (works[$0].date, works[$0].number) < (works[$1].date, works[$1].number) })
    else { return false }
    let work = works.remove(at: place)
    if now < work.date { now = work.date }
    exploration.yield("begins what was scheduled")
    work.action()
    return true
  }

  /// Performs the actions that are left, when all threads are over.
  func performAll() { while performNext() {} }

  private func add(_ date: SchedulerTimeType, _ action: @escaping () -> Void) -> Int {
    count += 1
    works.append(Work(date: date, number: count, action: action))
    exploration.yield("schedules an action")
    return count
  }

  func schedule(options: Never?, _ action: @escaping () -> Void) { _ = add(now, action) }

  func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: Never?, _ action: @escaping () -> Void
  ) { _ = add(date, action) }

  func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
    options: Never?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    let repeated = Repeated(left: turns, action)
    addTurn(of: repeated, at: date, interval)
    return AnyCancellable { repeated.left = 0 }
  }

  private final class Repeated {
    var left: Int
    let action: () -> Void

    init(left: Int, _ action: @escaping () -> Void) {
      self.left = left
      self.action = action
    }
  }

  private func addTurn(of repeated: Repeated, at date: SchedulerTimeType, _ interval: SchedulerTimeType.Stride) {
    _ = add(date) { [self] in
      if repeated.left == 0 { return }
      repeated.left -= 1
      repeated.action()
      if repeated.left > 0 { addTurn(of: repeated, at: date.advanced(by: interval), interval) }
    }
  }
}
