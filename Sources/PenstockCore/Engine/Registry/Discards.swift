// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import Synchronization

/// Whether anybody wants to know which values are discarded.
///
/// In most processes nobody does: then a link that discards a value reads this, and does nothing else.
@usableFromInline
package let handlesDiscards = ShownCell(false)

/// A closure that is called with the values that the links upstream of one place discard.
@usableFromInline
package final class DiscardListener: @unchecked Sendable {
  // `@unchecked` for the closure, which is called wherever values are discarded, as its documentation says.

  fileprivate let tell: (Any, LinkState.DropReason) -> Void

  package init(_ tell: @escaping (Any, LinkState.DropReason) -> Void) {
    self.tell = tell
    discards.countListeners(by: 1)
  }

  deinit { discards.countListeners(by: -1) }

  /// Begins with a link, and all links that are upstream of it now or join it later.
  ///
  /// The links keep the listener, so that it is called with the values that they discard when the stream is over. Links
  /// upstream of a publisher with several subscribers belong to all of their streams, and are left out.
  package func listen(at link: any InspectableLink) {
    var links: [any InspectableLink] = [link]
    while let link = links.popLast() {
      // In this order: an upstream that joins meanwhile is seen here, or by ``Discards/extend(from:to:)``.
      guard discards.add(self, to: link) else { continue }
      var shown = LinkState()
      link.show(in: &shown)
      links += shown.upstreams.compactMap { $0.object as? any InspectableLink }
    }
  }
}

/// A value that a link has discarded, for the handler of the process.
package struct DiscardedValue {
  package let value: Any
  package let reason: LinkState.DropReason
  /// The link, if a link has discarded it.
  package let link: AnyObject?
}

/// A value of the library's own that stands for another value, which is the one that is reported.
package protocol EnvelopedValue {
  var content: Any { get }
}

/// The closures that are called with discarded values.
@usableFromInline
package struct Discards: ~Copyable, @unchecked Sendable {
  // `@unchecked`: all state is behind the lock, and closures are called outside of it.

  private struct State: ~Copyable {
    var handler: ((DiscardedValue) -> Void)?
    var listenerCount = 0
    /// By the link's number in the list of live links.
    var audiences: [UInt64: [DiscardListener]] = [:]

    func update() { handlesDiscards.set(handler != nil || listenerCount > 0) }
  }

  private let state = Guarded(State())

  /// Sets the handler of the process.
  package func setHandler(_ handler: ((DiscardedValue) -> Void)?) {
    let replaced = state.withLock { state in
      defer { state.update() }
      return exchange(&state.handler, with: handler)
    }
    withExtendedLifetime(replaced) {}
  }

  fileprivate func countListeners(by change: Int) {
    state.withLock { state in
      state.listenerCount += change
      state.update()
    }
  }

  /// - Returns: Whether the link is new to the listener.
  fileprivate func add(_ listener: DiscardListener, to link: any InspectableLink) -> Bool {
    let number = link.linkNumber
    if number == 0 { return false }
    return state.withLock { state in
      if state.audiences[number]?.contains(where: { $0 === listener }) == true { return false }
      state.audiences[number, default: []].append(listener)
      return true
    }
  }

  /// Lets the listeners of a link also listen to an upstream that has joined it.
  ///
  /// Called after the link has stored the upstream.
  internal func extend(from link: any InspectableLink, to upstream: any InspectableLink) {
    let listeners = state.withLock { $0.audiences[link.linkNumber] }
    listeners?.forEach { $0.listen(at: upstream) }
  }

  /// Forgets a link that is being freed.
  @inline(never)
  internal func forget(_ number: UInt64) {
    // Released outside the lock.
    let audience = state.withLock { $0.audiences.removeValue(forKey: number) }
    withExtendedLifetime(audience) {}
  }

  /// Reports a value; never under a lock.
  ///
  /// - Parameter link: The subscription that has discarded it; `nil` if none has.
  @usableFromInline @inline(never)
  package func tell<Value>(_ value: Value, _ reason: LinkState.DropReason, by link: AnyObject?) {
    let (listeners, handler) = state.withLock { state in
      let number = (link as? any InspectableLink)?.linkNumber ?? 0
      return (state.audiences[number], state.handler)
    }
    if listeners == nil, handler == nil { return }
    let value: Any = (value as? any EnvelopedValue)?.content ?? value
    listeners?.forEach { $0.tell(value, reason) }
    handler?(DiscardedValue(value: value, reason: reason, link: link))
  }

  /// The number of links that have listeners.
  package var audienceCount: Int { state.withLock { $0.audiences.count } }
}

/// The discards of the process.
@usableFromInline
package let discards = Discards()

/// Reports a value that will not be delivered; never under a lock.
@inlinable @inline(__always)
package func noteDiscard<Value>(
  _ value: @autoclosure () -> Value, _ reason: LinkState.DropReason, by link: @autoclosure () -> AnyObject?
) {
  if handlesDiscards.value { discards.tell(value(), reason, by: link()) }
}

/// Reports several values, in their order.
@inlinable @inline(__always)
package func noteDiscards<Values: Sequence>(
  of values: @autoclosure () -> Values, _ reason: LinkState.DropReason, by link: @autoclosure () -> AnyObject?
) {
  if handlesDiscards.value { for value in values() { discards.tell(value, reason, by: link()) } }
}
