// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import Synchronization

/// The connection of `autoconnect()`, and the number of subscribers that use it.
///
/// The first subscriber to join connects, or the one that completes the required number, and only that one, even if
/// others join before the connection has been made. There are never two connections at a time, since a new subscriber
/// would get values from both: a subscriber that joins while the last connection is being cancelled leaves connecting
/// to the thread that cancels. Connecting and disconnecting run foreign code, so they happen outside the lock.
///
/// An upstream may deliver all that it has while it is being connected, and never end. So a connection announces its link
/// to upstream before it is made, and the last subscriber to leave cancels that. Subscribers that have joined by the
/// time the call returns are connected again.
///
/// A connection that is over as soon as it is made is kept even without subscribers, since a new connection would be in
/// vain for subscribers that join later. If it has ended for good there is nothing to keep: it stays claimed.
@usableFromInline
package final class ConnectionCount {
  /// A closure that connects, and passes on its link to upstream before that.
  @usableFromInline package typealias Make = (_ announce: (any Cancellable) -> Void) -> (
    connection: any Cancellable, phase: _ConnectionPhase
  )

  @usableFromInline
  internal struct State: ~Copyable {
    @usableFromInline internal var count = 0
    /// Whether a subscriber that joined has connected or is about to.
    internal var isClaimed = false
    @usableFromInline internal var connection: (any Cancellable)?
    /// The object that cancels the connection that is being made.
    @usableFromInline internal var link: (any Cancellable)?
    /// Whether all subscribers have left while the connection was being made, so that its link is cancelled.
    internal var isAbandoned = false
    internal var isDisconnecting = false
    /// Connects again after the disconnection, for subscribers that have joined meanwhile.
    internal var next: Make?

    @_alwaysEmitIntoClient
    internal init() {}
  }

  /// The action to perform outside the lock.
  private enum Step {
    case connect(Make)
    case abandon(link: any Cancellable)
    case disconnect(any Cancellable)
  }

  @usableFromInline internal let state = Guarded(State())
  /// The number of subscribers that have to join before the publisher is connected.
  private let threshold: Int

  @usableFromInline
  package init(threshold: Int = 1) { self.threshold = threshold }

  /// Counts a new subscriber.
  ///
  /// - Returns: Whether the caller has to call ``connect(_:)`` after the subscriber has been attached.
  @usableFromInline
  package func join() -> Bool {
    state.withLock { state in
      state.count += 1
      if state.count < threshold { return false }
      defer { state.isClaimed = true }
      return !state.isClaimed
    }
  }

  /// Connects, unless there are too few subscribers by now; disconnects again if all have left meanwhile, and values may
  /// follow.
  ///
  /// - Parameter make: Connects.
  @usableFromInline
  package func connect(_ make: @escaping Make) {
    carryOut(.connect(make))
  }

  /// Removes a subscriber from the count, and disconnects after the last one.
  @usableFromInline
  package func leave() {
    carryOut(
      state.withLock { state in
        // A publisher that delivers two subscriptions to one subscriber would make the count negative.
        if state.count > 0 { state.count -= 1 }
        guard state.count == 0 else { return nil }
        if let link = state.link.take() {
          state.isAbandoned = true
          return .abandon(link: link)
        }
        return state.connection.take().map { Self.disconnect($0, &state) }
      })
  }

  /// Returns the subscription that a subscriber gets in place of upstream's; it is `CustomReflectable` only if
  /// upstream's is.
  @usableFromInline
  internal func counting(_ upstream: any Subscription) -> any Subscription {
    guard upstream.base == nil, !(upstream is any CustomReflectable) else {
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
        let (connection, phase) = make { announce($0) }
        step = keep(connection, phase, madeBy: make)
      case .abandon(let link):
        link.cancel()
        step = nil
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
      if state.count < threshold {
        state.isClaimed = false
      } else if state.isDisconnecting {
        state.next = make
      } else {
        return true
      }
      return false
    }
  }

  /// Stores the object that cancels the connection that is being made; cancels it at once if all subscribers have left.
  private func announce(_ link: any Cancellable) {
    let isWanted = state.withLock { state in
      if state.count == 0 { state.isAbandoned = true } else { state.link = link }
      return state.count > 0
    }
    if !isWanted { link.cancel() }
  }

  /// Keeps a connection that has been made, unless all subscribers have left meanwhile: then it is cancelled, and
  /// subscribers that have joined after that are connected.
  private func keep(_ connection: any Cancellable, _ phase: _ConnectionPhase, madeBy make: @escaping Make) -> Step? {
    // The link is released outside the lock.
    let (step, link) = state.withLock { state -> (Step?, (any Cancellable)?) in
      let (isAbandoned, link) = (exchange(&state.isAbandoned, with: false), state.link.take())
      if phase == .ended { return (nil, link) }
      guard phase == .live, isAbandoned || state.count == 0 else {
        state.connection = connection
        return (nil, link)
      }
      let step = Self.disconnect(connection, &state)
      if state.count >= threshold {
        state.isClaimed = true
        state.next = make
      }
      return (step, link)
    }
    withExtendedLifetime(link) {}
    return step
  }

  /// Begins a disconnection; called with the lock held.
  private static func disconnect(_ connection: any Cancellable, _ state: inout State) -> Step {
    (connection as? any ForewarnedCancellable)?.forewarn()
    state.isClaimed = false
    state.isDisconnecting = true
    return .disconnect(connection)
  }
}

