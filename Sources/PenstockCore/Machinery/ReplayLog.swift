// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import DequeModule
internal import Synchronization

/// A signal on its way through a ``ReplayFanOut``.
@usableFromInline
internal enum ReplaySignal<Output, Failure: Error> {
  case value(Output, line: UInt)
  case completion(Subscribers.Completion<Failure>)
  case attach(Conduit)
  case detach(Conduit)
  /// A member has asked for values.
  case catchUp(Conduit)
  /// A new line to upstream: nothing of an older one is repeated.
  case begin(line: UInt)
  /// The line has been given up.
  case clear(line: UInt)
}

/// The values of a ``ReplayFanOut`` that are repeated, or that somebody has not had yet.
@usableFromInline
internal struct ReplayLog<Output, Failure: Error> {
  @usableFromInline internal var values: Deque<Output> = []
  /// How many values there have been; a member's `seen` counts the same way.
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
    /// What was in it is to be freed outside of the lock.
    case clearing(Deque<Output>)
  }

  /// Whether a value counts; one of a line that has been given up may still have been on its way.
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

  /// What a member is to be repeated that joins behind the log's present state and some signals.
  ///
  /// - Parameters:
  ///   - capacity: How many values are repeated.
  ///   - signals: What is queued, in order.
  internal func snapshot(_ capacity: Int, behind signals: some Sequence<ReplaySignal<Output, Failure>>)
    -> ReplaySnapshot<
      Output, Failure
    >
  {
    // The values that are repeated at most; nothing before them can come back.
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

/// What a member is given that joins while another thread delivers.
@usableFromInline
internal struct ReplaySnapshot<Output, Failure: Error> {
  internal let values: Deque<Output>
  internal let end: UInt
  internal let ending: Subscribers.Completion<Failure>?

  /// The number of the first value.
  internal var start: UInt { end - UInt(values.count) }

  /// Gives a member what it has asked for and not had, and the end behind that.
  internal func serve(_ member: Conduit) {
    while true {
      let seen = member.seen.load(ordering: .relaxed)
      guard seen < end, member.ledger.takeOne() else { break }
      member.seen.store(seen + 1, ordering: .relaxed)
      member.deliver(values[Int(seen - start)])
    }
    if let ending, member.seen.load(ordering: .relaxed) == end { member.end(ending) }
  }
}
