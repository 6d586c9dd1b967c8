// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import Synchronization

/// The untyped half of a ``FanOut``: its members, and the loop that serialises all actions on them.
///
/// Plain variables are accessed only by the owner of the loop, which orders the accesses between threads. So run-time
/// exclusivity checks, which cost as much as a call, would find nothing.
@usableFromInline
package class FanOutBase {
  /// The work that depends on the type of the values.
  ///
  /// Closures made where that type is concrete; see ``BaseSubscription``. Each is called with the fan-out that it was
  /// made for, so its unchecked downcast is sound.
  @usableFromInline
  internal struct TypedWork {
    /// Takes the snapshot for a member that the owner is about to introduce.
    @usableFromInline internal let takeSnapshot: (FanOutBase, FanOutMember, Introduction) -> Void
    /// Removes a member whose ledger is closed, in its turn.
    @usableFromInline internal let detach: (FanOutBase, FanOutMember) -> Void
    /// Frees what was kept for a member that has been removed; `nil` if nothing is.
    @usableFromInline internal let forget: ((FanOutBase, FanOutMember) -> Void)?
    /// Whether there is a value that a member has not seen.
    @usableFromInline internal let hasUnseen: (FanOutBase, FanOutMember) -> Bool
    /// Delivers to a member the latest value it has not seen, in its turn.
    @usableFromInline internal let catchUp: (FanOutBase, FanOutMember) -> Void

    @inlinable
    internal init(
      takeSnapshot: @escaping (FanOutBase, FanOutMember, Introduction) -> Void,
      detach: @escaping (FanOutBase, FanOutMember) -> Void,
      forget: ((FanOutBase, FanOutMember) -> Void)? = nil,
      hasUnseen: @escaping (FanOutBase, FanOutMember) -> Bool,
      catchUp: @escaping (FanOutBase, FanOutMember) -> Void
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

  /// Whether a completion has been accepted, though perhaps not delivered: later sends are ignored.
  @usableFromInline internal let closed = AtomicCell<Bool>(false)

  /// The members in the order of subscription, with gaps where members have been removed.
  ///
  /// Each member knows its index, so that removing one has constant cost. References are counted by hand: a member is
  /// retained until the owner leaves the loop, so a delivery need not retain it.
  @exclusivity(unchecked) @usableFromInline internal var members: ContiguousArray<Unmanaged<FanOutMember>?> = []
  @exclusivity(unchecked) @usableFromInline internal var gaps = 0

  /// Members that have been removed while the loop was owned.
  ///
  /// A delivery to them may still be running further up the stack.
  @exclusivity(unchecked) @usableFromInline internal var retired: [Unmanaged<FanOutMember>] = []

  /// Whether signals have been taken from the queue and not yet performed.
  @exclusivity(unchecked) @usableFromInline internal var hasDue = false

  /// Whether a member that has missed the latest value gets it when it requests.
  @usableFromInline internal let repeatsLatest: Bool

  /// The subject's upstream subscriptions.
  ///
  /// Stored here rather than in the subject, so that an upstream can feed the subject without keeping it alive. A
  /// subject that repeats its latest value requests from upstream at once, any other on its first subscriber's request.
  @usableFromInline internal let upstream: UpstreamSubscriptions

  @inlinable
  internal init(_ typed: TypedWork, repeatsLatest: Bool) {
    self.typed = typed
    self.repeatsLatest = repeatsLatest
    upstream = UpstreamSubscriptions(open: repeatsLatest)
  }

  // MARK: Requests of members

  /// Removes a member whose ledger is closed.
  @usableFromInline
  internal final func detach(_ member: FanOutMember) {
    typed.detach(self, member)
  }

  /// Delivers the latest value to a member that has just requested, if it has not seen that value.
  internal final func demandRose(of member: FanOutMember) {
    if repeatsLatest, typed.hasUnseen(self, member) { typed.catchUp(self, member) }
  }

  // MARK: The loop

  /// Enters the loop.
  ///
  /// If the result is `.busy`, the signal goes into the queue, even if the calling thread is the owner.
  ///
  /// Signals that the owner's deliveries cause nest, unless something is queued, or taken from the queue and not yet
  /// performed: a nested signal would overtake what another thread has sent before.
  @inlinable
  internal final func enter(_ thread: UInt) -> DrainLoop.Entry {
    let entry = loop.enter(thread)
    if case .nested = entry, hasDue || loop.isAnnounced { return .busy }
    return entry
  }

  // MARK: The members

  /// Adds a member that has been or is being introduced on the thread where it joined.
  ///
  /// - Returns: Whether it has been added; not if it has cancelled meanwhile.
  @usableFromInline
  internal final func admit(_ member: FanOutMember) -> Bool {
    if member.ledger.isClosed {
      retired.append(.passRetained(member))
      return false
    }
    add(member)
    return true
  }

  @usableFromInline
  internal final func add(_ member: FanOutMember) {
    member.place = members.count
    members.append(.passRetained(member))
  }

  @usableFromInline
  internal final func remove(_ member: FanOutMember) {
    guard let place = member.place, let reference = members[place] else { return }
    member.place = nil
    members[place] = nil
    gaps += 1
    retired.append(reference)
    typed.forget?(self, member)
  }

  /// Removes all members without a completion.
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

  /// Frees members that have been removed, and compacts the list when more than half of it are gaps.
  ///
  /// Not called during a delivery.
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
