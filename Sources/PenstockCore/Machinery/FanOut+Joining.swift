// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import DequeModule
public import Synchronization

extension FanOut {
  /// Adds a member, and hands it its subscription before returning, whatever other threads do.
  ///
  /// It is told of the end instead if the stream is over.
  @inlinable
  package func attach(_ member: Conduit) {
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

  /// The owner of the loop introduces the member.
  @inlinable
  internal func start(_ member: Conduit, _ thread: UInt) {
    if closed.load(ordering: .relaxed), let ending = shared.withLock({ $0.ending }) { return member.refuse(ending) }
    add(member)
    member.start(on: thread)
  }

  /// The joining thread introduces the member by itself; see ``Introduction``.
  @usableFromInline
  internal func introduce(_ member: Conduit, _ thread: UInt) {
    let introduction = Introduction(on: thread)
    member.prepare(introduction)
    // The snapshot is of the moment at which the member takes its place in the queue.
    if let ending = takeSnapshot(member, introduction, queueing: true) { return member.refuse(ending) }
    let isOwner = loop.announce(thread)
    member.start(introduction)
    if isOwner { leave(thread) }
  }

  @usableFromInline
  internal func takeSnapshot(_ member: Conduit, _ introduction: Introduction) {
    _ = takeSnapshot(member, introduction, queueing: false)
  }

  /// - Parameter isQueueing: Whether the member takes a place in the queue; otherwise the owner has let it in.
  /// - Returns: How the stream ends, if that has been accepted. Then there is nothing to be joined.
  private func takeSnapshot(
    _ member: Conduit, _ introduction: Introduction, queueing isQueueing: Bool
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
  internal func leave(_ member: Conduit) {
    act({ remove(member) }, orQueue: .detach(member))
  }
}
