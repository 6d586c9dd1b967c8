// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import PenstockTesting
import TestSupport

/// A scheduler without order: its blocks run when the test says so, on any thread, whatever their date.
final class CrowdScheduler: Scheduler, @unchecked Sendable {
  typealias SchedulerTimeType = VirtualTime
  typealias SchedulerOptions = Never

  private struct State {
    var blocks: [@Sendable () -> Void] = []
    var timers: [Int: @Sendable () -> Void] = [:]
    var count = 0
    var now = 0
    var calls = 0
    var takesRuns = false
  }

  private let state = Locked(State())

  /// Whether one block may deliver several values.
  var takesRuns: Bool {
    get { state.value.takesRuns }
    set { state.change { $0.takesRuns = newValue } }
  }

  /// Each read of the clock advances it by a second.
  var now: VirtualTime {
    .init(
      nanoseconds: 1_000_000_000
        * state.change {
          $0.now += 1
          return $0.now
        })
  }

  var minimumTolerance: VirtualTime.Stride { 0 }

  /// The number of calls that have scheduled work.
  var calls: Int { state.value.calls }

  /// The number of timers that have not been cancelled.
  var timers: Int { state.value.timers.count }

  func schedule(options: Never?, _ action: @escaping () -> Void) {
    let block = UncheckedBox(action)
    state.change {
      $0.calls += 1
      $0.blocks.append { block.value() }
    }
  }

  func schedule(
    after date: VirtualTime, tolerance: VirtualTime.Stride, options: Never?, _ action: @escaping () -> Void
  ) {
    schedule(options: nil, action)
  }

  func schedule(
    after date: VirtualTime, interval: VirtualTime.Stride, tolerance: VirtualTime.Stride, options: Never?,
    _ action: @escaping () -> Void
  ) -> any Cancellable {
    let block = UncheckedBox(action)
    let number = state.change {
      $0.calls += 1
      $0.count += 1
      $0.timers[$0.count] = { block.value() }
      return $0.count
    }
    return AnyCancellable { [weak self] in
      // Released outside the lock.
      _ = self?.state.change { $0.timers.removeValue(forKey: number) }
    }
  }

  /// Runs one block, picked at random, or one tick of a timer.
  ///
  /// - Returns: Whether there was one.
  @discardableResult
  func runAny() -> Bool {
    let block = state.change { state -> (@Sendable () -> Void)? in
      if let place = state.blocks.indices.randomElement() { return state.blocks.remove(at: place) }
      return nil
    }
    block?()
    return block != nil
  }

  func tick() {
    state.change { $0.timers.randomElement()?.value }?()
  }

  /// Runs the block that was scheduled last.
  @discardableResult
  func runLast() -> Bool {
    let block = state.change { $0.blocks.popLast() }
    block?()
    return block != nil
  }

  func runAll() { while runAny() {} }
}

extension CrowdScheduler: RunScheduler {}
