// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import Synchronization

/// Somebody who is told that no delivery to it is running, and that none will start.
@usableFromInline
package protocol IdleObserver: AnyObject {
  /// Called once, outside of every lock and of every delivery, on any thread.
  func deliveriesEnded()
}

extension (any IdleObserver)? {
  /// Takes in the first observer.
  ///
  /// - Parameter hasEnded: Whether there is nothing left to promise.
  /// - Returns: Whether this is the one that will be told.
  internal mutating func accept(_ observer: any IdleObserver, unless hasEnded: Bool) -> Bool {
    guard self == nil, !hasEnded else { return false }
    self = observer
    return true
  }
}

/// The root of all subscriptions that the library makes.
///
/// By itself it is the empty one: it ignores every call.
///
/// It is not generic, and neither are the subclasses that implement `request(_:)` and `cancel()`: a generic class is
/// called through tables that hold unspecialised code, ten times slower than the same code specialised. What depends
/// on types sits in leaves of the hierarchy, behind closures that were made where the types were known.
@usableFromInline
package class CoreSubscription: Subscription {
  @inlinable
  package init() {}

  @usableFromInline
  package func request(_ demand: Subscribers.Demand) {}

  @usableFromInline
  package func cancel() {}

  /// Asks to be told when no delivery is running any more and none will start.
  ///
  /// A subscriber that is told may free what its deliveries use without locking at every one of them.
  ///
  /// - Returns: Whether the observer will be told. The empty subscription cannot tell.
  @usableFromInline
  package func observeIdle(_ observer: any IdleObserver) -> Bool { false }

  /// The library's subscription from upstream, for an operator that passes on what comes from there as it comes.
  @usableFromInline
  package var above: CoreSubscription? { nil }

  /// Puts the end of the subscriber's introduction off, for an operator that asks only when all of its upstreams are there.
  ///
  /// Called from inside of the introduction. Until ``finishJoining()`` is called, on the same thread, what the subscriber
  /// asks for is answered on that thread, and what other threads deliver waits.
  ///
  /// - Returns: On what to call that; `nil` if there is no need.
  @usableFromInline
  package func deferJoining() -> CoreSubscription? { above?.deferJoining() }

  @usableFromInline
  package func finishJoining() {}

  /// Whether values may come that were not asked for, because there is a publisher above that does not count demand, and
  /// nothing in between that keeps values back.
  ///
  /// Asked only when such a value has come.
  @usableFromInline
  package var exceedsDemand: Bool { above?.exceedsDemand ?? false }

  /// Whether deliveries come only from inside of a request, or of being subscribed to, on the thread that does that.
  @usableFromInline
  package var deliversWhereAsked: Bool { false }

  /// The identity of this subscription; a wrapper shows that of the one it wraps.
  @usableFromInline
  package var combineIdentifier: CombineIdentifier { CombineIdentifier(self) }

  /// What `print()` shows for the subscription.
  @usableFromInline
  package var description: String { "Empty" }

  /// What a debugger shows beneath the description.
  @usableFromInline
  package var mirrorChildren: [(label: String?, value: Any)] { [] }
}

// Not conformances of the class itself: the compiler would then emit them for every generic subclass.
extension CoreSubscription: CustomStringConvertible, CustomReflectable, CustomPlaygroundDisplayConvertible {
  @usableFromInline
  package final var customMirror: Mirror { Mirror(self, children: mirrorChildren) }

  @usableFromInline
  package final var playgroundDescription: Any { description }
}

extension Subscription {
  /// This subscription, if it is one of the library's.
  ///
  /// What `as?` says, without its detours.
  @inlinable
  internal var core: CoreSubscription? {
    guard Self.self is CoreSubscription.Type else { return nil }
    return withUnsafePointer(to: self) { UnsafeRawPointer($0).load(as: CoreSubscription.self) }
  }
}

/// Whether there has been a subscription in this process that does not count demand.
///
/// Most processes have none, and need not look for one.
internal let isDemandUncounted = Atomic(false)

extension Subscription {
  /// What ``CoreSubscription/exceedsDemand`` says, of any subscription.
  @usableFromInline
  internal var mayExceedDemand: Bool {
    isDemandUncounted.load(ordering: .relaxed) && untapped.core?.exceedsDemand ?? false
  }
}

extension Subscriptions {
  /// The one empty subscription.
  ///
  /// Unchecked, because it has no state at all.
  nonisolated(unsafe) private static let nothing = CoreSubscription()

  /// A subscription that ignores every request and has nothing to cancel.
  ///
  /// Publishers that end at once hand it out before their completion.
  ///
  /// **Demand:** ignored; `request(.none)` does not trap here.
  public static var empty: any Subscription { nothing }
}
