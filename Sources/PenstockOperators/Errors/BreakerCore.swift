// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

/// The state of a `CircuitBreaker`.
///
/// Dates are read and compared outside the lock, since they may be of any type. So a decision that depends on them is
/// made again if the state has changed meanwhile; the changes of the state are numbered.
@usableFromInline
internal final class BreakerCore<Time: Strideable>: Sendable {
  internal struct State {
    /// The failures since the last success, while it is closed.
    var failures = 0
    /// The time from which it is half-open; `nil` while it is closed.
    var end: Time?
    /// Whether a subscription has been let through since then.
    var hasTrial = false
    /// How often it has been opened or closed.
    var number: UInt = 0
  }

  private let limit: Int
  private let now: Unchecked<() -> Time>
  private let makeEnd: Unchecked<() -> Time>
  private let state = Guarded(State())

  /// - Parameters:
  ///   - limit: The number of failures that opens it.
  ///   - now: Reads the clock.
  ///   - end: Reads the clock, and adds the time for which the breaker is open.
  internal init(limit: Int, now: @escaping () -> Time, end: @escaping () -> Time) {
    self.limit = limit
    self.now = Unchecked(now)
    makeEnd = Unchecked(end)
  }

  /// Whether the time for which the breaker is open has passed; `nil` while it is closed.
  internal var isOver: Bool? { state.withLock { $0.end }.map { !isAhead($0) } }

  /// Whether a date is still to come; a date that is further away than the time for which the breaker is open counts as
  /// past, since the clock has then been set back.
  private func isAhead(_ end: Time) -> Bool { end > now.value() && end <= makeEnd.value() }

  /// Lets a subscription through, or refuses it.
  @usableFromInline
  internal func begin() -> BreakerCall<Time>? {
    while true {
      let (end, number) = state.withLock { ($0.end, $0.number) }
      guard let end else { return BreakerCall(of: self, number, isTrial: false) }
      if isAhead(end) { return nil }
      let isTrial = state.withLock { state -> Bool? in
        guard state.number == number else { return nil }
        defer { state.hasTrial = true }
        return !state.hasTrial
      }
      if let isTrial { return isTrial ? BreakerCall(of: self, number, isTrial: true) : nil }
    }
  }

  /// Counts a success of a call, unless the state has changed since it began.
  internal func succeed(_ number: UInt) {
    var end: Time?
    state.withLock { state in
      guard state.number == number else { return }
      state.failures = 0
      guard state.end != nil else { return }
      swap(&state.end, &end)
      state.hasTrial = false
      state.number += 1
    }
  }

  /// Counts a failure of a call, unless the state has changed since it began.
  internal func fail(_ number: UInt) {
    var end: Time? = makeEnd.value()
    state.withLock { state in
      guard state.number == number else { return }
      state.failures += 1
      guard state.hasTrial || state.failures >= limit else { return }
      swap(&state.end, &end)
      state.failures = 0
      state.hasTrial = false
      state.number += 1
    }
  }

  /// Lets another subscription through in place of a trial that has neither succeeded nor failed.
  internal func abandonTrial(_ number: UInt) {
    state.withLock { if $0.number == number { $0.hasTrial = false } }
  }
}

/// A closure that is called on any thread.
///
/// A scheduler's clock is read on the thread on which a subscription begins or ends. A breaker is Sendable only if its
/// scheduler is.
internal struct Unchecked<Value>: @unchecked Sendable {
  internal let value: Value

  internal init(_ value: Value) { self.value = value }
}

/// One subscription that a breaker has let through.
@usableFromInline
internal final class BreakerCall<Time: Strideable> {
  private enum Phase { case waiting, delivering, over }

  private let core: BreakerCore<Time>
  private let number: UInt
  private let isTrial: Bool
  private let phase = Guarded(Phase.waiting)

  /// Whether a value has been noted; belongs to upstream's delivery.
  @exclusivity(unchecked) @usableFromInline internal var hasValue = false

  internal init(of core: BreakerCore<Time>, _ number: UInt, isTrial: Bool) {
    self.core = core
    self.number = number
    self.isTrial = isTrial
  }

  deinit {
    // A call that was dropped without an end must not keep the place of the next one.
    if isTrial, phase.withLock({ $0 == .waiting }) { core.abandonTrial(number) }
  }

  @inlinable
  internal func noteValue() {
    if !hasValue { noteFirst() }
  }

  @usableFromInline
  internal func noteFirst() {
    hasValue = true
    let isFirst = phase.withLock { phase -> Bool in
      guard phase == .waiting else { return false }
      phase = .delivering
      return true
    }
    if isFirst, isTrial { core.succeed(number) }
  }

  @usableFromInline
  internal func end<Failure>(with completion: Subscribers.Completion<Failure>) {
    guard finish() != .over else { return }
    if case .failure = completion { core.fail(number) } else { core.succeed(number) }
  }

  @usableFromInline
  internal func cancel() {
    switch finish() {
    case .waiting: if isTrial { core.abandonTrial(number) }
    case .delivering: core.succeed(number)
    case .over: break
    }
  }

  /// Ends the call.
  ///
  /// - Returns: The phase before.
  private func finish() -> Phase {
    phase.withLock { phase in
      defer { phase = .over }
      return phase
    }
  }
}
