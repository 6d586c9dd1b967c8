// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import DequeModule
public import PenstockCore
public import Synchronization

/// How members join, request and leave.
extension ShareFanOut {
  /// Adds a member, and delivers its subscription before returning, whatever other threads do.
  ///
  /// If the stream has ended, the member gets the completion instead.
  ///
  /// - Returns: The upstream subscription that the caller has to make; `nil` if it need not.
  @inlinable
  internal func attach(_ member: FanOutMember) -> SharedUpstream? {
    var (ending, hasReturned): (Subscribers.Completion<Failure>?, Bool) = (nil, false)
    let (upstream, isNew) = queue.withLock { contents -> (SharedUpstream?, Bool) in
      ending = contents.state.ending
      if ending != nil { return (nil, false) }
      if contents.state.count == 0 {
        contents.state.arrivals += 1
        hasReturned = contents.state.upstream != nil
      }
      contents.state.count += 1
      if let upstream = contents.state.upstream { return (upstream, false) }
      contents.state.generation += 1
      let upstream = SharedUpstream(generation: contents.state.generation)
      contents.state.upstream = upstream
      return (upstream, true)
    }
    if hasReturned { grace?.stop() }
    if let ending {
      member.refuse(ending)
      return nil
    }
    guard let upstream else { return nil }
    let thread = currentThread()
    queue.perform(
      on: thread, { join(member, upstream.generation, thread) },
      orQueue: { introduce(member, upstream.generation, thread) }, leave: { leave(thread) })
    // All members may have left again.
    return isNew && upstream.slot.phase != .terminal ? upstream : nil
  }

  /// Introduces the member on the thread that owns the loop.
  @inlinable
  internal func join(_ member: FanOutMember, _ generation: UInt, _ thread: UInt) {
    giveRest()
    begin(generation)
    members.add(member)
    takePosition(member)
    member.start(on: thread)
    serveOne(member)
  }

  /// Introduces the member on a joining thread that does not own the loop; see ``Introduction``.
  ///
  /// Nothing is replayed: values that other threads send meanwhile wait, and the owner of the loop delivers them when
  /// the introduction is over.
  @usableFromInline
  internal func introduce(_ member: FanOutMember, _ generation: UInt, _ thread: UInt) {
    let introduction = Introduction()
    member.prepare(introduction)
    let isOwner = queue.append(.join(member, generation: generation), thread)
    member.start(introduction)
    if isOwner { leave(thread) }
  }

  /// Adds a member that another thread introduces.
  @inlinable
  internal func add(introduced member: FanOutMember, _ generation: UInt) {
    giveRest()
    begin(generation)
    // It may have cancelled meanwhile.
    guard members.add(introduced: member) else { return }
    takePosition(member)
    serveOne(member)
  }

  @inlinable
  internal func takePosition(_ member: FanOutMember) {
    present += 1
    guard let lanes else {
      member.seen.store(end, ordering: .relaxed)
      waiting[end] += 1
      return
    }
    member.seen.store(UInt(lanes.open()), ordering: .relaxed)
  }

  /// Whether the owner of the loop may deliver to a member that was introduced by another thread, or that is being
  /// introduced by this one: a value that the joining thread itself sends meanwhile is delivered as at any other time.
  @usableFromInline
  internal func isIntroduced(_ member: FanOutMember) -> Bool {
    guard let introduction = member.introduction else { return true }
    guard introduction.isOver else { return introduction.isHere }
    member.introduction = nil
    return true
  }

  /// Serves a member that has requested, when the signal's turn comes.
  @inlinable
  internal func serve(_ member: FanOutMember) {
    act({ serveOne(member) }, orQueue: .serve(member))
  }

  /// Removes a member that has cancelled, when the signal's turn comes.
  @inlinable
  internal func remove(cancelled member: FanOutMember) {
    act({ withdraw(member) }, orQueue: .remove(member))
  }

  /// Removes a member that has cancelled, and releases the values that only it has held up.
  @inlinable
  internal func withdraw(_ member: FanOutMember) {
    giveRest()
    remove(member)
    trim()
  }

  @inlinable
  internal func remove(_ member: FanOutMember) {
    guard members.remove(member) else { return }
    present -= 1
    let seen = member.seen.load(ordering: .relaxed)
    if let lanes {
      let rest = lanes.close(Int(seen))
      if handlesDiscards.value { tell(of: rest, lostBy: member) }
      return
    }
    waiting[seen] -= 1
    if handlesDiscards.value { tell(of: Array(log.suffix(Int(end - seen))), lostBy: member) }
  }
}
