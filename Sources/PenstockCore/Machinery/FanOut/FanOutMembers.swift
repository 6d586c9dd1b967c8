// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The members of a ``FanOutEngine``, in the order of subscription.
///
/// Accessed only by the owner of the loop. References are counted by hand: a member stays retained until the owner
/// leaves the loop, so a delivery need not retain it.
@usableFromInline
package struct FanOutMembers {
  /// The members, with gaps where members have been removed.
  ///
  /// Each member knows its index, so that removing one has constant cost.
  @usableFromInline internal var list: ContiguousArray<Unmanaged<FanOutMember>?> = []
  @usableFromInline internal var gaps = 0

  /// Members that have been removed while the loop was owned.
  ///
  /// A delivery to them may still be running further up the stack.
  @usableFromInline internal var removed: [Unmanaged<FanOutMember>] = []

  @inlinable
  package init() {}

  // MARK: The list

  /// The number of places in the list, gaps included.
  @inlinable
  package var count: Int { list.count }

  @inlinable
  internal var indices: Range<Int> { list.indices }

  @inlinable
  internal var isEmpty: Bool { list.isEmpty }

  /// The member at a place; `nil` for a gap.
  @inlinable
  package subscript(place: Int) -> Unmanaged<FanOutMember>? { list[place] }

  @usableFromInline
  package mutating func add(_ member: FanOutMember) {
    member.place = list.count
    list.append(.passRetained(member))
  }

  /// Adds a member that has been or is being introduced on the thread where it joined.
  ///
  /// - Returns: Whether it has been added; not if it has cancelled meanwhile.
  @usableFromInline
  package mutating func add(introduced member: FanOutMember) -> Bool {
    if member.ledger.isClosed {
      removed.append(.passRetained(member))
      return false
    }
    add(member)
    return true
  }

  /// Removes a member; it is discarded when no delivery to it is running.
  ///
  /// - Returns: Whether it was in the list.
  @usableFromInline @discardableResult
  package mutating func remove(_ member: FanOutMember) -> Bool {
    guard let place = member.place, let reference = list[place] else { return false }
    member.place = nil
    list[place] = nil
    gaps += 1
    removed.append(reference)
    return true
  }

  /// Removes a member while no delivery is running.
  ///
  /// - Returns: The reference to it, for the caller to discard and release; `nil` if it was not in the list.
  @usableFromInline
  internal mutating func take(_ member: FanOutMember) -> Unmanaged<FanOutMember>? {
    guard let place = member.place, let reference = list[place] else { return nil }
    member.place = nil
    if place == list.count - 1 {
      list.removeLast()
      while gaps > 0, case .some(.none) = list.last {
        list.removeLast()
        gaps -= 1
      }
    } else {
      list[place] = nil
      gaps += 1
      closeGaps()
    }
    return reference
  }

  // MARK: What has been removed

  /// Whether members have been removed and not yet discarded.
  @inlinable
  package var hasRemoved: Bool { !removed.isEmpty }

  /// A member that has been removed, for the caller to discard and release.
  @inlinable
  internal mutating func takeRemoved() -> Unmanaged<FanOutMember>? { removed.popLast() }

  /// Shortens the list when more than half of it are gaps.
  @usableFromInline
  internal mutating func closeGaps() {
    if Mutation.listOnlyGrows.isOn { return }
    if gaps == list.count {
      list.removeAll(keepingCapacity: true)
      gaps = 0
    } else if gaps > list.count / 2 {
      list.removeAll { $0 == nil }
      for (place, member) in list.enumerated() { member?.takeUnretainedValue().place = place }
      gaps = 0
    }
  }
}
