// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The decisions of `throttle`, as a state machine without side effects.
@usableFromInline
internal struct ThrottleMachine<Value, Failure: Error, Time: Strideable> {
  /// The decision about a value.
  @usableFromInline
  internal enum Verdict {
    /// The value replaces the pending one, or is dropped; an emission is scheduled already.
    case wait
    /// Schedule an emission as soon as possible.
    case emit
    /// Schedule an emission at a date.
    case emitAfter(Time)
  }

  @usableFromInline internal let interval: Time.Stride
  @usableFromInline internal let latest: Bool

  /// The value of the scheduled emission.
  @usableFromInline internal var pending: Value?
  /// The completion to deliver after it.
  @usableFromInline internal var ending: Subscribers.Completion<Failure>?
  /// The date of the last emission.
  @usableFromInline internal var lastEmission: Time?

  @inlinable
  internal init(interval: Time.Stride, latest: Bool) {
    self.interval = interval
    self.latest = latest
  }

  /// Decides about a value.
  ///
  /// - Parameters:
  ///   - value: The value; on return, the value that it has replaced, for the caller to release outside the lock.
  ///   - now: The present.
  ///   - claim: Debits one value, if demand is outstanding. Called only if an emission is to be scheduled.
  /// - Returns: The decision; `nil` if there is no demand.
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

  /// Runs an emission.
  ///
  /// - Returns: The value and the completion to deliver, in this order.
  @inlinable
  internal mutating func emit(now: Time) -> (value: Value, ending: Subscribers.Completion<Failure>?)? {
    guard let value = pending.take() else { return nil }
    lastEmission = now
    return (value, ending.take())
  }

  /// Records upstream's completion.
  ///
  /// - Returns: Whether to schedule the completion now; otherwise the scheduled emission delivers it.
  @inlinable
  internal mutating func end(_ completion: Subscribers.Completion<Failure>) -> Bool {
    guard pending != nil else { return true }
    ending = completion
    return false
  }
}
