// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore
public import Synchronization

/// How members join, request and leave.
extension ReplayFanOut {
  /// Adds a member, and serves it.
  ///
  /// - Returns: The upstream subscription that the caller has to make; `nil` if it need not.
  @inlinable
  internal func attach(_ member: FanOutMember) -> SharedUpstream? {
    var hasReturned = false
    let (upstream, isNew) = queue.withLock { contents -> (SharedUpstream?, Bool) in
      if contents.state.count == 0 {
        contents.state.arrivals += 1
        hasReturned = contents.state.upstream != nil
      }
      contents.state.count += 1
      if contents.state.isOver || contents.state.upstream != nil { return (contents.state.upstream, false) }
      contents.state.generation += 1
      contents.state.upstream = SharedUpstream(generation: contents.state.generation)
      return (contents.state.upstream, true)
    }
    if hasReturned { grace?.stop() }
    // Every joining thread submits this signal, since the thread that subscribes to upstream may be overtaken.
    if isCounted, let upstream { submit(.begin(upstream.generation)) }
    let thread = currentThread()
    act(thread, queue.enter(thread), { join(member, thread) }, orElse: { introduce(member, thread) })
    // All members may have left again.
    guard isNew, let upstream, upstream.slot.phase != .terminal else { return nil }
    return upstream
  }

  /// Introduces the member on the thread that owns the loop.
  @inlinable
  internal func join(_ member: FanOutMember, _ thread: UInt) {
    if let ages { firstYoung = ages.first() }
    let start = log.end - UInt(replayed)
    member.seen.store(start, ordering: .relaxed)
    waiting[start] += 1
    members.add(member)
    member.start(on: thread)
    // If there is nothing to replay, the completion needs no request.
    serveOne(member)
  }

  /// Adds a member that another thread introduces.
  @inlinable
  internal func add(introduced member: FanOutMember) {
    if members.add(introduced: member), let introduction = member.introduction { waiting[introduction.start] += 1 }
    if ages == nil { return }
    queue.withLock { contents in
      contents.state.joining.count -= 1
      if contents.state.joining.count == 0 { contents.state.joining.start = .max }
    }
  }

