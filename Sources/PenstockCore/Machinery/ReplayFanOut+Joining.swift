// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import DequeModule
public import Synchronization

extension ReplayFanOut {
  /// Adds a member, and serves it.
  ///
  /// - Returns: The line that upstream is to be subscribed to with, if the caller has to do that.
  @inlinable
  package func attach(_ member: Conduit) -> ReplayLine? {
    let (line, isNew) = shared.withLock { shared -> (ReplayLine?, Bool) in
      shared.count += 1
      if shared.isOver || shared.line != nil { return (shared.line, false) }
      shared.lines += 1
      shared.line = ReplayLine(number: shared.lines)
      return (shared.line, true)
    }
    // Whoever joins says so, and not only the one who subscribes: that one may be overtaken.
    if isCounted, let line { submit(.begin(line: line.number)) }
    let thread = currentThread()
    let entry = enter(thread)
    act(thread, entry, { join(member, thread) }, orElse: { introduce(member, thread) })
    // Everybody may have left again.
    guard isNew, let line, line.slot.phase != .terminal else { return nil }
    return line
  }

  /// The owner of the loop introduces the member.
  @inlinable
  internal func join(_ member: Conduit, _ thread: UInt) {
    let depth = min(capacity, log.values.count)
    member.seen.store(log.end - UInt(depth), ordering: .relaxed)
    count(1, at: log.values.count - depth)
    add(member)
    member.start(on: thread)
    // Where there is nothing to repeat the completion needs no request.
    serveOne(member)
  }

  /// Lets in a member that another thread introduces.
  @inlinable
  internal func letIn(_ member: Conduit) {
    guard admit(member), let introduction = member.introduction else { return }
    count(1, at: place(of: introduction.start))
  }

  /// The joining thread introduces the member by itself; see ``Introduction``.
  ///
  /// The member has its own place in the log, so what comes meanwhile waits there, and the owner of the loop goes on with
  /// it when the introduction is over.
  @usableFromInline
  internal func introduce(_ member: Conduit, _ thread: UInt) {
    let introduction = Introduction(on: thread)
    member.prepare(introduction)
    let (snapshot, isOwner) = shared.withLock { shared -> (ReplaySnapshot<Output, Failure>, Bool) in
      let isOwner = loop.announce(thread)
      // The owner may have entered just now, and is about to add its value: that is done in no time, and calls nothing.
      // It cannot leave and enter again, because of the announcement.
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

  /// Takes the snapshot of what a member waits for that the owner of the loop is introducing.
  ///
  /// It has its place in the log already, and more may have come since.
  @usableFromInline
  internal func takeSnapshot(_ member: Conduit, _ introduction: Introduction) {
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
  internal func isIntroduced(_ member: Conduit) -> Bool {
    guard let introduction = member.introduction else { return true }
    // A member that has left is not given anything any more, nor has it a place in the log.
    guard member.place != nil, introduction.isOver else { return false }
    member.introduction = nil
    // It waits where the introduction has left off.
    count(-1, at: place(of: introduction.start))
    count(1, at: place(of: member.seen.load(ordering: .relaxed)))
    trim()
    return true
  }

  /// Counts one member less, and gives the line up behind the last one.
  ///
  /// The member's detaching has been submitted.
  @inlinable
  package func memberLeft() {
    guard isCounted else { return }
    let line = shared.withLock { shared -> ReplayLine? in
      shared.count -= 1
      return shared.count == 0 && !shared.isOver ? shared.line.take() : nil
    }
    guard let line else { return }
    line.slot.cancel(early: true)
    submit(.clear(line: line.number))
  }

  /// Gives the line up for good.
  @inlinable
  package func stop() {
    let line = shared.withLock { shared in
      shared.isOver = true
      return shared.line.take()
    }
    line?.slot.cancel(early: true)
  }
}
