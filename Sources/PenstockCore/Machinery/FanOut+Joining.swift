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
      start(member)
      leave(thread)
    case .nested:
      start(member)
    case .busy:
      introduce(member, thread)
    }
  }

  /// The owner of the loop introduces the member.
  @inlinable
  internal func start(_ member: Conduit) {
    if closed.load(ordering: .relaxed), let ending = shared.withLock({ $0.ending }) { return member.refuse(ending) }
    add(member)
    member.start()
  }

  /// The joining thread introduces the member by itself; see ``Introduction``.
  @usableFromInline
  internal func introduce(_ member: Conduit, _ thread: UInt) {
    let introduction = Introduction(on: thread)
    member.prepare(introduction)
    // The snapshot is of the moment at which the member takes its place in the queue.
    let (ending, latest, number) = shared.withLock { shared -> (Subscribers.Completion<Failure>?, Output?, UInt) in
      if shared.ending == nil {
        if shared.announced != 0 { shared.hasGivenOld = true }
        shared.queue.append(.attach(member))
      }
      return (shared.ending, shared.latest, shared.number - shared.announced)
    }
    if let ending { return member.refuse(ending) }
    if let latest { introduction.present = { $0.give(latest, number: number) } }
    let isOwner = loop.announce(thread)
    member.start(introduction)
    if isOwner { leave(thread) }
  }

  /// Removes a member that has cancelled.
  @usableFromInline
  internal func leave(_ member: Conduit) {
    act({ remove(member) }, orQueue: .detach(member))
  }
}