/// A connection whose cancel releases all subscribers, but must spare those that subscribe after the decision to
/// cancel.
package protocol ForewarnedCancellable: Cancellable {
  /// Announces that a cancel will follow, as soon as no lock is held.
  func forewarn()
}

/// The subscription of one subscriber of `autoconnect()`: it forwards to upstream's, and leaves the count when it is
/// cancelled.
@usableFromInline
package final class AutoconnectSubscription: BaseSubscription {
  @usableFromInline internal let upstream: any Subscription
  @usableFromInline internal let connection: ConnectionCount
  internal let hasLeft = AtomicCell(false)

  @_alwaysEmitIntoClient
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
  package override var upstreamBase: BaseSubscription? { upstream.untappedBase }

  /// Not its description, which is upstream's.
  package override func show(in link: inout LinkState) {
    link.name = "Autoconnect"
    link.add(upstreamBase)
    link.isForwarding = true
  }

  @usableFromInline
  package override var combineIdentifier: CombineIdentifier { upstream.combineIdentifier }

  @usableFromInline
  package override var description: String { String(describing: upstream) }

  package override var shownInPlayground: Any {
    (upstream as? any CustomPlaygroundDisplayConvertible)?.playgroundDescription ?? description
  }

  @usableFromInline
  package override var mirrorChildren: [(label: String?, value: Any)] { Array(Mirror(reflecting: upstream).children) }
}

/// The same for an upstream whose subscription is not `CustomReflectable`.
private final class PlainAutoconnectSubscription: Subscription, CustomStringConvertible,
  CustomPlaygroundDisplayConvertible
{
  private let base: AutoconnectSubscription

  init(_ base: AutoconnectSubscription) { self.base = base }

  func request(_ demand: Subscribers.Demand) { base.request(demand) }

  func cancel() { base.cancel() }

  var combineIdentifier: CombineIdentifier { base.combineIdentifier }

  var description: String { base.description }

  var playgroundDescription: Any { base.playgroundDescription }
}

/// The subscription of a subscriber that resides in a shared subject; only what `sink` has returned has access to it.
@usableFromInline
internal final class SharedSubscription: BaseSubscription {
  private let member: FanOutMember
  private let connection: ConnectionCount

  @usableFromInline
  internal init(_ member: FanOutMember, holding connection: ConnectionCount) {
    self.member = member
    self.connection = connection
  }

  internal override func cancel() {
    // A subscriber that has seen the end does not leave: the subscribers of the next connection would lose it.
    if member.withdraw() { connection.leave() }
  }

  package override func show(in link: inout LinkState) {
    link.add(member)
    link.isForwarding = true
  }
}
