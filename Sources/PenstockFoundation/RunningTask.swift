// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import Dispatch
internal import Foundation

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// A data task, with the time at which it was created.
///
/// Foundation on Linux consults the session's cache before it lets a task load. A cancel between the cache's answer and
/// the start of loading overtakes the start: the task ends twice, and Foundation stops the process ("Trying to access a
/// behaviour for a task that in not in the registry"; swift-corelibs-foundation, issue 3296). With Swift 6.3.1 each of
/// 12 runs of 2,000 tasks that were cancelled as soon as they were resumed ended this way; of 8,000 tasks that were
/// cancelled up to a few milliseconds later, or in a session without a cache, none did. So a task of a session with a
/// cache gets time to start before it is cancelled.
internal struct RunningTask {
  internal let task: URLSessionDataTask
  private let session: URLSession
  private let made = DispatchTime.now()

  internal init(_ task: URLSessionDataTask, of session: URLSession) {
    self.task = task
    self.session = session
  }

  /// The time for which a task is not cancelled: thousands of times what it needs, since a busy machine may delay it.
  private static let timeToStart = DispatchTimeInterval.milliseconds(500)

  internal func cancel() {
    #if canImport(FoundationNetworking)
      let date = made + Self.timeToStart
      if date > .now(), session.configuration.urlCache != nil {
        return DispatchQueue.global().asyncAfter(deadline: date) { [task] in task.cancel() }
      }
    #endif
    task.cancel()
  }
}
