// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import Penstock
import PenstockTesting

/// A scheduler of one of several kinds, which counts its pending work.
///
/// One type for all kinds, so that each timed operator is compiled once.
struct Lane: Scheduler, Sendable {
  typealias SchedulerTimeType = DispatchQueue.SchedulerTimeType
  typealias SchedulerOptions = DispatchQueue.SchedulerOptions
  typealias Clock = VirtualTimeScheduler<SchedulerTimeType, SchedulerOptions>

  private enum Place {
    case clock(Clock)
    case queue(DispatchQueue)
    case operations(OperationQueue, DispatchQueue)
    case here(Clock)
  }

  private let place: Place

  private static let serial = DispatchQueue(label: "fuzz.serial")
  private static let concurrent = DispatchQueue(label: "fuzz.concurrent", attributes: .concurrent)
  private static let operations = OperationQueue()

  init(_ kind: LaneKind) {
    place =
      switch kind {
      case .virtual: .clock(Clock(now: .init(DispatchTime(uptimeNanoseconds: 1_000_000_000))))
      case .serial: .queue(Self.serial)
      case .concurrent: .queue(Self.concurrent)
      case .operations: .operations(Self.operations, Self.concurrent)
      case .immediate: .here(Clock(now: .init(DispatchTime(uptimeNanoseconds: 1_000_000_000))))
      }
  }

  private var clock: Clock? {
    switch place {
    case .clock(let clock), .here(let clock): clock
    case .queue, .operations: nil
    }
  }

  /// Advances a clock; no effect on a queue.
  func advance(milliseconds: Int) { clock?.advance(by: .milliseconds(milliseconds)) }

  var now: SchedulerTimeType { clock?.now ?? Self.concurrent.now }
  var minimumTolerance: SchedulerTimeType.Stride { .zero }

  func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
    let action = counted(action)
    switch place {
    case .clock(let clock): clock.schedule(options: options, action)
    case .queue(let queue): queue.schedule(options: options, action)
    case .operations(let queue, _): queue.schedule(options: nil, action)
    case .here: action()
    }
  }

  func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) {
    let action = counted(action)
    switch place {
    case .clock(let clock), .here(let clock):
      clock.schedule(after: date, tolerance: tolerance, options: options, action)
    case .queue(let queue), .operations(_, let queue):
      queue.schedule(after: date, tolerance: tolerance, options: options, action)
    }
  }

  func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    let action = counted(action)
    return switch place {
    case .clock(let clock), .here(let clock):
      clock.schedule(after: date, interval: interval, tolerance: tolerance, options: options, action)
    case .queue(let queue), .operations(_, let queue):
      queue.schedule(after: date, interval: interval, tolerance: tolerance, options: options, action)
    }
  }

  private func counted(_ action: @escaping () -> Void) -> () -> Void {
    let ticket = Ticket()
    return {
      ticket.touch()
      action()
    }
  }
}
