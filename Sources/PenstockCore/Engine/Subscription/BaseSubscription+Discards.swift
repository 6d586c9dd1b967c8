// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension BaseSubscription {
  /// Reports a value that this link will not deliver; never under a lock.
  @inlinable @inline(__always)
  package final func noteDiscard<Value>(_ value: @autoclosure () -> Value, _ reason: LinkState.DropReason) {
    if handlesDiscards.value { discards.tell(value(), reason, by: self) }
  }

  /// Reports several values, in their order.
  @inlinable @inline(__always)
  package final func noteDiscards<S: Sequence>(of values: @autoclosure () -> S, _ reason: LinkState.DropReason) {
    if handlesDiscards.value { for value in values() { discards.tell(value, reason, by: self) } }
  }

  /// Lets the listeners of this link also listen to an upstream that has been stored after this link's introduction.
  @_alwaysEmitIntoClient @inline(__always)
  package final func noteUpstream(_ upstream: @autoclosure () -> BaseSubscription?) {
    if handlesDiscards.value, let upstream = upstream() { extendDiscards(to: upstream) }
  }

  @usableFromInline @inline(never)
  internal final func extendDiscards(to upstream: BaseSubscription) { discards.extend(from: self, to: upstream) }
}
