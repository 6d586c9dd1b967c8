// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import DequeModule
public import Synchronization

extension FanOut {
  /// Adds a member, and delivers its subscription before returning, whatever other threads do.
  ///
  /// If the stream is over, the member gets the completion instead.
  @inlinable @inline(never)
  package func attach(_ member: FanOutMember) {
    let thread = currentThread()
    queue.perform(
      on: thread, { start(member, thread) }, orQueue: { introduce(member, thread) }, leave: { leave(thread) })
  }

  /// Adds a member whose subscriber requests everything and does nothing else with its subscription.
  @inlinable @inline(never)
  package func attach(resident member: FanOutMember, of source: some FanOutSource) {
    let thread = currentThread()
    let entry = queue.enter(thread)
    if case .busy = entry { return introduce(member, thread) }
    startResident(member, of: source, thread)
    if case .entered = entry { leave(thread) }
  }

  @inlinable @inline(__always)
  internal func startResident(_ member: FanOutMember, of source: some FanOutSource, _ thread: UInt) {
    if !admit(member) { return }
    member.ledger.begin(with: .unlimited)
    source.demandRose()
    if calls.repeats == .latest {
      member.starter.store(thread, ordering: .relaxed)
      serve(member)
      member.starter.store(0, ordering: .relaxed)
    }
  }

  /// Introduces the member on the thread that owns the loop.
  @inlinable
  internal func start(_ member: FanOutMember, _ thread: UInt) {
    if admit(member) { member.start(on: thread) }
  }

  /// Adds a member, unless the stream is over: then it gets the completion.
  ///
  /// - Returns: Whether the member has been added.
  @_alwaysEmitIntoClient
  internal func admit(_ member: FanOutMember) -> Bool {
    queue.assertOwned()
    if closed.load(ordering: .relaxed), refuses(member) { return false }
    members.add(member)
    return true
  }

  /// Delivers the completion, if it has been accepted, to a member that has come too late.
  @inlinable @inline(never)
  internal func refuses(_ member: FanOutMember) -> Bool {
    guard let ending = queue.withLock({ $0.state.ending.copyIfFull() }) else { return false }
    member.refuse(ending)
    return true
  }

  /// Introduces the member on a joining thread that does not own the loop; see ``Introduction``.
  @usableFromInline
  internal func introduce(_ member: FanOutMember, _ thread: UInt) {
    let introduction = Introduction()
    member.prepare(introduction)
    // The snapshot belongs to the moment at which the member takes its place in the queue.
    if let ending = takeSnapshot(introduction, queueing: member) { return member.refuse(ending) }
    let isOwner = queue.announce(thread)
    member.start(introduction)
    if isOwner { leave(thread) }
  }

  /// Takes the snapshot for a member whose introduction an operator keeps open.
  ///
  /// A value that the joining thread sends without demand replaces the snapshot.
  @usableFromInline
  package func takeSnapshot(for member: FanOutMember, _ introduction: Introduction) {
    _ = takeSnapshot(introduction, queueing: nil)
  }

  /// Takes the snapshot, and in the same step the place in the queue of a member that is not in the list yet.
  ///
  /// - Returns: The completion, if it has been accepted. Then there is nothing to join.
  private func takeSnapshot(
    _ introduction: Introduction, queueing member: FanOutMember?
  ) -> Subscribers.Completion<Failure>? {
    let (ending, latest, number) = queue.withLock { contents -> (Subscribers.Completion<Failure>?, Output?, UInt) in
      let ending = contents.state.ending.copyIfFull()
      if ending == nil {
        if contents.state.announced != 0 { contents.state.hasGivenOld = true }
        if let member { contents.signals.append(.join(member)) }
      }
      return (ending, contents.state.latest.copyIfFull(), contents.state.latestNumber)
    }
    if let latest { introduction.present = { $0.give(latest, number: number) } }
    return ending
  }

  /// Removes a member that has cancelled.
  @_alwaysEmitIntoClient
  package func remove(cancelled member: FanOutMember) {
    let thread = currentThread()
    switch queue.enter(thread) {
    case .entered:
      // No delivery is running, so the member can be discarded at once.
      if let reference = members.take(member) {
        member.discardInTurn()
        reference.release()
      }
      leave(thread)
    case .nested:
      members.remove(member)
    case .busy:
      append(.remove(member), thread)
    }
  }
}
