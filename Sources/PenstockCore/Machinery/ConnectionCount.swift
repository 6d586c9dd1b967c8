// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import Synchronization

/// The connection behind `autoconnect()`, and how many subscribers hold it.
///
/// Whoever is first to join connects, and nobody else, even if more join before the connection is there. Who joins while
/// the last connection is being cancelled leaves it to the thread that does so to connect, so that there are never two:
/// the new subscriber would get values from both. Connecting and disconnecting call out, and so happen outside of the
/// lock.
@usableFromInline
package final class ConnectionCount {
  /// Connects.
  @usableFromInline package typealias Make = () -> any Cancellable

  @usableFromInline
  internal struct State {
    @usableFromInline internal var count = 0
    /// Whether one of those who joined has connected, or is about to.
    @usableFromInline internal var isClaimed = false
    @usableFromInline internal var connection: (any Cancellable)?
    @usableFromInline internal var isDisconnecting = false
    /// What connects behind that, for those who have joined meanwhile.
    @usableFromInline internal var next: Make?

    @inlinable
    internal init() {}
  }

  /// What is to be done, outside of the lock.
  private enum Step {
    case connect(Make)
    case disconnect(any Cancellable)
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
      defer { state.isClaimed = true }
      return !state.isClaimed
    }
  }

  /// Connects, and keeps the connection, unless everybody has left: before, which spares it, or meanwhile.
  ///
  /// - Parameter make: Connects.
  @usableFromInline
  package func connect(_ make: @escaping Make) {
    carryOut(.connect(make))
  }

  /// Counts one subscriber less, and disconnects behind the last one.
  @usableFromInline
  package func leave() {
    carryOut(
      state.withLock { state in
        // A publisher that hands out two subscriptions for one subscriber would count below zero.
        if state.count > 0 { state.count -= 1 }
        return state.count == 0 ? state.connection.take().map { Self.disconnect($0, &state) } : nil
      })
  }

  /// The subscription that a subscriber gets in the place of upstream's: of a kind that shows no more than that one does.
  @usableFromInline
  internal func counting(_ upstream: any Subscription) -> any Subscription {
    guard upstream.core == nil, !(upstream is any CustomReflectable) else {
      return AutoconnectSubscription(upstream, holding: self)
    }
    return PlainAutoconnectSubscription(AutoconnectSubscription(upstream, holding: self))
  }

  private func carryOut(_ first: Step?) {
    var step = first
    while let current = step {
      switch current {
      case .connect(let make):
        guard mayConnect(make) else { return }
        let connection = make()
        step = state.withLock { state in
          if state.count == 0 { return Self.disconnect(connection, &state) }
          state.connection = connection
          return nil
        }
      case .disconnect(let connection):
        connection.cancel()
        step = state.withLock { state in
          state.isDisconnecting = false
          return state.next.take().map { .connect($0) }
        }
      }
    }
  }

  private func mayConnect(_ make: @escaping Make) -> Bool {
    state.withLock { state in
      if state.count == 0 {
        state.isClaimed = false
      } else if state.isDisconnecting {
        state.next = make
      } else {
        return true
      }
      return false
    }
  }

  /// Called with the lock held.
  private static func disconnect(_ connection: any Cancellable, _ state: inout State) -> Step {
    (connection as? any ForewarnedCancellable)?.forewarn()
    state.isClaimed = false
    state.isDisconnecting = true
    return .disconnect(connection)
  }
}

/// A connection whose cancel lets all subscribers go, which must not be those who come from now on.
package protocol ForewarnedCancellable: Cancellable {
  /// Says that a cancel will follow, as soon as no lock is held.
  func forewarn()
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

  @usableFromInline
  package override var above: CoreSubscription? { upstream.untapped.core }

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

/// The same for an upstream whose subscription cannot be looked into.
private final class PlainAutoconnectSubscription: Subscription, CustomStringConvertible {
  private let base: AutoconnectSubscription

  init(_ base: AutoconnectSubscription) { self.base = base }

  func request(_ demand: Subscribers.Demand) { base.request(demand) }

  func cancel() { base.cancel() }

  var combineIdentifier: CombineIdentifier { base.combineIdentifier }

  var description: String { base.description }
}