  /// Introduces the member on a joining thread that does not own the loop; see ``Introduction``.
  ///
  /// The member has its own position in the log, so later values wait for it there, and the owner of the loop delivers
  /// them when the introduction is over.
  @usableFromInline
  internal func introduce(_ member: FanOutMember, _ thread: UInt) {
    let introduction = Introduction()
    member.prepare(introduction)
    let firstYoung = ages?.first() ?? 0
    let (snapshot, isOwner) = queue.withLock { contents -> (Log, Bool) in
      let isOwner = queue.announce(thread)
      // The owner may have entered just now, and be about to add its value: that takes very little time, and calls no
      // other code. Because of the announcement, it cannot leave and enter again without the lock. So this spin is
      // short.
      if isOwner { isStable.store(true, ordering: .releasing) }
      while !isStable.load(ordering: .acquiring) { spin() }
      let snapshot = log.snapshot(capacity, from: firstYoung, behind: contents.signals)
      introduction.start = snapshot.start
      member.seen.store(snapshot.start, ordering: .relaxed)
      contents.signals.append(.join(member))
      if ages != nil {
        let joining = contents.state.joining
        contents.state.joining = (joining.count + 1, min(joining.start, snapshot.start))
      }
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
  internal func takeSnapshot(for member: FanOutMember, _ introduction: Introduction) {
    // A member that has left already has no place any more.
    guard member.place != nil else { return }
    let start = member.seen.load(ordering: .relaxed)
    let snapshot = log.suffix(from: start)
    introduction.start = start
    introduction.present = { [unowned(unsafe) self] member in
      snapshot.serve(member)
      // Delivers what this thread has sent since then, if no other thread is delivering.
      let thread = currentThread()
      act(thread, queue.enter(thread), { serveHere(member) }, orElse: {})
    }
  }

  /// Delivers to a member from the log, if the owner of the loop is the thread that introduces it.
  ///
  /// The member keeps its place among those that wait until its introduction is over.
  @usableFromInline
  internal func serveHere(_ member: FanOutMember) {
    guard member.place != nil, member.introduction?.isHere == true else { return }
    deliverFromLog(to: member, movesPlace: false)
  }

  /// Whether the owner of the loop may deliver to a member that was introduced by another thread.
  @usableFromInline
  internal func isIntroduced(_ member: FanOutMember) -> Bool {
    guard let introduction = member.introduction else { return true }
    // A member that has been removed gets nothing any more, and has no position in the log.
    guard member.place != nil, introduction.isOver else { return false }
    member.introduction = nil
    // It waits where the introduction left off.
    waiting[introduction.start] -= 1
    waiting[member.seen.load(ordering: .relaxed)] += 1
    trim()
    return true
  }

  /// Serves a member that has requested, when the signal's turn comes.
  @inlinable
  internal func serve(_ member: FanOutMember) {
    let thread = currentThread()
    // During its introduction a member is served at once, even if signals are queued.
    let entry = member.isStarting(on: thread) ? .nested : queue.enter(thread)
    act(thread, entry, { serveOne(member) }, orElse: { append(.serve(member), thread) })
  }

  /// Removes a member that has cancelled, when the signal's turn comes.
  @inlinable
  internal func remove(cancelled member: FanOutMember) {
    let thread = currentThread()
    act(thread, queue.enter(thread), { remove(member) }, orElse: { append(.remove(member), thread) })
  }

  @inlinable
  internal func remove(_ member: FanOutMember) {
    guard members.remove(member) else { return }
    waiting[member.introduction?.start ?? member.seen.load(ordering: .relaxed)] -= 1
    trim()
  }

  // MARK: The upstream subscription

  /// Treats a subject's sends as those of an upstream subscription that exists from the start.
  @inlinable
  internal func begin(_ upstream: SharedUpstream) {
    queue.withLock { contents in
      contents.state.generation = upstream.generation
      contents.state.upstream = upstream
    }
  }

  /// Removes a member from the count, and cancels the upstream subscription after the last one, or after a time.
  ///
  /// The member's removal has been submitted already.
  @inlinable
  internal func memberLeft() {
    guard isCounted else { return }
    var arrivals: UInt = 0
    let upstream = queue.withLock { contents -> SharedUpstream? in
      contents.state.count -= 1
      guard contents.state.count == 0, !contents.state.isOver, contents.state.upstream != nil else { return nil }
      arrivals = contents.state.arrivals
      return grace == nil ? contents.state.upstream.take() : nil
    }
    if let upstream { giveUp(upstream) } else if arrivals > 0 { grace?.start(arrivals) }
  }

  /// Cancels the upstream subscription if its period without members is over.
  ///
  /// - Parameter arrivals: The number of the period.
  /// - Returns: The number of the present period without members, if it is a different one.
  @usableFromInline
  internal func expire(_ arrivals: UInt) -> UInt? {
    let (upstream, other) = queue.withLock { contents -> (SharedUpstream?, UInt?) in
      guard contents.state.count == 0, contents.state.upstream != nil else { return (nil, nil) }
      if contents.state.arrivals != arrivals { return (nil, contents.state.arrivals) }
      return (contents.state.upstream.take(), nil)
    }
    if let upstream { giveUp(upstream) }
    return other
  }

  @inlinable
  internal func giveUp(_ upstream: SharedUpstream) {
    upstream.slot.cancel(early: true)
    submit(.clear(upstream.generation))
  }

  /// Cancels the upstream subscription for good.
  @inlinable
  internal func cancel() {
    let upstream = queue.withLock { contents in
      contents.state.isOver = true
      return contents.state.upstream.take()
    }
    grace?.stop()
    upstream?.slot.cancel(early: true)
  }
}
