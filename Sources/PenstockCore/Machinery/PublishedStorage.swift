// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The value of a ``Published`` property, and those who are told before it changes.
///
/// Most properties are never subscribed to. So the value is kept by itself, behind a lock, until somebody subscribes;
/// then it moves into a fan-out, for good.
@usableFromInline
package final class PublishedStorage<Value>: FanOutSource {
  /// The value; `nil` once it has moved.
  @usableFromInline internal let alone: Guarded<Value?>

  /// Where the value has moved to.
  ///
  /// It is stored under the lock of the value that moves, and read without one.
  @usableFromInline internal let shared = SetOnce<FanOut<Value, Never>>()

  /// The publisher of the object that the property belongs to.
  @usableFromInline internal let objectWillChange = SetOnce<ObservableObjectPublisher>()

  @inlinable
  package init(_ value: Value) {
    alone = Guarded(value)
  }

  deinit {
    shared.current?._withUnsafeGuaranteedRef { $0.upstream.cancel() }
    // If the object lives, the property has been replaced, and the publisher may no longer be the object's.
    objectWillChange.current?._withUnsafeGuaranteedRef { KnownPublishers.shared.forget($0) }
  }

  @usableFromInline
  package func demandRose() {}

  @inlinable
  package var value: Value {
    if let latest = shared.current?._withUnsafeGuaranteedRef({ $0.latest }) { return latest }
    if let value = alone.withLock({ $0 }) { return value }
    // It has moved in between.
    return fanOut.latest.unsafelyUnwrapped
  }

  /// Tells the object's subscribers, then the property's, and then stores the value.
  @inlinable
  package func set(_ value: Value) {
    objectWillChange.current?._withUnsafeGuaranteedRef { $0.send() }
    if let fanOut = shared.current { return fanOut._withUnsafeGuaranteedRef { $0.announce(value) } }
    // What is replaced is freed outside of the lock.
    var replaced: Value? = value
    let isStored = alone.withLock { alone in
      if alone == nil { return false }
      swap(&alone, &replaced)
      return true
    }
    if !isStored { fanOut.announce(value) }
  }

  /// The fan-out, made now if nobody has needed it.
  @usableFromInline
  internal var fanOut: FanOut<Value, Never> {
    if let made = shared.current { return made.takeUnretainedValue() }
    return alone.withLock { alone in
      // Whoever had the lock before may have moved it.
      if let made = shared.current { return made.takeUnretainedValue() }
      return shared.set(FanOut(repeating: .some(alone.take().unsafelyUnwrapped)))
    }
  }

  @inlinable
  package func attach(_ subscriber: ErasedSubscriber) {
    let fanOut = fanOut
    fanOut.attach(Conduit(subscriber, of: fanOut, source: self, name: "PublishedSubject"))
  }

  /// The publisher of the object, if it has been installed.
  package var installed: ObservableObjectPublisher? { objectWillChange.current?.takeUnretainedValue() }

  /// Installs the publisher of the object, if none is.
  ///
  /// - Returns: The one that is installed from now on.
  package func install(_ publisher: ObservableObjectPublisher) -> ObservableObjectPublisher {
    objectWillChange.set(publisher)
  }

  /// Keeps an upstream subscription until it is over or the property is freed, and asks it for everything.
  @usableFromInline
  internal func add(member subscription: any Subscription & AnyObject) {
    fanOut.upstream.add(member: subscription)
  }

  /// Forgets an upstream subscription that is over.
  @usableFromInline
  internal func remove(member subscription: any Subscription & AnyObject) {
    shared.current?._withUnsafeGuaranteedRef { $0.upstream.remove(member: subscription) }
  }
}

// `@unchecked`: all state is behind locks, the fan-out's loop, or set once.
/// As the mirror of a subscription shows it; the name is Combine's.
extension PublishedStorage: CustomStringConvertible {
  @usableFromInline
  package var description: String { "PublishedSubject" }
}

extension PublishedStorage: @unchecked Sendable where Value: Sendable {}
