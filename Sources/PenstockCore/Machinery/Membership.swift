// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import Synchronization

/// The part of a ``FanOut`` that depends on no type: who belongs to it, and who may act.
///
/// Everything that concerns the members goes through one ``DrainLoop``. Whatever below is a plain variable belongs to
/// the owner of the loop.
@usableFromInline
package class Membership {
  /// What only code that knows the type of the values can do.
  ///
  /// Made where that is known; see ``CoreSubscription``.
  @usableFromInline
  internal struct TypedWork {
    /// Takes the snapshot that a member is introduced with, which the owner is about to introduce.
    @usableFromInline internal let takeSnapshot: (Membership, Conduit, Introduction) -> Void
    /// Removes a member whose ledger is closed, as soon as it is its turn.
    @usableFromInline internal let detach: (Membership, Conduit) -> Void
    /// Forgets what was kept for a member that has been removed; `nil` where nothing is.
    @usableFromInline internal let forget: ((Membership, Conduit) -> Void)?
    /// Whether there is a value that a member has not seen.
    @usableFromInline internal let hasUnseen: (Membership, Conduit) -> Bool
    /// Gives a member what it has not seen, as soon as it is its turn.
    @usableFromInline internal let catchUp: (Membership, Conduit) -> Void

    @inlinable
    internal init(
      takeSnapshot: @escaping (Membership, Conduit, Introduction) -> Void,
      detach: @escaping (Membership, Conduit) -> Void,
      forget: ((Membership, Conduit) -> Void)? = nil,
      hasUnseen: @escaping (Membership, Conduit) -> Bool,
      catchUp: @escaping (Membership, Conduit) -> Void
    ) {
      self.takeSnapshot = takeSnapshot
      self.detach = detach
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

  /// Whether something that has been taken from the queue has not had its turn.
  @exclusivity(unchecked) @usableFromInline internal var hasDue = false

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

  /// Removes a member whose ledger is closed.
  @usableFromInline
  internal final func detach(_ member: Conduit) {
    typed.detach(self, member)
  }

  /// Gives a member that has just asked for values the latest one, if it has not seen that.
  internal final func demandRose(of member: Conduit) {
    if repeatsLatest, typed.hasUnseen(self, member) { typed.catchUp(self, member) }
  }

  // MARK: The loop

  /// How the calling thread finds the loop; where it is `.busy`, also if the thread itself owns it, a signal goes into the
  /// queue.
  ///
  /// What the owner does from inside of a delivery nests, unless something is queued, or has been taken from the queue and
  /// not had its turn: then it goes behind that, or it would overtake what another thread has sent before.
  @inlinable
  internal final func enter(_ thread: UInt) -> DrainLoop.Entry {
    let entry = loop.enter(thread)
    if case .nested = entry, hasDue || loop.isAnnounced { return .busy }
    return entry
  }

  // MARK: The members

  /// Lets in a member that has been introduced, or is being introduced, on the thread where it joined.
  ///
  /// - Returns: Whether it has been let in; not if it has cancelled meanwhile.
  @usableFromInline
  internal final func admit(_ member: Conduit) -> Bool {
    if member.ledger.isClosed {
      retired.append(.passRetained(member))
      return false
    }
    add(member)
    return true
  }

  @usableFromInline
  internal final func add(_ member: Conduit) {
    member.place = members.count
    members.append(.passRetained(member))
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
      member._withUnsafeGuaranteedRef { $0.retire() }
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
