// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import DequeModule
public import Synchronization

extension ReplayFanOut {
  /// Adds a member, and serves it.
  ///
  /// - Returns: The line with which the caller has to subscribe to upstream; `nil` if it need not.
  @inlinable
  package func attach(_ member: FanOutMember) -> ReplayUpstream? {
    let (line, isNew) = shared.withLock { shared -> (ReplayUpstream?, Bool) in
      shared.count += 1
      if shared.isOver || shared.line != nil { return (shared.line, false) }
      shared.lines += 1
      shared.line = ReplayUpstream(number: shared.lines)
      return (shared.line, true)
    }
    // Every joining thread submits this, not only the one that subscribes to upstream, which may be overtaken.
    if isCounted, let line { submit(.begin(line: line.number)) }
    let thread = currentThread()
    let entry = enter(thread)
    act(thread, entry, { join(member, thread) }, orElse: { introduce(member, thread) })
    // All members may have left again.
    guard isNew, let line, line.slot.phase != .terminal else { return nil }
    return line
  }

  /// Introduces the member on the thread that owns the loop.
  @inlinable
  internal func join(_ member: FanOutMember, _ thread: UInt) {
    let depth = min(capacity, log.values.count)
    member.seen.store(log.end - UInt(depth), ordering: .relaxed)
    waiting[log.end - UInt(depth)] += 1
    add(member)
    member.start(on: thread)
    // If there is nothing to replay, the completion needs no request.
    serveOne(member)
  }

  /// Adds a member that another thread introduces.
  @inlinable
  internal func letIn(_ member: FanOutMember) {
    guard admit(member), let introduction = member.introduction else { return }
    waiting[introduction.start] += 1
  }

  /// Introduces the member on a joining thread that does not own the loop; see ``Introduction``.
  ///
  /// The member has its own position in the log, so later values wait there, and the owner of the loop delivers them
  /// when the introduction is over.
  @usableFromInline
  internal func introduce(_ member: FanOutMember, _ thread: UInt) {
    let introduction = Introduction(on: thread)
    member.prepare(introduction)
    let (snapshot, isOwner) = shared.withLock { shared -> (ReplaySnapshot<Output, Failure>, Bool) in
      let isOwner = loop.announce(thread)
      // The owner may have entered just now, and be about to add its value: that takes very little time, and calls
      // nothing. It cannot leave and enter again without the lock, because of the announcement. So this spin is short.
      if isOwner { isStable.store(true, ordering: .releasing) }
      while !isStable.load(ordering: .acquiring) {}
      let snapshot = log.snapshot(capacity, behind: [shared.due, shared.queue].joined())
      introduction.start = snapshot.start
      member.seen.store(snapshot.start, ordering: .relaxed)
      shared.queue.append(.attach(member))
      return (snapshot, isOwner)
    }
    introduction.present = { snapshot.serve($0) }
    member.start(introduction)
    if isOwner { leave(thread) }
  }

  /// Takes the snapshot for a member that the owner of the loop is introducing.
  ///
  /// The member has its position in the log already, and values may have been added since.
  @usableFromInline
  internal func takeSnapshot(_ member: FanOutMember, _ introduction: Introduction) {
    // One that has left already has no place any more.
    guard member.place != nil else { return }
    let start = member.seen.load(ordering: .relaxed)
    let snapshot = ReplaySnapshot(
      values: Deque(log.values[place(of: start)...]), end: log.end, ending: log.ending)
    introduction.start = start
    introduction.present = { snapshot.serve($0) }
  }

  /// Whether the owner of the loop may deliver to a member that was introduced by another thread.
  @usableFromInline
  internal func isIntroduced(_ member: FanOutMember) -> Bool {
    guard let introduction = member.introduction else { return true }
    // A member that has been removed gets nothing any more, and has no position in the log.
    guard member.place != nil, introduction.isOver else { return false }
    member.introduction = nil
    // It waits where the introduction has left off.
    waiting[introduction.start] -= 1
    waiting[member.seen.load(ordering: .relaxed)] += 1
    trim()
    return true
  }

  /// Removes a member from the count, and cancels the upstream subscription after the last one.
  ///
  /// The member's detaching has been submitted already.
  @inlinable
  package func memberLeft() {
    guard isCounted else { return }
    let line = shared.withLock { shared -> ReplayUpstream? in
      shared.count -= 1
      return shared.count == 0 && !shared.isOver ? shared.line.take() : nil
    }
    guard let line else { return }
    line.slot.cancel(early: true)
    submit(.clear(line: line.number))
  }

  /// Cancels the upstream subscription for good.
  @inlinable
  package func stop() {
    let line = shared.withLock { shared in
      shared.isOver = true
      return shared.line.take()
    }
    line?.slot.cancel(early: true)
  }
}
