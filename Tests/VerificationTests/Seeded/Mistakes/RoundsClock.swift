// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore
import PenstockTesting

// Breaks: T-06 – rounds are kept in order, and a cancelled one is removed by putting the last one in its place, which
// is out of order there: if others wait between the two, the later round runs before them, or holds them up.
final class RoundsClock: Scheduler {
  typealias SchedulerTimeType = VirtualTime
  typealias SchedulerOptions = Never

  private struct Round {
    var date: VirtualTime
    var number: Int
    let key: Int
    let interval: VirtualTime.Stride?
    let work: () -> Void
  }

  private let lock = NSLock()
  private var clock = VirtualTime.zero
  private var rounds: [Round] = []  // in order
  private var numbers = 0

  var now: VirtualTime { lock.withLock { clock } }
  var minimumTolerance: VirtualTime.Stride { 0 }

  func schedule(options: Never?, _ action: @escaping () -> Void) { add(nil, every: nil, action) }

  func schedule(
    after date: VirtualTime, tolerance: VirtualTime.Stride, options: Never?, _ action: @escaping () -> Void
  ) {
    add(date, every: nil, action)
  }

  func schedule(
    after date: VirtualTime, interval: VirtualTime.Stride, tolerance: VirtualTime.Stride, options: Never?,
    _ action: @escaping () -> Void
  ) -> any Cancellable {
    let key = add(date, every: interval > 0 ? interval : .milliseconds(1), action)
    return AnyCancellable { [weak self] in self?.remove(key) }
  }

  @discardableResult
  private func add(_ date: VirtualTime?, every interval: VirtualTime.Stride?, _ work: @escaping () -> Void) -> Int {
    lock.withLock {
      numbers += 1
      let date = date.map { Swift.max($0, clock) } ?? clock
      insert(Round(date: date, number: numbers, key: numbers, interval: interval, work: work))
      return numbers
    }
  }

  // Under the lock.
  private func insert(_ round: Round) {
    var place = rounds.count
    while place > 0, (rounds[place - 1].date, rounds[place - 1].number) > (round.date, round.number) { place -= 1 }
    rounds.insert(round, at: place)
  }

  private func remove(_ key: Int) {
    var removed: Round?
    lock.lock()
    if let place = rounds.firstIndex(where: { $0.key == key }) {
      // So the rounds after it need not be moved.
      rounds.swapAt(place, rounds.count - 1)
      removed = rounds.removeLast()
    }
    lock.unlock()
    withExtendedLifetime(removed) {}
  }

  func advance(by stride: VirtualTime.Stride) {
    let end = now.advanced(by: stride)
    while let round = takeNext(until: end) { round.work() }
    lock.withLock { clock = Swift.max(clock, end) }
  }

  private func takeNext(until end: VirtualTime) -> Round? {
    lock.withLock {
      guard let round = rounds.first, round.date <= end else { return nil }
      rounds.removeFirst()
      clock = Swift.max(clock, round.date)
      if let interval = round.interval {
        numbers += 1
        var next = round
        (next.date, next.number) = (round.date.advanced(by: interval), numbers)
        insert(next)
      }
      return round
    }
  }
}
