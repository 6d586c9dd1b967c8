// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import DequeModule
public import Synchronization

extension FanOut {
  /// Adds a member, and delivers its subscription before returning, whatever other threads do.
  ///
  /// If the stream is over, the member gets the completion instead.
  @inlinable
  package func attach(_ member: FanOutMember) {
    let thread = currentThread()
    switch enter(thread) {
    case .entered:
      start(member, thread)
      leave(thread)
    case .nested:
      start(member, thread)
    case .busy:
      introduce(member, thread)
    }
  }

  /// Introduces the member on the thread that owns the loop.
  @inlinable
  internal func start(_ member: FanOutMember, _ thread: UInt) {
    if closed.load(ordering: .relaxed), let ending = shared.withLock({ $0.ending }) { return member.refuse(ending) }
    add(member)
    member.start(on: thread)
  }

  /// Introduces the member on a joining thread that does not own the loop; see ``Introduction``.
  @usableFromInline
  internal func introduce(_ member: FanOutMember, _ thread: UInt) {
    let introduction = Introduction(on: thread)
    member.prepare(introduction)
    // The snapshot belongs to the moment at which the member takes its place in the queue.
    if let ending = takeSnapshot(member, introduction, queueing: true) { return member.refuse(ending) }
    let isOwner = loop.announce(thread)
    member.start(introduction)
    if isOwner { leave(thread) }
  }

  @usableFromInline
  internal func takeSnapshot(_ member: FanOutMember, _ introduction: Introduction) {
    _ = takeSnapshot(member, introduction, queueing: false)
  }

  /// Takes the snapshot for a member.
  ///
  /// - Parameter isQueueing: Whether the member is queued; otherwise the owner has added it.
  /// - Returns: The completion, if it has been accepted. Then there is nothing to join.
  private func takeSnapshot(
    _ member: FanOutMember, _ introduction: Introduction, queueing isQueueing: Bool
  ) -> Subscribers.Completion<Failure>? {
    let (ending, latest, number) = shared.withLock { shared -> (Subscribers.Completion<Failure>?, Output?, UInt) in
      if shared.ending == nil {
        if shared.announced != 0 { shared.hasGivenOld = true }
        if isQueueing { shared.queue.append(.attach(member)) }
      }
      return (shared.ending, shared.latest, shared.number - shared.announced)
    }
    if let latest { introduction.present = { $0.give(latest, number: number) } }
    return ending
  }

  /// Removes a member that has cancelled.
  @usableFromInline
  internal func leave(_ member: FanOutMember) {
    act({ remove(member) }, orQueue: .detach(member))
  }
}
