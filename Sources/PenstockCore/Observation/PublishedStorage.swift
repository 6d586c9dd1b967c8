// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The value of a ``Published`` property, and its subscribers, which are notified before it changes.
///
/// Most properties are never subscribed to. So the value is stored behind a lock until the first subscription; then it
/// moves to a fan-out, for good.
@usableFromInline
package final class PublishedStorage<Value>: FanOutSource {
  @_alwaysEmitIntoClient
  package static var memberName: StaticString { "PublishedSubject" }

  /// The value; `nil` after it has moved to the fan-out.
  @usableFromInline internal let alone: Guarded<Value?>

  /// The fan-out, once there is one.
  ///
  /// It is set under the lock of ``alone``, and read without a lock.
  @usableFromInline internal let shared = SetOnce<FanOut<Value, Never>>()

  /// The publisher of the object that owns the property.
  @usableFromInline internal let objectWillChange = SetOnce<ObservableObjectPublisher>()

  @_alwaysEmitIntoClient
  package init(_ value: Value) {
    alone = Guarded(value)
  }

  deinit {
    shared.current?._withUnsafeGuaranteedRef { $0.upstream.cancel() }
    // If the object is alive, the property has been replaced, and the publisher may no longer be the object's.
    objectWillChange.current?._withUnsafeGuaranteedRef { PublisherRegistry.shared.forget($0) }
  }

  @usableFromInline
  package func demandRose() {}

  @usableFromInline
  package var feeds: [AnyObject] { shared.current?._withUnsafeGuaranteedRef { $0.upstream.objects } ?? [] }

  @inlinable
  package var value: Value {
    if let latest = shared.current?._withUnsafeGuaranteedRef({ $0.latest }) { return latest }
    if let value = alone.withLock({ $0 }) { return value }
    // The value has moved between the two reads.
    return fanOut.latest.unsafelyUnwrapped
  }

  /// Notifies the object's subscribers and the property's, and then stores the value.
  @inlinable
  package func set(_ value: Value) {
    objectWillChange.current?._withUnsafeGuaranteedRef { $0.send() }
    if let fanOut = shared.current { return fanOut._withUnsafeGuaranteedRef { $0.announce(value) } }
    if !replace(value) { fanOut.announce(value) }
  }

  /// Notifies the object's subscribers, stores the value, and then notifies the property's subscribers, for a property
  /// that publishes after it has changed.
  @inlinable
  package func setFirst(_ value: Value) {
    objectWillChange.current?._withUnsafeGuaranteedRef { $0.send() }
    if let fanOut = shared.current {
      return fanOut._withUnsafeGuaranteedRef { $0.sendLatest(value, evenWhenClosed: false) }
    }
    if !replace(value) { fanOut.sendLatest(value, evenWhenClosed: false) }
  }

  /// Stores a value, unless the value has moved to the fan-out.
  ///
  /// - Returns: Whether it is stored.
  @inlinable
  internal func replace(_ value: Value) -> Bool {
    // The replaced value is released outside the lock.
    var replaced: Value? = value
    return alone.withLock { alone in
      if alone == nil { return false }
      swap(&alone, &replaced)
      return true
    }
  }

  /// The fan-out; created on first use.
  @usableFromInline
  internal var fanOut: FanOut<Value, Never> {
    if let made = shared.current { return made.takeUnretainedValue() }
    return alone.withLock { alone in
      // Another thread may have moved the value while this one waited for the lock.
      if let made = shared.current { return made.takeUnretainedValue() }
      return shared.set(FanOut(repeating: alone.take().unsafelyUnwrapped))
    }
  }

  @inlinable
  package func attach<S: Subscriber>(_ subscriber: S) where S.Input == Value, S.Failure == Never {
    let fanOut = fanOut
    fanOut.attach(FanOutMember.make(subscriber, of: fanOut, source: self))
  }

  /// The publisher of the object, if it has been installed.
  package var installed: ObservableObjectPublisher? { objectWillChange.current?.takeUnretainedValue() }

  /// Installs the publisher of the object, unless one is installed.
  ///
  /// - Returns: The publisher that is installed from now on.
  package func install(_ publisher: ObservableObjectPublisher) -> ObservableObjectPublisher {
    objectWillChange.set(publisher)
  }

  /// Stores an upstream subscription until it ends or the property is freed, and requests unlimited demand.
  internal func add(member subscription: any Subscription & AnyObject) {
    fanOut.upstream.add(member: subscription)
  }

  /// Removes an upstream subscription that has ended.
  internal func remove(member subscription: any Subscription & AnyObject) {
    shared.current?._withUnsafeGuaranteedRef { $0.upstream.remove(member: subscription) }
  }
}

/// The mirror of a subscription shows this text; the name is Combine's.
extension PublishedStorage: CustomStringConvertible {
  @usableFromInline
  package var description: String { "PublishedSubject" }
}

// `@unchecked`: all state is behind locks, the fan-out's loop, or set once.
extension PublishedStorage: @unchecked Sendable where Value: Sendable {}
