// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import Synchronization

/// The connection behind `autoconnect()`, and how many subscribers hold it.
///
/// Whoever is first to join connects, and nobody else, even if more join before the connection is there. Connecting and
/// disconnecting call out, and so happen outside of the lock.
@usableFromInline
package final class ConnectionCount {
  @usableFromInline
  internal enum Phase {
    case idle
    /// One of those who joined is about to connect, or is doing so.
    case connecting
    case connected(any Cancellable)
  }

  @usableFromInline
  internal struct State {
    @usableFromInline internal var count = 0
    @usableFromInline internal var phase = Phase.idle

    @inlinable
    internal init() {}
  }

  @usableFromInline internal let state = Guarded(State())

  @inlinable
  package init() {}

  /// Counts one more subscriber.
  ///
  /// - Returns: Whether the caller has to ``connect(_:)`` when the subscriber has been attached.
  @usableFromInline
  package func join() -> Bool {
    state.withLock { state in
      state.count += 1
      guard case .idle = state.phase else { return false }
      state.phase = .connecting
      return true
    }
  }

  /// Connects, and keeps the connection, unless everybody has left: before, which spares it, or meanwhile.
  ///
  /// - Parameter make: Connects.
  @usableFromInline
  package func connect(_ make: () -> any Cancellable) {
    guard settle(.connecting) else { return }
    let connection = make()
    if !settle(.connected(connection)) { connection.cancel() }
  }

  /// Moves on while there are subscribers, and becomes idle where there are none.
  private func settle(_ phase: Phase) -> Bool {
    state.withLock { state in
      state.phase = state.count > 0 ? phase : .idle
      return state.count > 0
    }
  }

  /// Counts one subscriber less, and disconnects behind the last one.
  @usableFromInline
  package func leave() {
    let connection = state.withLock { state -> (any Cancellable)? in
      // A publisher that hands out two subscriptions for one subscriber would count below zero.
      if state.count > 0 { state.count -= 1 }
      guard state.count == 0, case .connected(let connection) = state.phase else { return nil }
      state.phase = .idle
      return connection
    }
    connection?.cancel()
  }
}

/// The subscription that a subscriber of `autoconnect()` gets: upstream's own, which also counts.
@usableFromInline
package final class AutoconnectSubscription: CoreSubscription {
  @usableFromInline internal let upstream: any Subscription
  @usableFromInline internal let connection: ConnectionCount
  @usableFromInline internal let hasLeft = Atomic(false)

  @inlinable
  package init(_ upstream: any Subscription, holding connection: ConnectionCount) {
    self.upstream = upstream
    self.connection = connection
  }

  @usableFromInline
  package override func request(_ demand: Subscribers.Demand) {
    upstream.request(demand)
  }

  @usableFromInline
  package override func cancel() {
    if !hasLeft.exchange(true, ordering: .relaxed) { connection.leave() }
    upstream.cancel()
  }

  /// Deliveries do not even pass through here.
  @usableFromInline
  package override func observeIdle(_ observer: any IdleObserver) -> Bool {
    upstream.core?.observeIdle(observer) ?? false
  }

  @usableFromInline
  package override var combineIdentifier: CombineIdentifier { upstream.combineIdentifier }

  @usableFromInline
  package override var description: String { String(describing: upstream) }

  @usableFromInline
  package override var mirrorChildren: [(label: String?, value: Any)] { Array(Mirror(reflecting: upstream).children) }
}

@available(*, unavailable)
extension ConnectionCount: Sendable {}

@available(*, unavailable)
extension ConnectionCount.Phase: Sendable {}

@available(*, unavailable)
extension ConnectionCount.State: Sendable {}
