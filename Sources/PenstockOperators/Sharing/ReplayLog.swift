// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import DequeModule
public import PenstockCore
internal import Synchronization

/// A signal of a ``ReplayFanOut``.
@usableFromInline
internal enum ReplaySignal<Output, Failure: Error> {
  case value(Output, generation: UInt)
  case completion(Subscribers.Completion<Failure>)
  case join(FanOutMember)
  case remove(FanOutMember)
  /// A member has requested values.
  case serve(FanOutMember)
  /// A new upstream subscription begins: values of an older one are not replayed.
  case begin(_ generation: UInt)
  /// The upstream subscription has been cancelled.
  case clear(_ generation: UInt)
}

/// The values of a ``ReplayFanOut`` that are replayed, or that a member has not received yet.
///
/// Each value has a number. A copy is a snapshot, for a member that joins while another thread delivers.
@usableFromInline
internal struct ReplayLog<Output, Failure: Error> {
  @usableFromInline internal var values: Deque<Output> = []
  /// The number of values so far; a member's `seen` counts the same way.
  @usableFromInline internal var end: UInt = 0
  /// The number of the upstream subscription whose values the log accepts.
  @usableFromInline internal var generation: UInt = 1
  @usableFromInline internal var ending: Subscribers.Completion<Failure>?

  @inlinable
  internal init() {}

  @inlinable
  internal var count: Int { values.count }

  /// The number of the first value.
  @inlinable
  internal var start: UInt { end - UInt(values.count) }

  @inlinable
  internal subscript(number: UInt) -> Output { values[place(of: number)] }

  /// The index of a value, by its number.
  @inlinable
  internal func place(of number: UInt) -> Int { values.count - Int(end - number) }

  // MARK: Changes

  /// What a signal has done to the log.
  @usableFromInline
  internal enum Change {
    case nothing, growth, end
    /// The values have been removed, and are to be released outside the lock.
    case clearing(Deque<Output>)
  }

  /// Whether values of an upstream subscription are accepted; a value of a cancelled subscription may still arrive.
  @inlinable
  internal func accepts(_ generation: UInt) -> Bool { generation == self.generation && ending == nil }

  @inlinable
  internal mutating func append(_ value: Output) {
    values.append(value)
    end += 1
  }

  @inlinable
  internal mutating func removeFirst() -> Output { values.removeFirst() }

  @inlinable
  internal mutating func apply(_ signal: ReplaySignal<Output, Failure>) -> Change {
    switch signal {
    case .value(let value, let generation):
      guard accepts(generation) else { return .nothing }
      append(value)
      return .growth
    case .completion(let completion):
      ending = completion
      return .end
    case .begin(let generation):
      guard generation > self.generation else { return .nothing }
      self.generation = generation
      return clear()
    case .clear(let generation):
      return generation == self.generation ? clear() : .nothing
    case .join, .remove, .serve:
      return .nothing
    }
  }

  @inlinable
  internal mutating func clear() -> Change {
    var old: Deque<Output> = []
    swap(&old, &values)
    return .clearing(old)
  }

  // MARK: Snapshots

  /// Returns the snapshot for a member that joins after the log's present state and some queued signals.
  ///
  /// - Parameters:
  ///   - capacity: The number of values that are replayed.
  ///   - first: The number of the first value that is young enough to be replayed.
  ///   - signals: The queued signals, in order.
  internal func snapshot(
    _ capacity: Int, from first: UInt, behind signals: Deque<ReplaySignal<Output, Failure>>
  ) -> Self {
    // The most values that can be replayed; older ones cannot become part of the replay again.
    var ahead = suffix(from: min(max(first, end - UInt(min(capacity, count))), end))
    for signal in signals {
      _ = ahead.apply(signal)
      if ahead.count > capacity { ahead.values.removeFirst() }
    }
    return ahead
  }

  /// Returns the log without the values before a number.
  internal func suffix(from number: UInt) -> Self {
    var suffix = self
    suffix.values = Deque(values[place(of: number)...])
    return suffix
  }

  /// Delivers to a member the values that it has requested and not received, and then the completion.
  ///
  /// Called on a snapshot, by the thread that introduces the member.
  internal func serve(_ member: FanOutMember) {
    while true {
      let seen = member.seen.load(ordering: .relaxed)
      guard seen < end, member.ledger.takeOne() else { break }
      member.seen.store(seen + 1, ordering: .relaxed)
      member.deliver(self[seen])
    }
    if let ending, member.seen.load(ordering: .relaxed) == end { member.deliver(completion: ending) }
  }
}
