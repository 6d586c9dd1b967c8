// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

/// The publisher that the closure of `multicast(in:)` gets: a `share(buffering:)` that subscribes to upstream only when
/// it is connected.
///
/// The branches keep it alive.
@usableFromInline
internal final class MulticastBranches<Upstream: Publisher>: Publisher {
  @usableFromInline internal typealias Output = Upstream.Output
  @usableFromInline internal typealias Failure = Upstream.Failure

  @usableFromInline
  internal enum Hold {
    /// Upstream is not to be subscribed to yet; the value is the subscription that is to be made later.
    case held(SharedUpstream?)
    case released
  }

  @usableFromInline internal let upstream: Upstream
  @usableFromInline internal let fanOut: ShareFanOut<Output, Failure>
  @usableFromInline internal let hold = Guarded(Hold.held(nil))

  @inlinable
  internal init(upstream: Upstream, buffering: ShareBufferingPolicy) {
    self.upstream = upstream
    fanOut = ShareFanOut(buffering, grace: nil)
  }

  deinit {
    fanOut.cancel()
  }

  @_alwaysEmitIntoClient @inline(__always)
  internal func receive<S: Subscriber>(subscriber: S) where Failure == S.Failure, Output == S.Input {
    if let start = fanOut.attach(FanOutMember.make(subscriber, of: fanOut, source: self)) { begin(start) }
  }

  /// Subscribes to upstream, now or in ``connect()``.
  @inlinable @inline(never)
  internal func begin(_ start: SharedUpstream) {
    let isHeld = hold.withLock { hold in
      guard case .held = hold else { return false }
      // A subscription that is replaced has been cancelled, because all branches had left.
      hold = .held(start)
      return true
    }
    if !isHeld { upstream.subscribe(SharedUpstreamSubscriber(fanOut, start)) }
  }

  /// Subscribes to upstream if a branch has subscribed and has not left.
  @inlinable @inline(never)
  internal func connect() {
    let start = hold.withLock { hold -> SharedUpstream? in
      guard case .held(let start) = hold else { return nil }
      hold = .released
      return start
    }
    guard let start, start.slot.phase != .terminal else { return }
    upstream.subscribe(SharedUpstreamSubscriber(fanOut, start))
  }
}

extension MulticastBranches: FanOutSource {
  @usableFromInline
  package var feeds: [AnyObject] { fanOut.feeds }

  @inlinable
  package static var memberName: StaticString { "MulticastIn" }

  /// Nothing to do: the fan-out serves the member, and asks upstream then.
  @usableFromInline
  package func demandRose() {}

  @usableFromInline
  package func memberLeft() { fanOut.memberLeft() }
}
