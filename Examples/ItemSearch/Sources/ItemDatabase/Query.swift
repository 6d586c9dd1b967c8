// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Synchronization

/// The course of one query: it waits, runs, and ends, or is given up while it waits or runs.
///
/// GRDB, which notices the task's cancellation, interrupts the connection on which it runs; this object records which
/// of the two came first.
final class Query: Sendable {
  private enum State {
    case queued
    case running(since: ContinuousClock.Instant)
    case cancelled(at: ContinuousClock.Instant, hasBegun: Bool)
    case ended
  }

  private let state = Mutex(State.queued)
  private let report: @Sendable (QueryEvent) -> Void

  init(_ report: @escaping @Sendable (QueryEvent) -> Void) {
    self.report = report
    report(.queued)
  }

  /// Records that the query has a connection.
  ///
  /// - Throws: `CancellationError` if it has been given up.
  func begin() throws {
    let begins = state.withLock { state in
      guard case .queued = state else { return false }
      state = .running(since: .now)
      return true
    }
    guard begins else { throw CancellationError() }
    report(.began)
  }

  /// Records that the query has been superseded.
  func cancel() {
    state.withLock { state in
      switch state {
      case .queued: state = .cancelled(at: .now, hasBegun: false)
      case .running: state = .cancelled(at: .now, hasBegun: true)
      case .cancelled, .ended: break
      }
    }
  }

  /// Records that the query has ended, and that the connection is free.
  func end(failed: Bool) {
    let event = state.withLock { state -> QueryEvent? in
      defer { state = .ended }
      switch state {
      case .queued: return failed ? .failed : nil
      case .running(let start): return failed ? .failed : .finished(start.duration(to: .now))
      case .cancelled(let instant, true):
        return failed ? .interrupted(after: instant.duration(to: .now)) : .finished(.zero)
      case .cancelled(_, false): return .withdrawn
      case .ended: return nil
      }
    }
    if let event { report(event) }
  }
}
