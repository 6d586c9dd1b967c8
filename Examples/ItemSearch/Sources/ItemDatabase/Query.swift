// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Synchronization

/// The way of one query: it waits, runs, and ends, or is given up at either point.
///
/// The connection it runs on is interrupted by GRDB, which is told by the task's cancellation; this tells what of it
/// came first.
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

  /// The query has a connection.
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

  /// The query has been superseded.
  func cancel() {
    state.withLock { state in
      switch state {
      case .queued: state = .cancelled(at: .now, hasBegun: false)
      case .running: state = .cancelled(at: .now, hasBegun: true)
      case .cancelled, .ended: break
      }
    }
  }

  /// The query is over, and the connection free.
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
