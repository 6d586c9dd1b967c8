// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore
public import Synchronization

/// How a value is delivered while no member lags: to one after the other, without a count or a lane for each.
///
/// What happens inside a delivery may end that state: a member sends, requests, joins or leaves. So everything is
/// checked again after each delivery, and what has not been counted or stored yet is made up for first.
extension ShareFanOut {
  /// Delivers the log's only value.
  @inlinable
  internal func serveLevel(_ value: Output) {
    queue.assertOwned()
    let number = end - 1
    movedFrom = number
    var place = 0
    let count = members.count
    while place < count {
      if let member = members[place] { member._withUnsafeGuaranteedRef { serve(level: $0, value, number) } }
      place += 1
    }
    trim()
  }

  @inlinable @inline(__always)
  internal func serve(level member: FanOutMember, _ value: Output, _ number: UInt) {
    guard !member.hasIntroduction, end == number + 1, member.seen.load(ordering: .relaxed) == number,
      member.beginServing()
    else { return serve(here: member) }
    guard member.ledger.takeOne() else {
      member.endServing()
      if limit != .max { dropExcess(of: member) }
      return
    }
    member.seen.store(number + 1, ordering: .relaxed)
    moved += 1
    member.deliver(value)
    member.endServing()
    if end != number + 1 || ending != nil { serve(here: member) }
  }

  /// Counts the members that have moved on where they wait now.
  ///
  /// Until this call, the only effect is that the log keeps a value for longer than it has to.
  @inlinable
  internal func countMoved() {
    if moved == 0 { return }
    waiting[movedFrom] -= moved
    waiting[movedFrom + 1] += moved
    moved = 0
  }

  // MARK: With lanes

  /// Gives a value to every member that has room for it, and delivers it.
  @inlinable @inline(never)
  internal func add(_ value: Output, to lanes: ShareLanes<Output>) {
    giveRest()
    if lanes.areEmpty { return giveLevel(value, lanes) }
    given = GivenValue(value, to: 0..<members.count)
    // All members get it before the first delivery, which may send another value.
    giveRest()
    serveAll()
  }

  /// Delivers a value while no lane has one.
  @inlinable
  internal func giveLevel(_ value: Output, _ lanes: ShareLanes<Output>) {
    let count = members.count
    given = GivenValue(value, to: 0..<count)
    var place = 0
    while place < count, given != nil {
      given?.places = place + 1..<count
      if let member = members[place] { member._withUnsafeGuaranteedRef { serve(lane: $0, value, lanes) } }
      place += 1
    }
    // Something has happened inside the delivery, and the others have the value in their lanes.
    if given == nil { return serveAll() }
    let refused = given?.refused ?? []
    given = nil
    for member in refused { member.noteDiscard(value, .bufferFull) }
    trim()
  }

  @inlinable @inline(__always)
  internal func serve(lane member: FanOutMember, _ value: Output, _ lanes: ShareLanes<Output>) {
    guard !member.hasIntroduction, member.beginServing() else { return give(to: member, lanes) }
    guard member.ledger.takeOne() else {
      member.endServing()
      return give(to: member, lanes)
    }
    member.deliver(value)
    member.endServing()
  }

  /// Stores the value that is being given in a member's lane, if there is room.
  @inlinable @inline(never)
  internal func give(to member: FanOutMember, _ lanes: ShareLanes<Output>) {
    guard var given else { return }
    let lane = Int(member.seen.load(ordering: .relaxed))
    let room = member.ledger.balance.max.map { $0 > .max - lanes.limit ? .max : $0 + lanes.limit } ?? .max
    if lanes.count(in: lane) < room {
      if given.stored < 0 { given.stored = lanes.store(given.value) }
      lanes.append(given.stored, to: lane)
    } else {
      member.countOverflow()
      if handlesDiscards.value { given.refused.append(member) }
    }
    self.given = given
  }

  /// Gives the current value to the members that have not received it yet, before something else happens.
  @inlinable
  internal func giveRest() {
    if lanes == nil || given == nil { return }
    giveRestNow()
  }

  @inlinable @inline(never)
  internal func giveRestNow() {
    guard let lanes, let places = given?.places else { return }
    for place in places {
      if let member = members[place] { member._withUnsafeGuaranteedRef { give(to: $0, lanes) } }
    }
    guard let done = given.take() else { return }
    for member in done.refused { member.noteDiscard(done.value, .bufferFull) }
  }
}

/// A value on its way to the members of a ``ShareFanOut`` with lanes.
@usableFromInline
internal struct GivenValue<Output> {
  @usableFromInline internal let value: Output
  /// The places of the members that have not been considered yet.
  @usableFromInline internal var places: Range<Int>
  /// Its place in the lanes; negative while no lane leads to it.
  @usableFromInline internal var stored = -1
  /// The members that had no room.
  @usableFromInline internal var refused: [FanOutMember] = []

  @inlinable
  internal init(_ value: Output, to places: Range<Int>) {
    self.value = value
    self.places = places
  }
}
