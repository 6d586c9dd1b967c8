// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// What `throttle` decides, without doing any of it.
@usableFromInline
internal struct ThrottleMachine<Value, Failure: Error, Time: Strideable> {
  /// What becomes of a value that may be delivered.
  @usableFromInline
  internal enum Verdict {
    /// It waits for the emission that is scheduled already, or is dropped.
    case wait
    /// It is to be emitted as soon as possible.
    case emit
    /// It is to be emitted at a date.
    case emitAfter(Time)
  }

  @usableFromInline internal let interval: Time.Stride
  @usableFromInline internal let latest: Bool

  /// The value of the emission that is scheduled.
  @usableFromInline internal var pending: Value?
  /// What comes along with it.
  @usableFromInline internal var ending: Subscribers.Completion<Failure>?
  /// When the last emission ran.
  @usableFromInline internal var lastEmission: Time?

  @inlinable
  internal init(interval: Time.Stride, latest: Bool) {
    self.interval = interval
    self.latest = latest
  }

  /// - Parameters:
  ///   - value: What has come; goes out with what it has replaced, which is to be freed outside of a lock.
  ///   - now: The present.
  ///   - claim: Takes one value's worth of demand, if there is that much. Only asked where an emission is to be scheduled.
  /// - Returns: What is to be done; `nil` if nobody wants the value.
  @inlinable
  internal mutating func receive(_ value: inout Value?, now: Time, claim: () -> Bool) -> Verdict? {
    if pending != nil {
      if latest { swap(&pending, &value) }
      return .wait
    }
    guard claim() else { return nil }
    swap(&pending, &value)
    guard let due = lastEmission?.advanced(by: interval), due > now else { return .emit }
    return .emitAfter(due)
  }

  /// An emission runs.
  ///
  /// - Returns: What is to be delivered, in this order.
  @inlinable
  internal mutating func emit(now: Time) -> (value: Value, ending: Subscribers.Completion<Failure>?)? {
    guard let value = pending.take() else { return nil }
    lastEmission = now
    return (value, ending.take())
  }

  /// Upstream has ended.
  ///
  /// - Returns: Whether the completion is to be scheduled by itself; otherwise it comes along with the value that waits.
  @inlinable
  internal mutating func end(_ completion: Subscribers.Completion<Failure>) -> Bool {
    guard pending != nil else { return true }
    ending = completion
    return false
  }
}
