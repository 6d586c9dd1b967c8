// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

/// The rule of `grouped`: a part for each key.
@usableFromInline
internal final class GroupRule<Key: Hashable, Value, UpstreamFailure: Error, Context: Scheduler>: SplitRule {
  @usableFromInline internal typealias Input = (key: Key, value: Value)
  @usableFromInline internal typealias Signal = Never
  @usableFromInline internal typealias Failure = any Error
  @usableFromInline internal typealias Mark = Key
  @usableFromInline internal typealias Part = SplitPart<Key, Value, any Error>
  @usableFromInline internal typealias Core = SplitSubscriber<GroupRule>
  @usableFromInline internal typealias Entry = GroupEntry<Key, Value, Context>

  @usableFromInline internal let maxGroups: Int
  @usableFromInline internal let buffer: Int
  @usableFromInline internal let whenFull: Publishers.GroupBufferingStrategy
  /// The groups by the time of their last value, if they end after a time without values.
  @usableFromInline internal let idle: IdleGroups<Key, Value, Context>?

  /// The groups that are open.
  @exclusivity(unchecked) @usableFromInline internal var entries: [Key: Entry] = [:]
  /// How many groups have been opened.
  @exclusivity(unchecked) @usableFromInline internal var count: UInt = 0

  @inlinable
  internal init(
    maxGroups: Int, buffer: Int, whenFull: Publishers.GroupBufferingStrategy, idle: IdleGroups<Key, Value, Context>?
  ) {
    self.maxGroups = maxGroups
    self.buffer = buffer
    self.whenFull = whenFull
    self.idle = idle
  }

  @inlinable
  internal static var name: String { "Grouped" }

  @inlinable
  internal var limits: SplitLimits {
    SplitLimits(capacity: buffer, policy: whenFull.policy, unpublishedHolds: false, prefetch: buffer)
  }

  @inlinable
  internal func place(_ input: Input, in core: Core) {
    if let entry = entries[input.key] {
      if !entry.part.isGone {
        idle?.touch(entry, for: self, in: core)
        return core.put(input.value, in: entry.part)
      }
      // The call that reports this is on its way.
      core.drop(entry.part)
    }
    if core.refusesParts { return core.noteDiscard(input.value, .late) }
    if core.engine.partCount >= maxGroups {
      core.noteDiscard(input.value, .bufferFull)
      let key = String(describing: input.key)
      return core.endAll(.failure(GroupingError.tooManyGroups(key: key, maxGroups: maxGroups)))
    }
    count &+= 1
    let entry = Entry(core.open(input.key), number: count)
    entries[input.key] = entry
    core.put(input.value, in: entry.part)
    idle?.touch(entry, for: self, in: core)
    core.publish(entry.part)
  }

  /// Ends a group that has had no value for some time.
  @inlinable
  internal func retire(_ entry: Entry, in core: Core) {
    entries[entry.part.mark] = nil
    core.close(entry.part, .finished)
  }

  @inlinable
  internal func forget(_ part: Part) {
    guard let entry = entries[part.mark], entry.part === part else { return }
    entries[part.mark] = nil
    idle?.remove(entry)
  }

  @inlinable
  internal func end() -> [Part] {
    idle?.removeAll()
    // In the order in which they were opened: the order of the table differs in each run.
    let open = exchange(&entries, with: [:]).values.sorted { $0.number < $1.number }
    return open.map(\.part)
  }

  @inlinable
  internal func makeOutlet(_ handle: SplitHandle<Key, Value, any Error>) -> GroupedPublisher<Key, Value, any Error> {
    GroupedPublisher(handle)
  }

  @inlinable
  internal static func raise(_ failure: UpstreamFailure) -> any Error { failure }

  @inlinable
  internal func overflow(of part: Part) -> (any Error)? {
    let key = String(describing: part.mark)
    return whenFull == .hold
      ? GroupingError.groupNotRequested(key: key, buffer: buffer) : GroupingError.groupFull(key: key, buffer: buffer)
  }
}
