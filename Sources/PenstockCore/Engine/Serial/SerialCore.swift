// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The work of a ``SerialSubscription`` that depends on types.
@usableFromInline
package protocol SerialCore<Failure>: SerialSubscription {
  /// The failure of the stream.
  associatedtype Failure: Error

  /// Adds to downstream's demand, and serves it.
  ///
  /// Called by the owner of the loop.
  func add(_ demand: Subscribers.Demand)

  /// Called when downstream cancels, on any thread.
  func takeCancel()

  /// Cancels all upstreams, also those whose subscription has not arrived.
  ///
  /// Called at most once by a cancel, on any thread.
  func cancelUpstreams()

  /// Discards what was kept for later delivery.
  ///
  /// Called once, by the owner of the loop, when no delivery is running and none will start.
  func discard()
}

extension SerialCore {
  /// Most operators keep nothing.
  @_alwaysEmitIntoClient
  package func discard() {}

  /// For most operators the stream ends when downstream cancels.
  @_alwaysEmitIntoClient
  package func takeCancel() { cancelAll() }

  /// Ends the stream, unless it is closed, and cancels the upstreams.
  @inlinable
  package func cancelAll() {
    guard close() else { return }
    cancelUpstreams()
    // The owner of the loop discards the remaining values when it leaves; the caller may be the owner.
    submit {}
  }

  /// Ends the stream, unless it is closed: cancels the upstreams and delivers a completion.
  ///
  /// Called by the owner of the loop.
  @inlinable @inline(never)
  package func finish(_ completion: Subscribers.Completion<Failure>) {
    guard close() else { return }
    cancelUpstreams()
    deliver(ending: completion)
  }
}
