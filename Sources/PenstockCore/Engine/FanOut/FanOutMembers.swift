// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The members of a ``FanOutEngine``, in the order of subscription.
///
/// Accessed only by the owner of the loop. References are counted by hand: a member stays retained until the owner
/// leaves the loop, so a delivery need not retain it.
///
/// Most publishers have one subscriber at a time: that one is stored inline, and a table is made for more.
@usableFromInline
package struct FanOutMembers {
  /// The members of an engine with more than one, or from which one has been removed during a delivery.
  @usableFromInline
  internal final class Table {
    /// The members, with gaps where members have been removed.
    ///
    /// Each member knows its index, so that removing one has constant cost.
    @exclusivity(unchecked) @usableFromInline internal var list: ContiguousArray<Unmanaged<FanOutMember>?> = []
    @exclusivity(unchecked) internal var gaps = 0

    /// Members that have been removed while the loop was owned.
    ///
    /// A delivery to one of them may still be running further up the stack.
    @exclusivity(unchecked) @usableFromInline internal var removed: [Unmanaged<FanOutMember>] = []

    internal init(_ only: Unmanaged<FanOutMember>?) {
      if let only { list = [only] }
    }
  }

  /// The only member, as long as there is no table.
  @usableFromInline internal var only: Unmanaged<FanOutMember>?
  @usableFromInline internal var table: Table?

  @_alwaysEmitIntoClient
  package init() {}

  // MARK: The list

  /// The number of places in the list, gaps included.
  @_alwaysEmitIntoClient
  package var count: Int {
    if let table { return table.list.count }
    return only == nil ? 0 : 1
  }

  /// The table, for a loop that keeps the engine alive: read from its place, it would be looked up for each member.
  @_alwaysEmitIntoClient
  internal var unretainedTable: Unmanaged<Table>? { table.map { .passUnretained($0) } }

  @_alwaysEmitIntoClient
  internal var indices: Range<Int> { 0..<count }

  @_alwaysEmitIntoClient
  internal var isEmpty: Bool { count == 0 }

  /// The member at a place; `nil` for a gap.
  @inlinable
  package subscript(place: Int) -> Unmanaged<FanOutMember>? {
    if let table { return table.list[place] }
    return only
  }

  @usableFromInline
  package mutating func add(_ member: FanOutMember) {
    guard count > 0 || table != nil else {
      member.place = 0
      only = .passRetained(member)
      return
    }
    addToTable(member)
  }

  // What needs the table is in functions of their own: their registers would otherwise be saved on every path.

  @inline(never)
  private mutating func addToTable(_ member: FanOutMember) {
    let table = makeTable()
    member.place = table.list.count
    table.list.append(.passRetained(member))
  }

  private mutating func makeTable() -> Table {
    if let table { return table }
    let made = Table(only)
    only = nil
    table = made
    return made
  }

  /// Adds a member that has been or is being introduced on the thread where it joined.
  ///
  /// - Returns: Whether it has been added; not if it has cancelled meanwhile.
  @usableFromInline
  package mutating func add(introduced member: FanOutMember) -> Bool {
    if member.ledger.isClosed {
      makeTable().removed.append(.passRetained(member))
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
    guard let place = member.place, let reference = self[place] else { return false }
    let table = makeTable()
    member.place = nil
    table.list[place] = nil
    table.gaps += 1
    table.removed.append(reference)
    return true
  }

  /// Removes a member while no delivery is running.
  ///
  /// - Returns: The reference to it, for the caller to discard and release; `nil` if it was not in the list.
  @usableFromInline
  internal mutating func take(_ member: FanOutMember) -> Unmanaged<FanOutMember>? {
    guard let place = member.place, let reference = self[place] else { return nil }
    member.place = nil
    if let table { leaveGap(at: place, in: table) } else { only = nil }
    return reference
  }

  @inline(never)
  private mutating func leaveGap(at place: Int, in table: Table) {
    if place == table.list.count - 1 {
      table.list.removeLast()
      while table.gaps > 0, case .some(.none) = table.list.last {
        table.list.removeLast()
        table.gaps -= 1
      }
    } else {
      table.list[place] = nil
      table.gaps += 1
      closeGaps()
    }
  }

  // MARK: What has been removed

  /// Whether members have been removed and not yet discarded.
  @_alwaysEmitIntoClient
  package var hasRemoved: Bool {
    guard let table else { return false }
    return !table.removed.isEmpty
  }

  /// A member that has been removed, for the caller to discard and release.
  @_alwaysEmitIntoClient
  internal mutating func takeRemoved() -> Unmanaged<FanOutMember>? { table?.removed.popLast() }

  /// Shortens the list when more than half of it are gaps.
  @usableFromInline
  internal mutating func closeGaps() {
    guard let table else { return }
    if table.gaps == table.list.count {
      table.list.removeAll(keepingCapacity: true)
      table.gaps = 0
    } else if table.gaps > table.list.count / 2 {
      table.list.removeAll { $0 == nil }
      for (place, member) in table.list.enumerated() { member?.takeUnretainedValue().place = place }
      table.gaps = 0
    }
  }
}
