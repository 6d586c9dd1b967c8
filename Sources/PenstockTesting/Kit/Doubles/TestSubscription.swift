// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A subscription of a ``TestPublisher``, with the log of what its subscriber has called.
///
/// **Concurrency:** may be used on any thread.
public final class TestSubscription: Subscription, Sendable, CustomStringConvertible {
  struct State {
    var ledger = Ledger()
    var requests: [Subscribers.Demand] = []
    var cancels = 0
    var isEnded = false
    var callsAfterEnd = 0
  }

  let state = Locked(State())
  private let onRequest: @Sendable (Subscribers.Demand) -> Void
  private let onCancel: @Sendable () -> Void

  init(onRequest: @escaping @Sendable (Subscribers.Demand) -> Void, onCancel: @escaping @Sendable () -> Void) {
    (self.onRequest, self.onCancel) = (onRequest, onCancel)
  }

  /// The demand that was requested by `request(_:)`, in order.
  public var requests: [Subscribers.Demand] { state.value.requests }

  /// The demand granted by both roads, and the number of values delivered.
  public var ledger: Ledger { state.value.ledger }

  /// The number of times that it was cancelled.
  public var cancels: Int { state.value.cancels }

  /// Whether it has neither been cancelled nor completed.
  public var isLive: Bool { state.with { $0.isLive } }

  /// What `print()` shows.
  public var description: String { "TestPublisher" }

  /// Records a request.
  public func request(_ demand: Subscribers.Demand) {
    state.with {
      $0.requests.append(demand)
      if $0.isEnded { $0.callsAfterEnd += 1 }
      $0.ledger.request(demand)
    }
    onRequest(demand)
  }

  /// Records a cancel.
  public func cancel() {
    state.with {
      $0.cancels += 1
      if $0.isEnded { $0.callsAfterEnd += 1 }
    }
    onCancel()
  }
}

extension TestSubscription.State {
  var isLive: Bool { cancels == 0 && !isEnded }
}
