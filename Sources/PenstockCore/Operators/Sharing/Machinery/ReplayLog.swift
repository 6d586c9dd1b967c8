// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import DequeModule
internal import Synchronization

/// A signal of a ``ReplayFanOut``.
@usableFromInline
internal enum ReplaySignal<Output, Failure: Error> {
  case value(Output, line: UInt)
  case completion(Subscribers.Completion<Failure>)
  case attach(FanOutMember)
  case detach(FanOutMember)
  /// A member has requested values.
  case catchUp(FanOutMember)
  /// A new upstream subscription begins: values of an older one are not replayed.
  case begin(line: UInt)
  /// The upstream subscription has been cancelled.
  case clear(line: UInt)
}

/// The values of a ``ReplayFanOut`` that are replayed, or that a member has not received yet.
@usableFromInline
internal struct ReplayLog<Output, Failure: Error> {
  @usableFromInline internal var values: Deque<Output> = []
  /// The number of values so far; a member's `seen` counts the same way.
  @usableFromInline internal var end: UInt = 0
  @usableFromInline internal var line: UInt = 1
  @usableFromInline internal var ending: Subscribers.Completion<Failure>?

  @inlinable
  internal init() {}

  /// The number of the first value.
  @inlinable
  internal var start: UInt { end - UInt(values.count) }

  /// What a signal has done to the log.
  @usableFromInline
  internal enum Change {
    case nothing, growth, end
    /// The values have been removed, and are to be released outside the lock.
    case clearing(Deque<Output>)
  }

  /// Whether a value is accepted: a value of a cancelled upstream subscription may still have been in flight.
  @inlinable
  internal func takes(line: UInt) -> Bool { line == self.line && ending == nil }

  @inlinable
  internal mutating func apply(_ signal: ReplaySignal<Output, Failure>) -> Change {
    switch signal {
    case .value(let value, let line):
      guard takes(line: line) else { return .nothing }
      values.append(value)
      end += 1
      return .growth
    case .completion(let completion):
      ending = completion
      return .end
    case .begin(let line):
      guard line > self.line else { return .nothing }
      self.line = line
      return clear()
    case .clear(let line):
      return line == self.line ? clear() : .nothing
    case .attach, .detach, .catchUp:
      return .nothing
    }
  }

  @inlinable
  internal mutating func clear() -> Change {
    var old: Deque<Output> = []
    swap(&old, &values)
    return .clearing(old)
  }

  /// The snapshot for a member that joins after the log's present state and some queued signals.
  ///
  /// - Parameters:
  ///   - capacity: The number of values that are replayed.
  ///   - signals: The queued signals, in order.
  internal func snapshot(_ capacity: Int, behind signals: some Sequence<ReplaySignal<Output, Failure>>)
    -> ReplaySnapshot<
      Output, Failure
    >
  {
    // The values that are replayed at most; older ones cannot become part of the replay again.
    var ahead = ReplayLog()
    ahead.values = Deque(values.suffix(capacity))
    (ahead.end, ahead.line, ahead.ending) = (end, line, ending)
    for signal in signals {
      _ = ahead.apply(signal)
      if ahead.values.count > capacity { ahead.values.removeFirst() }
    }
    return ReplaySnapshot(values: ahead.values, end: ahead.end, ending: ahead.ending)
  }
}

/// The values and the completion for a member that joins while another thread delivers.
@usableFromInline
internal struct ReplaySnapshot<Output, Failure: Error> {
  internal let values: Deque<Output>
  internal let end: UInt
  internal let ending: Subscribers.Completion<Failure>?

  /// The number of the first value.
  internal var start: UInt { end - UInt(values.count) }

  /// Delivers to a member what it has requested and not received, and the completion after that.
  internal func serve(_ member: FanOutMember) {
    while true {
      let seen = member.seen.load(ordering: .relaxed)
      guard seen < end, member.ledger.takeOne() else { break }
      member.seen.store(seen + 1, ordering: .relaxed)
      member.deliver(values[Int(seen - start)])
    }
    if let ending, member.seen.load(ordering: .relaxed) == end { member.end(ending) }
  }
}
