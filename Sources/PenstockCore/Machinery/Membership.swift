// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import Synchronization

/// The part of a ``FanOut`` that depends on no type: who belongs to it, and who may act.
///
/// Everything that concerns the members goes through one ``DrainLoop``. Whatever below is a plain variable belongs to
/// the owner of the loop.
@usableFromInline
package class Membership {
  /// A change of the membership, or of what a member knows.
  @usableFromInline
  package enum Change: Sendable {
    case attach, detach, catchUp
  }

  /// What only code that knows the type of the values can do.
  ///
  /// Made where that is known; see ``CoreSubscription``.
  @usableFromInline
  internal struct TypedWork {
    /// Puts a change into the queue.
    @usableFromInline internal let queue: (Membership, Change, Conduit) -> Void
    /// Empties the queue and carries out what was in it.
    @usableFromInline internal let performQueued: (Membership) -> Void
    /// Lets a member in, or tells it that the stream is over.
    @usableFromInline internal let admit: (Membership, Conduit) -> Bool
    /// Forgets what was kept for a member that has been removed; `nil` where nothing is.
    @usableFromInline internal let forget: ((Membership, Conduit) -> Void)?
    /// Whether there is a value that a member has not seen.
    @usableFromInline internal let hasUnseen: (Membership, Conduit) -> Bool
    /// Gives a member the latest value.
    @usableFromInline internal let catchUp: (Membership, Conduit) -> Void

    @inlinable
    internal init(
      queue: @escaping (Membership, Change, Conduit) -> Void,
      performQueued: @escaping (Membership) -> Void,
      admit: @escaping (Membership, Conduit) -> Bool,
      forget: ((Membership, Conduit) -> Void)? = nil,
      hasUnseen: @escaping (Membership, Conduit) -> Bool,
      catchUp: @escaping (Membership, Conduit) -> Void
    ) {
      self.queue = queue
      self.performQueued = performQueued
      self.admit = admit
      self.forget = forget
      self.hasUnseen = hasUnseen
      self.catchUp = catchUp
    }
  }

  @usableFromInline internal let typed: TypedWork
  @usableFromInline internal let loop = DrainLoop()

  /// Whether the stream's end has been accepted, though perhaps not delivered: nothing sent after that counts.
  @usableFromInline internal let closed = Atomic<Bool>(false)

  /// The members in the order they came, with gaps where some have left.
  ///
  /// Each knows its place, so that leaving costs the same whatever their number. References are counted by hand: a
  /// member stays until the owner leaves the loop, which lets a delivery go without counting them.
  @exclusivity(unchecked) @usableFromInline internal var members: ContiguousArray<Unmanaged<Conduit>?> = []
  @exclusivity(unchecked) @usableFromInline internal var gaps = 0

  /// Those who have left while somebody owned the loop.
  ///
  /// A delivery to them may still be running further up the stack.
  @exclusivity(unchecked) @usableFromInline internal var retired: [Unmanaged<Conduit>] = []

  /// Whether members who have missed the latest value are given it when they ask.
  @usableFromInline internal let repeatsLatest: Bool

  /// What the subject has been subscribed to.
  ///
  /// Here rather than in the subject, so that it can be fed by somebody who does not keep it alive. A subject that
  /// repeats its latest value asks at once, another when it has been asked itself.
  @usableFromInline internal let upstream: UpstreamSubscriptions

  @inlinable
  internal init(_ typed: TypedWork, repeatsLatest: Bool) {
    self.typed = typed
    self.repeatsLatest = repeatsLatest
    upstream = UpstreamSubscriptions(open: repeatsLatest)
  }

  // MARK: What members ask for

  /// Adds a member, and hands it its subscription.
  ///
  /// It is told of the end instead if the stream is over.
  @usableFromInline
  package final func attach(_ member: Conduit) { submit(.attach, member) }

  /// Removes a member whose ledger is closed.
  @usableFromInline
  internal final func detach(_ member: Conduit) { submit(.detach, member) }

  /// Gives a member that has just asked for values the latest one, if it has not seen that.
  internal final func demandRose(of member: Conduit) {
    if repeatsLatest, typed.hasUnseen(self, member) { submit(.catchUp, member) }
  }

  // MARK: The loop

  private func submit(_ change: Change, _ member: Conduit) {
    act({ perform(change, member) }, orQueue: { typed.queue(self, change, member) })
  }

  /// Acts at once where the calling thread owns the loop, or comes to; otherwise the signal is left to the owner.
  ///
  /// - Parameters:
  ///   - now: Acts.
  ///   - queue: Puts the signal into the queue.
  @inlinable @inline(__always)
  internal final func act(_ now: () -> Void, orQueue queue: () -> Void) {
    let thread = currentThread()
    act(as: thread, loop.enter(thread), now, orQueue: queue)
  }

  /// The same, for a thread that has entered the loop already, or has not been let in.
  @inlinable @inline(__always)
  internal final func act(
    as thread: UInt, _ entry: DrainLoop.Entry, _ now: () -> Void, orQueue queue: () -> Void
  ) {
    switch entry {
    case .entered:
      now()
      leave(thread)
    case .nested:
      now()
    case .busy:
      queue()
      if loop.announce(thread) { leave(thread) }
    }
  }

  @inlinable
  internal final func leave(_ thread: UInt) {
    if !retired.isEmpty { clear() }
    while !loop.leave(thread) { typed.performQueued(self) }
  }

  @usableFromInline
  internal final func perform(_ change: Change, _ member: Conduit) {
    switch change {
    case .attach:
      guard typed.admit(self, member) else { return }
      member.place = members.count
      members.append(.passRetained(member))
      member.start()
    case .detach:
      remove(member)
    case .catchUp:
      typed.catchUp(self, member)
    }
  }

  @usableFromInline
  internal final func remove(_ member: Conduit) {
    guard let place = member.place, let reference = members[place] else { return }
    member.place = nil
    members[place] = nil
    gaps += 1
    retired.append(reference)
    typed.forget?(self, member)
  }

  /// Removes everybody, without a word.
  @usableFromInline
  internal final func letGo() {
    for place in members.indices {
      guard let reference = members[place] else { continue }
      reference._withUnsafeGuaranteedRef { member in
        _ = member.ledger.close()
        remove(member)
      }
    }
  }

  /// Frees those who have left, and closes the gaps once they outnumber the members.
  ///
  /// Not during a delivery.
  @usableFromInline
  internal final func clear() {
    while let member = retired.popLast() {
      member._withUnsafeGuaranteedRef { $0.free() }
      member.release()
    }
    if gaps == members.count {
      members.removeAll(keepingCapacity: true)
      gaps = 0
    } else if gaps > members.count / 2 {
      members.removeAll { $0 == nil }
      for (place, member) in members.enumerated() { member?.takeUnretainedValue().place = place }
      gaps = 0
    }
  }
}
